"""Running a campaign to its end on the command line: progress while it runs, a table at the end, and how to go on."""

import sys
from typing import Any

from rexbench.api.bench import Bench
from rexbench.campaign.conduct import Progress
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.folder import Campaign
from rexbench.campaign.planning import load_tasks
from rexbench.cli.environments import prepare_environments
from rexbench.cli.output import console, outcome_text, print_json, print_table
from rexbench.cli.progress import Shown
from rexbench.record.model import Run


def conduct_and_print(campaign: Campaign, bench: Bench, executor: Executor, as_json: bool, budget_usd: float | None = None) -> None:
    """Run a campaign to its end, showing where it stands, and print what came out."""
    prepare_environments(load_tasks(campaign.plan, bench), bench, quiet=as_json)
    if not as_json:
        print(f"campaign: {campaign.folder}", file=sys.stderr)
    try:
        with Shown(quiet=as_json) as shown:
            progress = bench.conduct(campaign, executor, shown, budget_usd).progress
    except KeyboardInterrupt:
        print(f"rexbench: go on with: rexbench run --resume {campaign.folder}", file=sys.stderr)
        raise
    assert progress is not None
    runs = campaign.runs()
    if as_json:
        print_json(_summary(campaign, progress, runs))
    else:
        _print_runs(campaign, progress, runs)
    if progress.given_up or progress.held_back:
        raise SystemExit(3)


def _summary(campaign: Campaign, progress: Progress, runs: list[Run]) -> dict[str, Any]:
    return {
        "campaign": str(campaign.folder),
        "total": progress.total,
        "done": progress.done,
        "outcomes": progress.outcomes,
        "cost_usd": None if progress.unpriced else progress.usd,
        "given_up": progress.given_up,
        "held_back": progress.held_back,
        "runs": [run.model_dump() for run in runs],
    }


def _print_runs(campaign: Campaign, progress: Progress, runs: list[Run]) -> None:
    if len(runs) <= 40:
        rows = [
            [
                run.id,
                run.step.outcome,
                outcome_text(run.outcome) + ("" if run.score is None else f" {run.score:.2f}"),
                str(run.step.turns),
                "?" if run.step.cost_usd is None else f"{run.step.cost_usd:.2f}",
                f"{run.step.seconds:.0f}",
            ]
            for run in runs
        ]
        print_table("", ["run", "agent ended", "outcome", "turns", "$", "s"], rows, right=["turns", "$", "s"])
        for run in runs:
            for flag in run.flags:
                console.print(f"  flag {flag.kind} in {run.id}: {flag.evidence}"[:200], markup=False)
    counted = ", ".join(f"{name} {count}" for name, count in sorted(progress.outcomes.items()))
    console.print(f"\n{progress.done} of {progress.total} runs have a verdict: {counted or 'none'}")
    for run_id, fault in list(progress.given_up.items())[:10]:
        console.print(f"  no verdict for {run_id}: {fault}", markup=False)
    if progress.held_back:
        console.print(
            f"  {progress.held_back} runs were not started: the campaign's budget is used up; give --campaign-budget-usd more"
        )
    if progress.given_up or progress.held_back:
        console.print(f"  go on with: rexbench run --resume {campaign.folder}", soft_wrap=True)
    console.print(f"next: rexbench report {campaign.folder}", soft_wrap=True)
