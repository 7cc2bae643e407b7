"""`rexbench submit pack`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def pack(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The archive to write, submission.zip by default; a folder for rexbench.")
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", help="archive, or rexbench: an archive per agent, hint level and run, as the published page asks."
        ),
    ] = "archive",
    as_json: Json = False,
) -> None:
    """Put a campaign's patches, logs and versions into one archive. Verdicts are left out: they are made anew.

    \b
    rexbench submit pack my-campaign --out submission.zip
    rexbench submit pack my-campaign --format rexbench --out submissions
    """
    if form not in ("archive", "rexbench"):
        raise typer.BadParameter(f"there is no format {form!r}; there are: archive, rexbench", param_hint="--format")
    (_pack_archive if form == "archive" else _pack_published)(campaign.absolute(), out, as_json)


def _pack_archive(campaign: Path, given: Path | None, as_json: bool) -> None:
    from rexbench.campaign.folder import Campaign
    from rexbench.cli.output import console, print_json
    from rexbench.interop.submission import check_submission, pack

    out = given or Path("submission.zip")
    runs = pack(Campaign.open(campaign), out.absolute())
    defects = check_submission(out, open_bench().suite)
    if as_json:
        print_json({"archive": str(out), "runs": runs, "defects": defects})
        return
    console.print(f"{out}: {runs} runs, {out.stat().st_size / 1e6:.1f} MB", soft_wrap=True)
    for defect in defects:
        console.print(f"  {defect}", markup=False)


def _pack_published(campaign: Path, given: Path | None, as_json: bool) -> None:
    from rexbench.campaign.folder import Campaign
    from rexbench.cli.output import console, print_json
    from rexbench.interop.published import pack_published

    written = pack_published(Campaign.open(campaign), (given or Path("submissions")).absolute())
    if as_json:
        print_json({"archives": [str(path) for path in written]})
        return
    for path in written:
        console.print(str(path), markup=False, soft_wrap=True)
