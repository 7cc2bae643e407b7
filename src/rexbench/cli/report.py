"""`rexbench report`: tables in the terminal; HTML, figures, CSV and LaTeX in a folder."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def report(
    campaigns: Annotated[list[Path], typer.Argument(metavar="CAMPAIGN...", help="Folders of campaigns; several make one report.")],
    with_paper: Annotated[bool, typer.Option("--with-paper", help="Set the fourteen published agents beside these.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where files go; CAMPAIGN/report by default.")] = None,
    as_json: Json = False,
) -> None:
    """Turn a campaign into tables, figures and one HTML file: success with intervals, hints, tasks, costs, failures, comparisons.

    \b
    rexbench report my-campaign
    rexbench report my-campaign another-campaign --with-paper --out my-report
    """
    from rexbench.report.drawing import Drawing

    bench = open_bench()
    with Drawing() as drawing:
        from rexbench.report.content import make_content
        from rexbench.report.write import begin_report, write_report

        target = out or campaigns[0] / "report"
        content = make_content(campaigns, with_paper, lambda numbers: begin_report(numbers, target, drawing))
        written = write_report(content, target, drawing)
    from rexbench.cli.output import console, print_json

    if as_json:
        answer = {
            "campaigns": [str(folder) for folder in campaigns],
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
