"""`rexbench attempt`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Hints, Json, SandboxOption, open_bench


def attempt(
    what: Annotated[list[str], typer.Argument(metavar="TASK DIR", help="A task and a new folder; with --close, the folder alone.")],
    close: Annotated[bool, typer.Option("--close", help="Judge the attempt in DIR and put it on record with its task.")] = False,
    hints: Hints = "none",
    minutes: Annotated[float | None, typer.Option("--minutes", min=1, help="Time limit; with --close, what it took.")] = None,
    approach: Annotated[str, typer.Option("--approach", help="With --close: what was tried, in a line.")] = "",
    sandbox: SandboxOption = "bubblewrap",
    as_json: Json = False,
) -> None:
    """Measure how hard a task is: a workspace for somebody who sees nothing else, then a verdict and a line in attempts.csv.

    \b
    rexbench attempt othello /tmp/attempt-1 --minutes 45
    rexbench attempt --close /tmp/attempt-1 --approach "probes for mine and theirs"
    """
    from rexbench.api.attempt import begin_attempt, close_attempt
    from rexbench.cli.output import console, print_json, print_verdict, verdict_json
    from rexbench.task.folder import hint_level

    bench = open_bench(sandbox)
    if len(what) != (1 if close else 2):
        raise typer.BadParameter("give TASK DIR to begin an attempt, or --close DIR", param_hint="TASK DIR")
    if not close:
        brief = begin_attempt(bench, what[0], Path(what[1]), hint_level(hints), minutes or 45.0)
        if as_json:
            print_json({"brief": str(brief)})
        else:
            console.print(f"{brief} says what to do; close the attempt with: rexbench attempt --close {what[1]}", soft_wrap=True)
        return
    verdict = close_attempt(bench, Path(what[0]).absolute(), approach, minutes)
    if as_json:
        print_json(verdict_json(verdict))
    else:
        print_verdict(verdict, [""] * len(verdict.evaluations))
    if verdict.outcome == "system_fault":
        raise SystemExit(3)
