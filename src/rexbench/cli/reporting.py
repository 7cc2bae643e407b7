"""What `report` does: tables in the terminal; HTML, figures, CSV and LaTeX in a folder."""

from collections.abc import Sequence
from pathlib import Path

from rexbench.cli.output import console, print_json
from rexbench.errors import RexbenchError
from rexbench.report.write import make_report
from rexbench.task.folder import load_task
from rexbench.workspace.patch import summarise


def report_and_print(
    folders: Sequence[Path], with_paper: bool, out: Path | None, as_json: bool, without_patches: bool = False
) -> None:
    """Compute, write, print."""
    made = make_report(folders, out, with_paper, without_patches, _gold_size)
    content = made.content
    if as_json:
        answer = {
            "campaigns": [str(folder) for folder in folders],
            "runs": len(content.reading.runs),
            "notes": [*content.reading.notes, *content.caveats],
            "warning": content.warning,
            "findings": content.findings,
            "tables": {table.name: table.records() for table in content.tables},
            "files": [str(path) for path in made.files],
        }
        print_json(answer)
        return
    from rexbench.report.terminal import print_report

    print_report(content, console)
    print(f"\nreport: {made.page}   (figures, CSV and LaTeX beside it)")


def _gold_size(name: str) -> tuple[int, int] | None:
    try:
        task = load_task(name)
        gold = summarise(task.vault.gold, task.repo)
    except RexbenchError:
        return None
    return gold.lines_added + gold.lines_removed, len(gold.files)
