"""The commands of `rexbench agents`, put together."""

import typer

from rexbench.cli.agents.install import install
from rexbench.cli.agents.list import list_agents

agents_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="The agents: what there is, and installing their programs."
)
agents_app.command("list")(list_agents)
agents_app.command("install")(install)
