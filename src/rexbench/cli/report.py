"""`rexbench report`: tables in the terminal; HTML, figures, CSV and LaTeX in a folder."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def report(
    campaigns: Annotated[list[Path], typer.Argument(metavar="CAMPAIGN...", help="Folders of campaigns; several make one report.")],
    with_paper: Annotated[bool, typer.Option("--with-paper", help="Set the fourteen published agents beside these.")] = False,
    without_patches: Annotated[
        bool, typer.Option("--without-patches", help="Leave out patches and trajectories, which may hold solutions.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where files go; CAMPAIGN/report by default.")] = None,
    as_json: Json = False,
) -> None:
    """Turn a campaign into tables, figures and one HTML file: success with intervals, hints, tasks, costs, failures, comparisons.

    \b
    rexbench report my-campaign
    rexbench report my-campaign another-campaign --with-paper --out my-report
    rexbench report my-campaign --without-patches      # before it is published
    """
    from rexbench.api.report import report as make_report
    from rexbench.cli.output import console, print_json

    made = make_report(campaigns, out, with_paper=with_paper, without_patches=without_patches, suite=open_bench().suite)
    content = made.content
    if as_json:
        answer = {
            "campaigns": [str(folder) for folder in campaigns],
            "runs": len(content.reading.runs),
            "notes": [*content.reading.notes, *content.caveats],
            "warning": content.warning,
            "findings": content.findings,
            "tables": {table.name: table.records() for table in content.tables},
            "files": [str(path) for path in made.files],
        }
        print_json(answer)
        return
    from rexbench.reports.terminal import print_report

    print_report(content, console)
    print(f"\nreport: {made.page}   (figures, CSV and LaTeX beside it)")
