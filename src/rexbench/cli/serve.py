"""`rexbench serve`: the submission service and leaderboard, and what its host does by the command line."""

from typing import TYPE_CHECKING, Annotated

import typer

from rexbench.cli.executors import DaskAddress, ExecutorName, MaxJobs, SlurmOptions, choose_executor
from rexbench.cli.options import CORES, Jobs, SandboxOption, Unsafe, open_bench

if TYPE_CHECKING:
    from rexbench.service.database import Database

serve_app = typer.Typer(rich_markup_mode=None)
season_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Seasons: start one, end one.")
serve_app.add_typer(season_app, name="season")


@serve_app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    database: Annotated[
        str,
        typer.Option(
            "--database", envvar="REXBENCH_DATABASE", show_envvar=True, metavar="URL",
            help="postgresql://USER@HOST/NAME; by default a file in the home.",
        ),
    ] = "",
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535, help="On loopback; 7392 by default.")] = None,
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="What it is known by behind a proxy, such as https://bench.example.org.")
    ] = "",
    public: Annotated[bool, typer.Option("--public", help="Let everybody see what is published, without a token.")] = False,
    sandbox: SandboxOption = "bubblewrap",
    unsafe: Unsafe = False,
    jobs: Jobs = CORES,
    executor: ExecutorName = "local",
    slurm: SlurmOptions = "",
    dask: DaskAddress = "",
    max_jobs: MaxJobs = None,
) -> None:  # fmt: skip
    """Take in submissions, judge them on a season's secret seeds, and show the leaderboard.

    \b
    rexbench serve
    rexbench serve token ann --role submitter
    rexbench serve season start spring --moderated
    rexbench serve --address https://bench.example.org --public --executor slurm --slurm partition=cpu

    The first start prints the keeper's token, once. Ctrl-C ends it; the next start goes on where it was.
    """
    context.obj = database
    if context.invoked_subcommand:
        return
    import threading
    from contextlib import suppress

    opened = _open(database)
    from rexbench.interop.judges import Staying
    from rexbench.service.serve import KEEPER, prepare, serving

    bench = open_bench(sandbox, unsafe)
    chosen = choose_executor(executor, jobs, slurm, max_jobs, dask)
    token = prepare(opened, bench)
    with serving(bench, opened, Staying(jobs) if executor == "local" else chosen, port, address, public) as at:
        print(f"service: {at}   (Ctrl-C ends it)", flush=True)
        if token:
            print(f"token of {KEEPER}, which is not shown again: {token}", flush=True)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


@serve_app.command("token")
def token(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the account; one that is there gets a new token.")],
    role: Annotated[str, typer.Option("--role", help="reader, submitter or keeper.")] = "submitter",
    uploads_a_day: Annotated[int, typer.Option("--uploads-a-day", min=1, help="Submissions in 24 hours.")] = 20,
    most_waiting: Annotated[int, typer.Option("--most-waiting", min=1, help="Submissions in the queue at a time.")] = 10,
) -> None:
    """Open an account and print its token, which is not shown again.

    \b
    rexbench serve token ann --role submitter
    rexbench serve token bob --role reader
    """
    opened = _open(context.obj)
    from rexbench.service.accounts import HOST, open_account

    with opened.change() as change:
        print(open_account(change, HOST, name, role, uploads_a_day, most_waiting))


@serve_app.command("close")
def close(context: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME", help="Of the account.")]) -> None:
    """Close an account: its token opens nothing any more, what it handed in stays.

    \b
    rexbench serve close ann
    """
    opened = _open(context.obj)
    from rexbench.service.accounts import HOST, close_account

    with opened.change() as change:
        close_account(change, HOST, name)
    print(f"{name} is closed")


@season_app.command("start")
def start(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the season.")],
    tasks: Annotated[str, typer.Option("--tasks", help="Tasks with commas between them, or all.")] = "all",
    moderated: Annotated[bool, typer.Option("--moderated", help="A keeper publishes what was judged.")] = False,
) -> None:
    """Start a season: secret seeds are drawn, and the commitment to them is printed.

    \b
    rexbench serve season start spring --moderated
    rexbench serve season start small --tasks othello,cogs
    """
    opened = _open(context.obj)
    from rexbench.service.accounts import HOST
    from rexbench.service.seasons import commitment, start_season

    bench = open_bench()
    names = bench.suite.ids() if tasks == "all" else tasks.split(",")
    with opened.change() as change:
        season = start_season(change, HOST, name, [bench.suite.load(one) for one in names], moderated)
    print(f"season {name}: {len(names)} tasks, commitment {commitment(season)}")


@season_app.command("end")
def end(context: typer.Context) -> None:
    """End the season that runs, and publish its seeds.

    \b
    rexbench serve season end
    """
    opened = _open(context.obj)
    from rexbench.service.accounts import HOST
    from rexbench.service.seasons import end_season

    with opened.change() as change:
        season = end_season(change, HOST)
    print(f"season {season.name} is over: seed {season.seed}, nonce {season.nonce}")


def _open(database: str) -> "Database":
    from rexbench.interop.extras import require

    for package in ("sqlalchemy", "alembic", "psycopg", "python_multipart"):
        require(package, "serve", "rexbench serve")
    from rexbench.service.database import Database

    return Database(open_bench().home, database)
