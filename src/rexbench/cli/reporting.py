"""What `report` does: tables in the terminal; HTML, figures, CSV and LaTeX in a folder."""

from collections.abc import Sequence
from pathlib import Path

from rexbench.report.drawing import Drawing


def report_and_print(folders: Sequence[Path], with_paper: bool, out: Path | None, as_json: bool) -> None:
    """Compute, write, print. Drawing starts before the rest is even imported, because it takes longest."""
    with Drawing() as drawing:
        from rexbench.report.content import make_content
        from rexbench.report.write import begin_report, write_report

        target = out or folders[0] / "report"
        content = make_content(folders, with_paper, lambda numbers: begin_report(numbers, target, drawing))
        written = write_report(content, target, drawing)
    from rexbench.cli.output import console, print_json

    if as_json:
        answer = {
            "campaigns": [str(folder) for folder in folders],
            "runs": len(content.reading.runs),
            "notes": [*content.reading.notes, *([content.caveat] if content.caveat else [])],
            "findings": list(content.findings),
            "tables": {table.name: table.records() for table in content.tables},
            "files": [str(path) for path in written],
        }
        print_json(answer)
        return
    from rexbench.report.terminal import print_report

    print_report(content, console)
    print(f"\nreport: {target / 'report.html'}   (figures, CSV and LaTeX beside it)")
