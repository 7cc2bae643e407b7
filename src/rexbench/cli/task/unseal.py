"""`rexbench task unseal`."""

from rexbench.cli.options import TaskArgument, open_bench


def unseal(task: TaskArgument) -> None:
    """Open the vault: decrypt vault.bin into vault/, which git ignores. For authors.

    \b
    rexbench task unseal ./my-task
    """
    from rexbench.cli.output import console
    from rexbench.errors import RexbenchError
    from rexbench.task.vault import unseal, write_folder

    found = open_bench().task(task)
    opened = found.folder / "vault"
    if opened.exists():
        raise RexbenchError(f"{found.id}: vault/ is open already; close it with: rexbench task seal {task}")
    files = unseal(found.folder / "vault.bin", found.vault_key)
    write_folder(files, opened)
    console.print(f"{found.id}: {len(files)} files opened in {opened}. They are solutions: do not publish them.")
