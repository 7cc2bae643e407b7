"""`rexbench export harbor`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def harbor(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the tasks.")],
    tasks: Annotated[str, typer.Option("--tasks", help="Tasks with commas between them, or all.")] = "all",
    hints: Annotated[str, typer.Option("--hints", help="none, hints, detailed, several with commas, or all.")] = "none",
    image: Annotated[str | None, typer.Option("--image", help="An image that has the tasks' environment already.")] = None,
    time_limit: Annotated[str, typer.Option("--time-limit", help="Of an agent: 90s, 30m, 2h.")] = "30m",
    as_json: Json = False,
) -> None:
    """Write tasks as folders of Harbor, to be judged on the host.

    \b
    rexbench export harbor harbor-tasks --tasks othello,cogs
    harbor run --path harbor-tasks --agent oracle --verifier rexbench.interop.harbor.verifier:HostVerifier
    """
    from rexbench.agent.settings import read_duration
    from rexbench.campaign.plan import read_hints
    from rexbench.cli.output import console, print_json
    from rexbench.interop.harbor.folders import VERIFIER, export_folders

    bench = open_bench()
    names = None if tasks == "all" else [name for name in tasks.split(",") if name]
    chosen = bench.suite.load_all(names)
    levels = read_hints(hints)
    written = export_folders(chosen, levels, folder.absolute(), image, bench.settings.base_image, read_duration(time_limit))
    if as_json:
        print_json({"folders": [str(path) for path in written], "verifier": VERIFIER})
        return
    console.print(f"{folder}: {len(written)} tasks", soft_wrap=True)
    console.print(f"next: harbor run --path {folder} --agent oracle --verifier {VERIFIER}", soft_wrap=True)
