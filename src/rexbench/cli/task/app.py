"""The commands of `rexbench task`, put together."""

import typer

from rexbench.cli.task.calibrate import calibrate
from rexbench.cli.task.check import check
from rexbench.cli.task.data import data
from rexbench.cli.task.diff import diff
from rexbench.cli.task.lint import lint
from rexbench.cli.task.list import list_tasks
from rexbench.cli.task.new import new
from rexbench.cli.task.seal import seal
from rexbench.cli.task.show import show
from rexbench.cli.task.unseal import unseal
from rexbench.cli.task.workspace import workspace

task_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The suite: list, show, check, calibrate, seal.")
task_app.command("list")(list_tasks)
task_app.command("show")(show)
task_app.command("new")(new)
task_app.command("data")(data)
task_app.command("lint")(lint)
task_app.command("workspace")(workspace)
task_app.command("diff")(diff)
task_app.command("check")(check)
task_app.command("calibrate")(calibrate)
task_app.command("seal")(seal)
task_app.command("unseal")(unseal)
