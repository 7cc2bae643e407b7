"""`rexbench submit check`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def check(archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A submission.zip.")], as_json: Json = False) -> None:
    """Name every defect of a submission archive.

    \b
    rexbench submit check submission.zip

    Exit status 1 where there is one.
    """
    from rexbench.cli.output import console, print_json
    from rexbench.interop.submission import check_submission

    defects = check_submission(archive, open_bench().suite)
    if as_json:
        print_json({"archive": str(archive), "defects": defects})
    else:
        for defect in defects:
            console.print(defect, markup=False)
        console.print(f"{archive}: {len(defects) or 'no'} defect{'' if len(defects) == 1 else 's'}", soft_wrap=True)
    if defects:
        raise SystemExit(1)
