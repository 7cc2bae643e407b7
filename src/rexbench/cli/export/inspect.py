"""`rexbench export inspect`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json


def inspect(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Where the logs go; `inspect` in the campaign's folder by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a campaign as logs of Inspect, one per agent, for `inspect view`.

    \b
    rexbench export inspect my-campaign --out logs
    """
    from rexbench.interop.extras import require

    require("inspect_ai", "inspect", "rexbench export inspect")
    from rexbench.campaign.folder import Campaign
    from rexbench.cli.output import console, print_json
    from rexbench.interop.inspect.logs import export_logs

    folder = (out or campaign / "inspect").absolute()
    written = export_logs(Campaign.open(campaign.absolute()), folder)
    if as_json:
        print_json({"logs": [str(path) for path in written]})
        return
    for path in written:
        console.print(str(path), markup=False, soft_wrap=True)
    console.print(f"next: inspect view --log-dir {folder}", soft_wrap=True)
