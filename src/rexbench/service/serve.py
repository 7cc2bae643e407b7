"""The service as a server: pages, JSON and the judge in one process, for as long as it is wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import uvicorn
from sqlalchemy import select

from rexbench.api.bench import Bench
from rexbench.campaign.executors.protocol import Executor
from rexbench.errors import RexbenchError
from rexbench.service.accounts import HOST, MOST_WAITING, UPLOADS_A_DAY, open_account
from rexbench.service.api import Api
from rexbench.service.app import Desk, make_app
from rexbench.service.archives import Bounds
from rexbench.service.database import Database
from rexbench.service.guard import Guard
from rexbench.service.judging import Judge
from rexbench.service.pages import Pages
from rexbench.service.seasons import find_season, start_season
from rexbench.service.tables import Account
from rexbench.viewer.serve import LOOPBACK, listen_on, running

PORT = 7392
KEEPER = "keeper"
FIRST_SEASON = "first"
_MOST_CONNECTIONS = 1000


def prepare(database: Database, bench: Bench) -> str:
    """What a service needs before its first day, a keeper and a season; returns the keeper's token, once, else nothing."""
    with database.change() as change:
        token = ""
        if change.scalar(select(Account.id).limit(1)) is None:
            token = open_account(change, HOST, KEEPER, "keeper", UPLOADS_A_DAY, MOST_WAITING)
        if find_season(change, "") is None:
            start_season(change, HOST, FIRST_SEASON, bench.tasks(), moderated=False)
    return token


@contextmanager
def serving(
    bench: Bench,
    database: Database,
    executor: Executor,
    port: int | None = None,
    address: str = "",
    public: bool = False,
    bounds: Bounds | None = None,
) -> Iterator[str]:
    """Serve on loopback until the context ends; gives the address. `address` is what a proxy before it is known by."""
    behind = urlsplit(address) if address else None
    if behind and (behind.scheme not in ("http", "https") or not behind.netloc or behind.path.strip("/")):
        raise RexbenchError(f"{address!r} is no address of a service, such as https://bench.example.org.")
    listening = listen_on((PORT if port is None else port,))
    number = listening.getsockname()[1]
    names = [f"http://{name}:{number}" for name in (LOOPBACK, "localhost", "[::1]")]
    desk = Desk(bench, database, bounds or Bounds(), public, secure=bool(behind and behind.scheme == "https"))
    app = Guard(make_app(desk, [*Pages(desk).routes(), *Api(desk).routes()]), [address, *names] if address else names)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=bool(address),  # without a proxy, a client could pose as another one
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=15,
        server_header=False,
    )
    judge = Judge(bench, database, executor)
    judge.start()
    try:
        with running(config, listening):
            yield address or f"http://{LOOPBACK}:{number}"
    finally:
        judge.end()
