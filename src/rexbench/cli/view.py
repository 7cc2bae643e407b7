"""`rexbench view`: campaigns in a browser, live."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import open_bench


def view(
    campaigns: Annotated[
        list[Path] | None, typer.Argument(metavar="[CAMPAIGN...]", help="Folders of campaigns; all in the home by default.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="On loopback; 7391 by default, or any that is free.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
) -> None:
    """Show campaigns in a browser of this machine, running ones live: progress, runs, trajectories, patches, two side by side.

    \b
    rexbench view my-campaign
    rexbench view my-campaign another-campaign --no-browser
    """
    import threading
    import webbrowser
    from contextlib import suppress

    from rexbench.api.view import view as serve

    with serve(campaigns or [], bench=open_bench(), port=port) as viewer:
        print(f"viewer: {viewer.entrance}   (Ctrl-C ends it)", flush=True)
        if not no_browser:
            webbrowser.open(viewer.entrance)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
