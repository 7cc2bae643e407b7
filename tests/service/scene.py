"""A service with something on every page: a season that is over and one that runs, and submissions of several kinds."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.interop.judges import Staying
from rexbench.service.database import Database
from rexbench.service.seasons import end_season, start_season
from rexbench.service.serve import serving
from rexbench.task.scaffold import new_task
from tests.service.conftest import Up, open_accounts
from tests.service.handed_in import patches, write_archive

MARK = "<img src=x onerror=\"document.title='owned'\">"
EVERY = {
    "leaderboard": ("/?season=winter", "rea"),
    "leaderboard-empty": ("/", "rea"),
    "sign-in": ("/sign-in", ""),
    "submissions": ("/submissions", "bob"),
    "submission-own": ("/submissions/1", "ann"),
    "submission-others": ("/submissions/1", "rea"),
    "keeper": ("/keeper", "kim"),
}
"""Every page, and who looks at it."""


@contextmanager
def lively_service(folder: Path, environments: Path) -> Iterator[Up]:
    """The service, in folders of its own below this one."""
    home, tasks = folder / "home", folder / "tasks"
    home.mkdir(mode=0o700)
    tasks.mkdir()
    (home / "environments").symlink_to(environments)
    new_task(tasks / "toy")
    new_task(tasks / "world", scored=True)
    bench = Bench(home=home, tasks=tasks)
    database = Database(bench.home)
    with database.change() as change:
        tokens = open_accounts(change)
        start_season(change, "test", "winter", bench.tasks(), moderated=False)
    told = {"model": f"provider/{MARK}", "cost_usd": 0.42, "agent": "aider", "agent_version": "0.86.2"}
    toy, world = (bench.task(name).vault.gold for name in ("toy", "world"))
    both = patches("claude-code-sonnet", "toy", [toy, b""], told) | patches("claude-code-sonnet", "world", [world], told)
    with serving(bench, database, Staying(2), 0) as address:
        up = Up(address, database, bench, tokens)
        up.hand_in("ann", write_archive(folder / "1.zip", both))
        up.hand_in("bob", write_archive(folder / "2.zip", patches("aider", "toy", [b"", toy], told)))
        up.hand_in("bob", write_archive(folder / "3.zip", patches("idler", "world", [b""])))
        with database.change() as change:
            end_season(change, "test")
            start_season(change, "test", "spring", bench.tasks(), moderated=True)
        up.hand_in("bob", write_archive(folder / "4.zip", patches("aider", "toy", [toy], told)))
        yield up
    database.close()
