"""A campaign as Inspect's logs, one per agent: messages, tool calls, scores, usage, as `inspect view` shows them.

The verdicts are those of the campaign. Runs without one are left out, and the log then says that it was cancelled.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall
from pydantic import ValidationError

import rexbench
from rexbench.agent.settings import Agent
from rexbench.agent.trajectory import Trajectory, TrajectoryStep
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import plan_runs
from rexbench.digest import digest_value
from rexbench.errors import RexbenchError
from rexbench.evaluation.evaluate import Verdict
from rexbench.interop.inspect.scorer import score_of
from rexbench.record.model import Run
from rexbench.untrusted import NotTaken, parse_json, read_plain

SCORER = "verdict"


def export_logs(campaign: Campaign, folder: Path) -> list[Path]:
    """Write AGENT.eval for each agent that has a finished run."""
    plan, runs = campaign.plan, campaign.runs()
    if not runs:
        raise RexbenchError(f"{campaign.folder} has no finished run to export.")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for agent in plan.agents:
        own = [run for run in runs if run.agent == agent.name]
        if own:
            planned = sum(spec.agent == agent.name for spec in plan_runs(plan))
            target = folder / f"{agent.name}.eval"
            write_eval_log(_log(campaign, agent, own, planned), str(target))
            written.append(target)
    return written


def _log(campaign: Campaign, agent: Agent, runs: Sequence[Run], planned: int) -> EvalLog:
    samples = [_sample(campaign, run) for run in runs]
    model = agent.model or "none"
    identity = digest_value([str(campaign.folder), agent.name])[:22]
    total = sum((_usage(run) for run in runs), ModelUsage())
    return EvalLog(
        status="success" if len(runs) == planned else "cancelled",
        eval=EvalSpec(
            eval_id=identity,
            run_id=identity,
            task_id=identity,
            created=min(run.step.written_at for run in runs),
            task="rexbench",
            task_version=rexbench.__version__,
            dataset=EvalDataset(name="rexbench", samples=len({sample.id for sample in samples})),
            model=model,
            solver=agent.agent,
            config=EvalConfig(epochs=max(run.repetition for run in runs)),
            metadata={"campaign": campaign.folder.name, "agent": agent.name},
        ),
        plan=EvalPlan(name=agent.agent, steps=[EvalPlanStep(solver=agent.agent, params=dict(agent.options))]),
        results=EvalResults(total_samples=planned, completed_samples=len(samples), scores=list(_results(samples))),
        stats=EvalStats(
            started_at=min(run.step.written_at for run in runs),
            completed_at=max(run.written_at for run in runs),
            model_usage={model: total},
        ),
        samples=samples,
    )


def _sample(campaign: Campaign, run: Run) -> EvalSample:
    messages = _messages(campaign.attempt_folder(run.id, run.attempt) / "trajectory.json")
    answers = [message for message in messages if isinstance(message, ChatMessageAssistant)]
    verdict = Verdict(run.task, run.outcome, run.evaluations)
    score = score_of(verdict, campaign.patch(run.id, run.attempt))
    score.metadata = {**(score.metadata or {}), "flags": [flag.model_dump() for flag in run.flags]}
    model = run.step.model or "none"
    return EvalSample(
        id=f"{run.task}/{run.hints}",
        epoch=run.repetition,
        input=run.step.prompt or f"{run.task} at hint level {run.hints}",
        target="",
        messages=messages,
        output=ModelOutput.from_content(model, answers[-1].text) if answers else ModelOutput(model=model),
        scores={SCORER: score},
        metadata={"run": run.id, "agent_outcome": run.step.outcome, "agent_detail": run.step.detail, "cost_usd": run.step.cost_usd},
        model_usage={model: _usage(run)},
        total_time=run.seconds,
        working_time=run.step.seconds,
        completed_at=run.written_at,
        uuid=digest_value([str(campaign.folder), run.id])[:22],
    )


def _usage(run: Run) -> ModelUsage:
    tokens, cost = run.step.tokens, run.step.cost_usd
    return ModelUsage(
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        total_tokens=tokens.input + tokens.output,
        input_tokens_cache_read=tokens.cached or None,
        total_cost=cost,
    )


def _results(samples: Sequence[EvalSample]) -> Iterator[EvalScore]:
    """The mean of each part of the score."""
    values: dict[str, list[float]] = {}
    for sample in samples:
        value = (sample.scores or {})[SCORER].value
        for name, part in value.items() if isinstance(value, dict) else ():
            values.setdefault(name, []).append(float(part or 0.0))
    for name, parts in values.items():
        yield EvalScore(name=name, scorer=SCORER, metrics={"mean": EvalMetric(name="mean", value=sum(parts) / len(parts))})


def _messages(path: Path) -> list[ChatMessage]:
    """The conversation of a run; empty where there was none, or where its file makes no sense."""
    try:
        steps = Trajectory.model_validate(parse_json(read_plain(path), path)).steps
    except (FileNotFoundError, NotTaken, ValidationError):
        return []
    return [message for step in steps for message in _step_messages(step)]


def _step_messages(step: TrajectoryStep) -> Iterator[ChatMessage]:
    if step.source == "system":
        yield ChatMessageSystem(content=step.message)
    elif step.source == "user":
        yield ChatMessageUser(content=step.message)
    else:
        calls = [
            ToolCall(id=call.tool_call_id, function=call.function_name, arguments=call.arguments) for call in step.tool_calls or []
        ]
        yield ChatMessageAssistant(content=step.message, tool_calls=calls or None, model=step.model_name)
        names = {call.id: call.function for call in calls}
        for result in step.observation.results if step.observation else []:
            called = result.source_call_id or ""
            yield ChatMessageTool(content=result.content or "", tool_call_id=called, function=names.get(called))
