"""The commands of `rexbench submit`, put together."""

import typer

from rexbench.cli.submit.check import check
from rexbench.cli.submit.pack import pack
from rexbench.cli.submit.push import push

submit_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Submission archives: pack one, check one, hand one in.")
submit_app.command("pack")(pack)
submit_app.command("check")(check)
submit_app.command("push")(push)
