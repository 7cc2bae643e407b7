"""`rexbench task list`."""

from rexbench.cli.options import Json, open_workbench


def list_tasks(as_json: Json = False) -> None:
    """The suite: each task's paper, gold's time and size, and on how many variants it was verified.

    \b
    rexbench task list
    rexbench task list --json
    """
    from rexbench.cli.output import console, print_json, print_table
    from rexbench.cli.task.facts import facts

    bench = open_workbench()
    told = [facts(task, bench.home) for task in bench.suite.load_all()]
    if as_json:
        print_json(told)
        return
    keys = ("id", "paper", "gold_seconds", "gold_lines", "gold_files", "verified_variants")
    for kind in ("replication", "scored"):
        rows = [[str(fact[key] or "-") for key in keys] for fact in told if fact["kind"] == kind]
        if rows:
            title = f"{len(rows)} {kind} task{'s' if len(rows) > 1 else ''}"
            columns = ["task", "paper", "gold s", "lines", "files", "verified"]
            print_table(title, columns, rows, right=columns[2:])
            console.print()
    console.print("gold s: CPU seconds; lines and files: those that gold changes; verified:")
    console.print("held-out variants on which all patches of the vault came out as they must")
