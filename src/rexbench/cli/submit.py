"""`rexbench submit`, and judging patches that were made elsewhere."""

import datetime
import secrets
from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json

submit_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Submission archives: pack one, check one.")


@submit_app.command()
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

    runs = pack(Campaign.open(campaign), out)
    defects = check_submission(out)
    if as_json:
        print_json({"archive": str(out), "runs": runs, "defects": defects})
        return
    console.print(f"{out}: {runs} runs, {out.stat().st_size / 1e6:.1f} MB", soft_wrap=True)
    for defect in defects:
        console.print(f"  {defect}", markup=False)


@submit_app.command()
def check(archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A submission.zip.")], as_json: Json = False) -> None:
    """Name every defect of a submission archive.

    \b
    rexbench submit check submission.zip

    Exit status 1 where there is one.
    """
    from rexbench.cli.output import console, print_json
    from rexbench.interop.submission import check_submission

    defects = check_submission(archive)
    if as_json:
        print_json({"archive": str(archive), "defects": defects})
    else:
        for defect in defects:
            console.print(defect, markup=False)
        console.print(f"{archive}: {len(defects) or 'no'} defect{'' if len(defects) == 1 else 's'}", soft_wrap=True)
    if defects:
        raise SystemExit(1)


def judge_and_print(
    what: Path,
    out: Path | None,
    variants: int | None,
    variant_seed: int | None,
    sandbox: str,
    unsafe: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Judge an archive or a file of predictions as a campaign."""
    from rexbench.campaign.executors.local import Local
    from rexbench.cli.running import conduct_and_print
    from rexbench.interop.judged import campaign_of
    from rexbench.interop.predictions import read_predictions
    from rexbench.interop.submission import read_submission
    from rexbench.places import home
    from rexbench.sandbox.choose import choose_sandbox
    from rexbench.task.folder import load_tasks
    from rexbench.task.variants import held_out_seeds

    patches = read_submission(what) if what.suffix == ".zip" else read_predictions(what)
    tasks = load_tasks(sorted({one.task for one in patches}))
    drawn = secrets.token_bytes(32)
    seeds: dict[str, tuple[int, ...]] = {}
    for task in tasks:
        count = variants or task.spec.held_out
        fixed = None if variant_seed is None else [variant_seed + at for at in range(count)]
        seeds[task.id] = tuple(fixed or held_out_seeds(task.id, count, drawn))
    folder = out or home() / "campaigns" / f"{datetime.datetime.now():%Y%m%d-%H%M%S}-{what.stem}"
    choose_sandbox(sandbox, unsafe)
    campaign = campaign_of(patches, tasks, seeds, folder, sandbox, unsafe)
    conduct_and_print(campaign, tasks, Local(jobs), as_json)
