"""All commands, put together."""

from typing import Annotated

import typer

from rexbench.cli.agents.app import agents_app
from rexbench.cli.attempt import attempt
from rexbench.cli.cluster.app import cluster_app
from rexbench.cli.compare import compare
from rexbench.cli.curve import curve
from rexbench.cli.demo import demo
from rexbench.cli.doctor import doctor
from rexbench.cli.evaluate import evaluate
from rexbench.cli.export.app import export_app
from rexbench.cli.grouped import GroupedCommand
from rexbench.cli.imports.app import import_app
from rexbench.cli.power import power
from rexbench.cli.report import report
from rexbench.cli.run import run
from rexbench.cli.serve import serve_app
from rexbench.cli.show import show
from rexbench.cli.submit.app import submit_app
from rexbench.cli.task.app import task_app
from rexbench.cli.view import view

app = typer.Typer(
    name="rexbench",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Can a coding agent extend published AI research by itself? Run `rexbench doctor` first.",
)
for command in (evaluate, run, demo, show, view, report, compare, power, curve, attempt, doctor):
    app.command(cls=GroupedCommand)(command)
app.add_typer(task_app, name="task")
app.add_typer(agents_app, name="agents")
app.add_typer(cluster_app, name="cluster")
app.add_typer(submit_app, name="submit")
app.add_typer(serve_app, name="serve")
app.add_typer(export_app, name="export")
app.add_typer(import_app, name="import")


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        from rexbench import __version__

        print(f"rexbench {__version__}")
        raise typer.Exit
