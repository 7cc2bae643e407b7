"""`rexbench task lint`."""

from dataclasses import asdict
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def lint(
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Tasks to look at; all where none is named.")] = None,
    as_json: Json = False,
) -> None:
    """What can be said of a task without running it: missing parts, sizes, canaries, data, texts, host code.

    \b
    rexbench task lint ./my-task

    Exit status 1 where there is an error; advice does not count.
    """
    from rexbench.cli.output import console, print_findings, print_json

    bench = open_bench()
    chosen = [bench.task(name) for name in tasks or bench.suite.ids()]
    found = {task.id: bench.lint(task) for task in chosen}
    wrong = {task: sum(finding.level == "error" for finding in findings) for task, findings in found.items()}
    if as_json:
        print_json({task: [asdict(finding) for finding in findings] for task, findings in found.items()})
    else:
        for task, findings in found.items():
            print_findings(findings)
            console.print(f"{task}: " + (f"[red]{wrong[task]} error(s)[/red]" if wrong[task] else "[green]no errors[/green]"))
    if any(wrong.values()):
        raise SystemExit(1)
