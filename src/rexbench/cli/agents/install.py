"""`rexbench agents install`."""

from typing import Annotated

import typer

from rexbench.cli.options import Json, open_bench


def install(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME[@VERSION]...", help="aider, claude-code, openhands, mini-swe-agent; or all.")
    ],
    as_json: Json = False,
) -> None:
    """Install agents' programs at their pinned versions, once; runs never install anything.

    \b
    rexbench agents install aider claude-code openhands mini-swe-agent
    rexbench agents install all
    rexbench agents install claude-code@2.1.198     # from now on this version; it changes the digest of every run
    """
    from rexbench.agent.install import Programs
    from rexbench.cli.output import console, print_json
    from rexbench.cli.progress import one_step
    from rexbench.errors import RexbenchError

    bench = open_bench()
    programs = Programs(bench.home, bench.settings.variables)
    known = programs.known()
    chosen = dict(text.partition("@")[::2] for text in (known if names == ["all"] else names))
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise RexbenchError(f"There is no agent program {unknown[0]!r}; there are: {', '.join(known)}.")
    installed = []
    for name, version in chosen.items():
        with one_step(f"installing {name} {version or known[name].version}", quiet=as_json):
            installed.append(programs.install(name, version))
    if as_json:
        print_json([{"agent": program.name, "version": program.version, "digest": program.digest} for program in installed])
    else:
        for program in installed:
            console.print(f"{program.name} {program.version} is installed ({program.digest[:12]})")
