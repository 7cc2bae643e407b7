"""Score over time and money from single runs: the captures on the way and the final patch, judged on the run's own variants."""

import datetime
from pathlib import Path

from rexbench.agent.captures import read_captures
from rexbench.api.bench import Bench, OnEvent
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.folder import Campaign
from rexbench.campaign.trials import Wanted, references
from rexbench.evaluation.evaluate import combine
from rexbench.gateway.exchange import read_exchanges
from rexbench.record.curve import Point, keep_curve, read_curve
from rexbench.record.model import Evaluation, Run


def judge_curves(
    bench: Bench, campaign: Campaign, executor: Executor | None = None, on_event: OnEvent | None = None
) -> dict[str, list[Point]]:
    """The curve of every run that has captures; judged once and kept in the run's folder."""
    curves: dict[str, list[Point]] = {}
    wanted: list[Wanted] = []
    plan = campaign.plan
    for run in campaign.runs():
        if kept := read_curve(campaign.run_folder(run.id)):
            curves[run.id] = kept
            continue
        captures = read_captures(campaign.attempt_folder(run.id, run.attempt))
        if not captures:
            continue
        task = bench.suite.load(plan.address(run.task))
        wanted += references("reference", task, plan.seeds[run.task])
        for minutes, patch in captures.items():
            wanted += [Wanted(f"{run.id} at {minutes:g}", task, seed, patch) for seed in plan.seeds[run.task]]
    results = bench.make(wanted, executor=executor, on_event=on_event) if wanted else []
    made: dict[str, list[Evaluation]] = {}
    for one, result in zip(wanted, results, strict=True):
        if isinstance(result, Evaluation):
            made.setdefault(one.label, []).append(result)
    for run in campaign.runs():
        points = _points(run, campaign, made)
        if points and all(point.outcome != "system_fault" for point in points):
            curves[run.id] = points
            keep_curve(campaign.run_folder(run.id), points)
    return curves


def _points(run: Run, campaign: Campaign, made: dict[str, list[Evaluation]]) -> list[Point]:
    attempt = campaign.attempt_folder(run.id, run.attempt)
    spent = _spending(attempt)
    points = []
    for minutes in read_captures(attempt):
        found = made.get(f"{run.id} at {minutes:g}")
        if found:
            verdict = combine(run.task, found)
            points.append(Point(minutes, spent(minutes), verdict.outcome, verdict.score))
    if points:
        points.append(Point(round(run.step.seconds / 60, 3), run.step.cost_usd, run.outcome, run.score))
    return points


class _spending:  # noqa: N801
    """Money spent by a minute of the run, from the times of its exchanges."""

    def __init__(self, attempt: Path) -> None:
        path = attempt / "exchanges.jsonl.gz"
        exchanges = list(read_exchanges(path)) if path.exists() else []
        times = [datetime.datetime.fromisoformat(exchange.at) for exchange in exchanges]
        since = min(times, default=None)
        self._costs = [
            ((at - since).total_seconds(), exchange.cost_usd)
            for at, exchange in zip(times, exchanges, strict=True)
            if exchange.usage and since
        ]

    def __call__(self, minutes: float) -> float | None:
        by_then = [cost for at, cost in self._costs if at <= 60 * minutes]
        return None if any(cost is None for cost in by_then) else sum(cost or 0.0 for cost in by_then)
