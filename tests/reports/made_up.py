"""A campaign that nobody ran: records as real ones look, from a seed, so that reports can be tested at any size."""

import json
from pathlib import Path

import numpy as np

from rexbench.agent.controls import CONTROLS
from rexbench.agent.settings import Agent
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan, RunSpec, plan_runs
from rexbench.record.curve import Point, keep_curve
from rexbench.record.model import (
    AgentStep,
    Claim,
    Evaluation,
    FigureVerdict,
    Flag,
    Limits,
    MetricVerdict,
    Outcome,
    Run,
    TableVerdict,
    TokenCount,
)

TASKS = (
    "checkeval",
    "cogs",
    "entity-tracking-multimodal",
    "explain-then-translate",
    "instruction-tuning",
    "mission-impossible",
    "othello",
    "reasoning-or-reciting",
    "re-reading",
    "tree-of-thoughts",
    "varierr-nli",
    "winodict",
)
AGENTS = (
    "aider-o1",
    "aider-o4-mini",
    "aider-sonnet",
    "claude-code",
    "mini-swe",
    "openhands-o1",
    "openhands-o4-mini",
    "openhands-r1",
)
LEVELS = ("none", "hints", "detailed")
_FAILURES: tuple[tuple[Outcome, str | None], ...] = (
    ("wrong_result", None),
    ("execution_failed", "ValueError"),
    ("execution_failed", "FileNotFoundError"),
    ("empty_patch", None),
    ("bad_artifact", None),
    ("timeout", None),
    ("patch_rejected", None),
)
_WHEN = "2026-01-02T03:04:05+00:00"
PATCH = """\
diff --git a/src/train.py b/src/train.py
--- a/src/train.py
+++ b/src/train.py
@@ -10,7 +10,9 @@ def train(config):
     model = build(config)
-    optimiser = torch.optim.SGD(model.parameters(), lr=config.lr)
+    optimiser = torch.optim.AdamW(model.parameters(), lr=config.lr, weight_decay=config.decay)
+    schedule = warm_up(optimiser, steps={steps})
     for step, batch in enumerate(batches(config, seed={seed})):
         loss = model(batch)
         loss.backward()
"""


def plan_for(
    agents: tuple[str, ...] = AGENTS, tasks: tuple[str, ...] = TASKS, hints: tuple[str, ...] = LEVELS, runs: int = 5
) -> Plan:
    return Plan.model_validate(
        {
            "agents": tuple(_agent(name) for name in agents),
            "tasks": tasks,
            "hints": hints,
            "runs": runs,
            "seeds": dict.fromkeys(tasks, (7,)),
        }
    )


def _agent(name: str) -> Agent:
    if name in CONTROLS:
        return Agent(name)
    return Agent("command", name=name, model="provider/model")


def write_campaign(folder: Path, plan: Plan | None = None, seed: int = 1, text: str = "", bulk: int = 0) -> Campaign:
    """A finished campaign on disk; `text` goes wherever an agent could write, `bulk` lines that hardly pack go into each patch."""
    plan = plan or plan_for()
    campaign = Campaign.create(folder, plan)
    generator = np.random.default_rng(seed)
    ease = generator.normal(-1, 2, len(plan.tasks))
    skill = np.linspace(-1.5, 1.5, len(plan.agents))
    for spec in plan_runs(plan):
        agent = [each.name for each in plan.agents].index(spec.agent)
        odds = ease[plan.tasks.index(spec.task)] + skill[agent] + 0.4 * LEVELS.index(spec.hints)
        solved = spec.agent == "gold" or (spec.agent != "nop" and bool(generator.random() < 1 / (1 + np.exp(-odds))))
        run = make_run(spec, solved, generator, text)
        write_run(campaign, run, generator, text, bulk)
    return campaign


def write_run(campaign: Campaign, run: Run, generator: np.random.Generator, text: str = "", bulk: int = 0) -> None:
    attempt = campaign.attempt_folder(run.id, run.attempt)
    attempt.mkdir(parents=True)
    patch = PATCH.format(steps=generator.integers(10, 500), seed=generator.integers(1000)) + (f"+{text}\n" if text else "")
    patch += "".join(f"+    weights[{row}] = 0x{generator.bytes(20).hex()}\n" for row in range(bulk))
    (attempt / "patch.diff").write_text("" if run.outcome == "empty_patch" else patch)
    (attempt / "agent.json").write_text(run.step.model_dump_json())
    (attempt / "trajectory.json").write_text(json.dumps(_trajectory(run, text)))
    (campaign.run_folder(run.id) / "run.json").write_text(run.model_dump_json(indent=1))


def make_run(spec: RunSpec, solved: bool, generator: np.random.Generator, text: str = "") -> Run:
    failures = (("empty_patch", None),) if spec.agent == "nop" else _FAILURES
    outcome, exception = ("success", None) if solved else failures[generator.integers(len(failures))]
    ran = outcome in ("success", "wrong_result")
    value = 0.71 + (0.0 if solved else 0.09) + float(generator.normal(0, 0.002))
    metric = MetricVerdict(
        name="accuracy",
        kind="noisy",
        value=value,
        gold=0.71,
        low=0.69,
        high=0.73,
        accepted=solved,
        distance=0.0 if solved else 0.07,
    )
    exact = MetricVerdict(name="rows", kind="exact", value=1200, gold=1200, low=None, high=None, accepted=True, distance=0.0)
    detail = "" if solved else f"ended as {outcome} {text}".strip()
    recall = float(generator.choice([0.5, 0.75, 1.0]))
    evaluation = Evaluation(
        key=f"{generator.integers(16**12):064x}",
        execution=f"{generator.integers(16**12):064x}",
        reference="",
        task=spec.task,
        variant_seed=7,
        outcome=outcome,
        detail=detail,
        exception=exception,
        frame="src/train.py:17 in train" if exception else None,
        execution_success=ran,
        metrics=(metric, exact) if ran else (),
        landmarks={"model_trained": ran, "table_complete": solved},
        file_recall=recall,
        file_precision=0.5,
        lines_changed=int(generator.integers(3, 120)),
        seconds=float(generator.uniform(5, 60)),
        written_at=_WHEN,
    )
    flags = (
        (Flag(kind="network", evidence=f"answer 3, bash: pip install scikit-learn {text}"),) if generator.random() < 0.05 else ()
    )
    return Run(
        id=spec.id,
        agent=spec.agent,
        task=spec.task,
        hints=spec.hints,
        repetition=spec.repetition,
        attempt=1,
        step=_step(spec, generator, text),
        outcome=outcome,
        detail=detail,
        execution_success=ran,
        file_recall=recall,
        file_precision=0.5,
        evaluations=(evaluation,),
        flags=flags,
        seconds=100.0,
        written_at=_WHEN,
    )


def _step(spec: RunSpec, generator: np.random.Generator, text: str) -> AgentStep:
    return AgentStep(
        task=spec.task,
        task_digest="0" * 64,
        hints=spec.hints,
        agent=spec.agent if spec.agent in CONTROLS else "command",
        agent_version="1.0",
        program_digest="",
        model="provider/model",
        wire="openai_chat",
        condition="open",
        prompt="",
        options={},
        limits=Limits(seconds=1800),
        outcome="finished",
        detail=text,
        status=0,
        tokens=TokenCount(input=int(generator.integers(10_000, 900_000)), output=int(generator.integers(500, 20_000))),
        cost_usd=round(float(generator.gamma(2, 0.2)), 4),
        turns=int(generator.integers(2, 60)),
        requests=40,
        seconds=float(generator.uniform(30, 900)),
        model_seconds=20.0,
        refused=(),
        skipped=(),
        patch_digest=f"{generator.integers(16**12):064x}",
        files=("src/train.py",),
        lines_added=2,
        lines_removed=1,
        sandbox="bubblewrap",
        enforced={},
        machine="0123456789abcdef",
        written_at=_WHEN,
        version="0.1.0",
    )


def _trajectory(run: Run, text: str) -> dict[str, object]:
    said = f"I read the paper for {run.task} and change the optimiser. {text}".strip()
    call = {
        "tool_call_id": "1",
        "function_name": "bash",
        "arguments": {"command": f"python train.py --seed {run.repetition} {text}"},
    }
    steps = [
        {"step_id": 1, "source": "user", "message": "Implement the extension that instructions.md describes."},
        {"step_id": 2, "source": "agent", "message": said, "tool_calls": [call]},
        {"step_id": 3, "source": "agent", "message": "Done."},
    ]
    steps[1]["observation"] = {"results": [{"source_call_id": "1", "content": f"epoch 1 loss 0.71 {text}"}]}
    return {"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "command", "version": "1"}, "steps": steps}


def write_scored_campaign(
    folder: Path,
    agents: tuple[str, ...] = ("claude-code", "aider", "gold", "nop"),
    tasks: tuple[str, ...] = ("othello", "cogs", "attribution", "lowbit"),
    scored: tuple[str, ...] = ("attribution", "lowbit"),
    runs: int = 3,
    hints: tuple[str, ...] = ("none", "detailed"),
    text: str = "",
) -> Campaign:
    """The same with scored tasks among the others: scores, strata, claims of most runs, curves of most runs."""
    plan = plan_for(agents, tasks, hints, runs)
    campaign = write_campaign(folder, plan, text=text)
    generator = np.random.default_rng(2)
    for run in campaign.runs():
        changed = _claiming(run, generator, text)
        if run.task in scored:
            changed = _scored(changed, generator, text)
            if run.agent not in CONTROLS and run.repetition % 3:
                keep_curve(campaign.run_folder(run.id), _curve(changed))
        (campaign.run_folder(run.id) / "run.json").write_text(changed.model_dump_json(indent=1))
    return campaign


def _claiming(run: Run, generator: np.random.Generator, text: str) -> Run:
    if run.agent in CONTROLS or generator.random() < 0.2:
        return run
    chance = float(np.clip(0.3 + 0.5 * (run.outcome == "success") + generator.normal(0, 0.2), 0, 1))
    return run.model_copy(update={"claim": Claim(success=chance, defect=text)})


def _scored(run: Run, generator: np.random.Generator, text: str) -> Run:
    """Base .2 and gold .8 on a linear scale for `attribution`; base .9 and gold .1 on a logarithmic one for others."""
    log = run.task != "attribution"
    base, gold = (0.9, 0.1) if log else (0.2, 0.8)
    score = {"gold": 1.0, "nop": 0.0}.get(run.agent, float(generator.normal(0.6 + 0.2 * (run.agent == "claude-code"), 0.3)))
    lost = run.outcome in ("bad_artifact", "timeout", "patch_rejected", "empty_patch")
    value = float(base * (gold / base) ** score) if log else base + score * (gold - base)
    outcome: Outcome = run.outcome if lost else "success" if score >= 0.95 else "below_gold"
    figure = FigureVerdict(
        name="kl" if log else "lds",
        value=value,
        base=base,
        gold=gold,
        ceiling=None if log else 0.9,
        score=score,
        scale="log" if log else "linear",
        share=None if log else (value - base) / 0.7,
        strata={"plain": score + 0.1, f"hidden {text}".strip(): score - 0.1},
        accepted_from=0.95,
    )
    made = run.evaluations[0].model_copy(
        update={"figure": None if lost else figure, "score": 0.0 if lost else score, "outcome": outcome, "metrics": ()}
    )
    told = TableVerdict(path="rows.csv", rows=100, agreeing=98, differences=(f"7: x is '1', gold's '2' {text}",))
    guard = (
        {"tables": (told,), "broken_guards": (f"second: `run2.sh` no longer works {text}",)} if outcome == "bad_artifact" else {}
    )
    claim = run.claim and run.claim.model_copy(update={"figure": tuple(sorted((0.9 * value, 1.2 * value)))})
    changed = {"score": made.score, "outcome": outcome, "claim": claim, "evaluations": (made.model_copy(update=guard),)}
    return run.model_copy(update=changed)


def _curve(run: Run) -> list[Point]:
    final = run.score or 0.0
    points = [Point(minutes, 0.1 * minutes, "below_gold", final * share) for minutes, share in ((5.0, 0.3), (10.0, 0.7))]
    return [*points, Point(15.0, 1.2, run.outcome, run.score)]
