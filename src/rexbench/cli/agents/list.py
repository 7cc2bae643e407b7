"""`rexbench agents list`."""

from rexbench.cli.options import Json, open_bench


def list_agents(as_json: Json = False) -> None:
    """Say which agents there are: program and version, whether it is installed, protocols; and the presets with a model.

    \b
    rexbench agents list
    """
    from rexbench.agent.catalog import agents
    from rexbench.agent.controls import CONTROLS
    from rexbench.agent.install import Programs
    from rexbench.campaign.plan import read_presets
    from rexbench.cli.output import console, print_json, print_table

    bench = open_bench()
    known = Programs(bench.home, bench.settings.variables).known()
    rows: list[dict[str, str]] = []
    for agent in agents().values():
        program = known[agent.program] if agent.program else None
        needs = {"python": f"Python {program.python}", "node": "npm"}[program.kind] if program else "a command of yours"
        state = ("yes" if program.installed else "no") if program else "-"
        version = program.version if program else "-"
        rows.append({"agent": agent.name, "version": version, "installed": state, "needs": needs, "speaks": ", ".join(agent.wires)})
    rows += [{"agent": name, "version": "-", "installed": "-", "needs": "nothing", "speaks": "no model"} for name in CONTROLS]
    presets = [
        spec.model_dump(include={"name", "agent", "model", "condition"}) | {"budget_usd": spec.limits.usd}
        for spec in read_presets()
    ]
    if as_json:
        print_json({"agents": rows, "presets": presets})
        return
    print_table("", list(rows[0]), [list(row.values()) for row in rows])
    console.print()
    columns = ["preset for --agents", "agent", "model", "condition"]
    print_table("", columns, [[str(row[key]) for key in ("name", "agent", "model", "condition")] for row in presets])
    console.print("\nInstall a program with: rexbench agents install NAME")
