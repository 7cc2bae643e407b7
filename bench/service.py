"""The service under load and kill -9: a thousand submissions by fifty clients at once, twenty kills, on SQLite and on PostgreSQL.

    .venv/bin/python bench/service.py [--submissions 1000] [--clients 50] [--kills 20] [--database sqlite,postgresql]

At the end every submission that was acknowledged is there once, judged once, and the leaderboard has the numbers of a report on the
same folders. Prints one JSON value; fails otherwise.
"""

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from sqlalchemy import func, select  # noqa: E402

from rexbench.api.bench import Bench  # noqa: E402
from rexbench.reports.reading import read_campaigns  # noqa: E402
from rexbench.reports.results import results_of  # noqa: E402
from rexbench.reports.tables import headline_table  # noqa: E402
from rexbench.service.accounts import open_account  # noqa: E402
from rexbench.service.database import Database  # noqa: E402
from rexbench.service.judging import judged_folder  # noqa: E402
from rexbench.service.seasons import start_season  # noqa: E402
from rexbench.service.tables import Entry, Submission  # noqa: E402
from rexbench.task.scaffold import new_task  # noqa: E402
from tests.service.databases import fresh_database  # noqa: E402
from tests.service.handed_in import patches, write_archive  # noqa: E402
from tests.service.test_killed import client_of, push, start  # noqa: E402

PORT = 7399


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--submissions", type=int, default=1000)
    asked.add_argument("--clients", type=int, default=50)
    asked.add_argument("--kills", type=int, default=20)
    asked.add_argument("--database", default="sqlite,postgresql")
    given = asked.parse_args()
    print(json.dumps({kind: measure(kind, given) for kind in given.database.split(",")}, indent=1))


def measure(kind: str, given: argparse.Namespace) -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="rexbench-service-") as folder, fresh_database(kind) as address:
        bench = small_bench(Path(folder))
        toy = bench.task("toy")
        contents = [toy.vault.gold, b"", *toy.vault.near_misses.values()]
        database = Database(bench.home, address)
        with database.change() as change:
            most = given.submissions
            tokens = [open_account(change, "bench", f"client-{at}", "submitter", most, most) for at in range(given.clients)]
            start_season(change, "bench", "load", [toy], moderated=False)
        waiting = [[] for _ in tokens]
        for at in range(given.submissions):
            pair = [contents[at % len(contents)], contents[(at // len(contents)) % len(contents)]]
            archive = write_archive(Path(folder, f"{at}.zip"), patches(f"agent-{at}", "toy", pair))
            waiting[at % given.clients].append(archive)
        told = load(bench, database, address, tokens, waiting, given.kills)
        database.close()
        return told


def small_bench(folder: Path) -> Bench:
    """A home of its own with the environments of the user's, and one small real task."""
    home, tasks = folder / "home", folder / "tasks"
    home.mkdir(mode=0o700)
    tasks.mkdir()
    (home / "environments").symlink_to(Bench().environments.ensure("base").folder.parent)
    new_task(tasks / "toy")
    return Bench(home=home, tasks=tasks)


def load(
    bench: Bench, database: Database, address: str, tokens: list[str], waiting: list[list[Path]], kills: int
) -> dict[str, object]:
    """Everything is handed in while the service is killed again and again; then it is left alone until all is judged."""
    chance, handed_in = random.Random(11), {}
    total = sum(map(len, waiting))
    variables = {"REXBENCH_TASKS": str(bench.settings.tasks)}
    began = time.monotonic()
    program, at = start(bench.home.folder, address, PORT, variables)

    def work(client: int) -> None:
        with client_of(at, tokens[client]) as connected:
            for archive in waiting[client]:
                push(connected, archive, handed_in)

    clients = [threading.Thread(target=work, args=(client,), daemon=True) for client in range(len(tokens))]
    for thread in clients:
        thread.start()
    busy = 0
    for _ in range(kills):
        time.sleep(chance.uniform(1.0, 12.0))
        busy += counted(database, "judging") > 0
        program.kill()
        program.wait()
        program, _ = start(bench.home.folder, address, PORT, variables)
    for thread in clients:
        thread.join()
    taken_in = time.monotonic() - began
    while counted(database, "judged") < total:
        assert counted(database, "fault") == 0
        time.sleep(1)
    judged = time.monotonic() - began
    with client_of(at, tokens[0]) as client:
        looked = time.monotonic()
        time.sleep(4)  # a leaderboard may be some seconds old
        (standings,) = client.get("/api/leaderboard", timeout=300).json()["standings"]
    program.kill()
    program.wait()
    check(bench, database, handed_in, standings["places"], total)
    return {
        "submissions": total,
        "clients": len(tokens),
        "kills": kills,
        "kills while something was judged": busy,
        "taken in, s": round(taken_in, 1),
        "all judged, s": round(judged, 1),
        "leaderboard made, s": round(time.monotonic() - looked - 4, 2),
    }


def counted(database: Database, state: str) -> int:
    with database.reading() as session:
        return session.scalars(select(func.count()).select_from(Submission).where(Submission.state == state)).one()


def check(bench: Bench, database: Database, handed_in: dict[Path, int], places: list[dict[str, object]], total: int) -> None:
    numbers = sorted(handed_in.values())
    assert len(set(numbers)) == len(numbers) == total, "an acknowledged submission is missing, or two are one"
    with database.reading() as session:
        there = session.scalars(select(Submission).order_by(Submission.id)).all()
        log = Counter(entry.about.partition(":")[0] for entry in session.scalars(select(Entry).where(Entry.did == "judged")))
    assert [one.id for one in there] == numbers, "the database holds other submissions than were acknowledged"
    assert log == {f"submission {number}": 1 for number in numbers}, "something was judged twice, or not at all"
    reported = headline_table(results_of(read_campaigns([judged_folder(bench, one) for one in there])))
    rows = {row["agent"]: (row["runs"], row["success"], row["low"], row["high"]) for row in reported.records()}
    ours = {place["agent"]: (place["runs"], place["value"], place["low"], place["high"]) for place in places}
    assert ours == rows, "the leaderboard is not what a report says"


if __name__ == "__main__":
    main()
