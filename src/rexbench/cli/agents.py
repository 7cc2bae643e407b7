"""`rexbench agents`."""

from typing import Annotated

import typer

from rexbench.cli.options import Json

agents_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="The agents: what there is, and installing their programs."
)


@agents_app.command("list")
def list_agents(as_json: Json = False) -> None:
    """Say which agents there are: program and version, whether it is installed, protocols; and the presets with a model.

    \b
    rexbench agents list
    """
    from rexbench.agent.catalog import agents
    from rexbench.agent.controls import CONTROLS
    from rexbench.agent.install import programs
    from rexbench.campaign.plan import read_presets
    from rexbench.cli.output import console, print_json, print_table

    known = programs()
    rows: list[dict[str, str]] = []
    for agent in agents().values():
        program = known[agent.program] if agent.program else None
        needs = {"python": f"Python {program.python}", "node": "npm"}[program.kind] if program else "a command of yours"
        state = ("yes" if program.installed else "no") if program else "-"
        version = program.version if program else "-"
        rows.append({"agent": agent.name, "version": version, "installed": state, "needs": needs, "speaks": ", ".join(agent.wires)})
    rows += [{"agent": name, "version": "-", "installed": "-", "needs": "nothing", "speaks": "no model"} for name in CONTROLS]
    presets = [spec.model_dump(include={"name", "agent", "model", "condition", "budget_usd"}) for spec in read_presets()]
    if as_json:
        print_json({"agents": rows, "presets": presets})
        return
    print_table("", list(rows[0]), [list(row.values()) for row in rows])
    console.print()
    columns = ["preset for --agents", "agent", "model", "condition"]
    print_table("", columns, [[str(row[key]) for key in ("name", "agent", "model", "condition")] for row in presets])
    console.print("\nInstall a program with: rexbench agents install NAME")


@agents_app.command()
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
    from rexbench.agent.install import choose_version, programs
    from rexbench.agent.install import install as install_program
    from rexbench.cli.output import console, print_json
    from rexbench.cli.progress import one_step
    from rexbench.errors import RexbenchError

    known = programs()
    chosen = list(known) if names == ["all"] else [name.partition("@")[0] for name in names]
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise RexbenchError(f"There is no agent program {unknown[0]!r}; there are: {', '.join(known)}.")
    for name, _, version in (text.partition("@") for text in names):
        if version:
            known[name] = choose_version(name, version)
    for name in chosen:
        with one_step(f"installing {name} {known[name].version}", quiet=as_json):
            install_program(known[name])
    if as_json:
        print_json([{"agent": name, "version": known[name].version, "digest": known[name].digest} for name in chosen])
    else:
        for name in chosen:
            console.print(f"{name} {known[name].version} is installed ({known[name].digest[:12]})")
