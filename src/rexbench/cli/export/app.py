"""The commands of `rexbench export`, put together."""

import typer

from rexbench.cli.export.harbor import harbor
from rexbench.cli.export.inspect import inspect

export_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Tasks and campaigns in the forms of other programs.")
export_app.command("inspect")(inspect)
export_app.command("harbor")(harbor)
