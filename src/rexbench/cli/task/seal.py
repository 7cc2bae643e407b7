"""`rexbench task seal`."""

from rexbench.cli.options import TaskArgument, open_bench


def seal(task: TaskArgument) -> None:
    """Close the vault: encrypt vault/ into vault.bin. REXBENCH_VAULT_KEY gives a key of your own.

    \b
    rexbench task seal ./my-task
    """
    from rexbench.cli.output import console
    from rexbench.errors import RexbenchError
    from rexbench.places import remove_tree
    from rexbench.task.vault import seal

    found = open_bench().task(task)
    opened = found.folder / "vault"
    if not opened.is_dir():
        raise RexbenchError(f"{found.id}: there is no open vault/ folder to seal; open one with: rexbench task unseal {task}")
    draft = found.folder / "vault.bin.new"
    draft.write_bytes(seal(found.vault.files, found.vault_key))
    draft.replace(found.folder / "vault.bin")
    remove_tree(opened)
    console.print(f"{found.id}: {len(found.vault.files)} files sealed into vault.bin, vault/ removed.")
