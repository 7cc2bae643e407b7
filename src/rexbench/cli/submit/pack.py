"""`rexbench submit pack`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def pack(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    out: Annotated[Path, typer.Option("--out", help="The archive to write.")] = Path("submission.zip"),
    as_json: Json = False,
) -> None:
    """Put a campaign's patches, logs and versions into one archive. Verdicts are left out: they are made anew.

    \b
    rexbench submit pack my-campaign --out submission.zip
    """
    from rexbench.campaign.folder import Campaign
    from rexbench.cli.output import console, print_json
    from rexbench.interop.submission import check_submission, pack

    runs = pack(Campaign.open(campaign.absolute()), out.absolute())
    defects = check_submission(out, open_bench().suite)
    if as_json:
        print_json({"archive": str(out), "runs": runs, "defects": defects})
        return
    console.print(f"{out}: {runs} runs, {out.stat().st_size / 1e6:.1f} MB", soft_wrap=True)
    for defect in defects:
        console.print(f"  {defect}", markup=False)
