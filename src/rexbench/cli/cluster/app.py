"""The commands of `rexbench cluster`, put together."""

import typer

from rexbench.cli.cluster.check import check

cluster_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Clusters: what works on their nodes.")
cluster_app.command("check")(check)


@cluster_app.callback()
def group() -> None:
    pass
