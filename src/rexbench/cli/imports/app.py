"""The commands of `rexbench import`, put together."""

import typer

from rexbench.cli.imports.harbor import harbor

import_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Runs of other programs, judged as a campaign.")


@import_app.callback()
def group() -> None:
    """Keeps the name of a command that is the only one."""


import_app.command("harbor")(harbor)
