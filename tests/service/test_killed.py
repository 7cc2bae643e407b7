"""The service, killed with -9 at random moments while clients hand in: none is lost, none is judged twice, and it goes on."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import IO

import httpx
import pytest
from sqlalchemy import select

from rexbench.api.bench import Bench
from rexbench.reports.content import make_content
from rexbench.service.accounts import open_account
from rexbench.service.database import Database
from rexbench.service.judging import judged_folder
from rexbench.service.seasons import start_season
from rexbench.service.tables import Entry, Submission
from rexbench.task.folder import Task
from tests.e2e.processes import wait_until_gone
from tests.service.databases import DATABASES, fresh_database
from tests.service.handed_in import patches, write_archive
from tests.waiting import wait_until

KILLS, CLIENTS, EACH = 3, 3, 2


def start(home: Path, database: str, port: int, variables: dict[str, str] | None = None) -> tuple[subprocess.Popen[bytes], str]:
    """The real command; and the address that it prints."""
    command = [sys.executable, "-m", "rexbench.cli.main", "serve", "--jobs", "2", "--port", str(port)]
    own = {"REXBENCH_HOME": str(home), "REXBENCH_DATABASE": database}
    program = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | own | (variables or {}))
    assert program.stdout
    told = program.stdout.readline().decode()
    found = re.search(r"http://[\d.:]+", told)
    assert found, told
    threading.Thread(target=_drain, args=(program.stdout,), daemon=True).start()
    return program, found[0]


def _drain(pipe: IO[bytes]) -> None:
    while pipe.readline():
        pass


def client_of(address: str, token: str) -> httpx.Client:
    return httpx.Client(base_url=address, headers={"authorization": f"Bearer {token}"}, timeout=60, verify=False)


def push(client: httpx.Client, archive: Path, handed_in: dict[Path, int]) -> None:
    """As a client does that has seen a connection break before: again, until there is an answer."""
    while archive not in handed_in:
        try:
            answer = client.post("/api/submissions", content=archive.read_bytes())
        except httpx.HTTPError:
            time.sleep(0.3)
            continue
        if answer.status_code in (200, 201):
            handed_in[archive] = answer.json()["id"]
        else:
            assert answer.status_code in (429, 503), answer.text
            time.sleep(0.3)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", DATABASES)
def test_nothing_is_lost_and_nothing_is_judged_twice(kind: str, bench: Bench, toy: Task, home: Path, tmp_path: Path) -> None:
    near = list(toy.vault.near_misses.values())
    archives = [
        [
            write_archive(
                tmp_path / f"{client}-{at}.zip", patches(f"agent-{client}-{at}", "toy", [toy.vault.gold, near[at % len(near)]])
            )
            for at in range(EACH)
        ]
        for client in range(CLIENTS)
    ]
    handed_in: dict[Path, int] = {}
    chance = random.Random(7)
    with fresh_database(kind) as address:
        database = Database(bench.home, address)
        with database.change() as change:
            tokens = [open_account(change, "test", f"client-{at}", "submitter", 100, 100) for at in range(CLIENTS)]
            start_season(change, "test", "one", [toy], moderated=False)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        program, at = start(home, address, port)

        def work(client: int) -> None:
            with client_of(at, tokens[client]) as connected:
                for archive in archives[client]:
                    push(connected, archive, handed_in)

        clients = [threading.Thread(target=work, args=(client,), daemon=True) for client in range(CLIENTS)]
        for thread in clients:
            thread.start()
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.2, 3.0))
            program.kill()
            program.wait()
            assert wait_until_gone(home) == []
            program, _ = start(home, address, port)
        for thread in clients:
            thread.join(240)
            assert not thread.is_alive()
        with client_of(at, tokens[0]) as client:
            wait_until(lambda: len(client.get("/api/export.json").json()["submissions"]) == CLIENTS * EACH, 200)
            wait_until(
                lambda: sum(len(each["places"]) for each in client.get("/api/leaderboard").json()["standings"]) == CLIENTS * EACH
            )
            (standings,) = client.get("/api/leaderboard").json()["standings"]
        program.send_signal(signal.SIGKILL)
        program.wait()
        assert wait_until_gone(home) == []
        check(database, bench, handed_in, standings["places"])
        database.close()


def check(database: Database, bench: Bench, handed_in: dict[Path, int], places: list[dict[str, object]]) -> None:
    """Each was acknowledged as one submission, judged once, and counts on the leaderboard as in a report."""
    numbers = sorted(handed_in.values())
    assert len(set(numbers)) == len(handed_in) == CLIENTS * EACH
    with database.reading() as session:
        found = session.scalars(select(Submission).order_by(Submission.id)).all()
        log = [(entry.did, entry.about.partition(":")[0]) for entry in session.scalars(select(Entry))]
    assert [(one.id, one.state) for one in found] == [(number, "judged") for number in numbers]
    counted = Counter(about for did, about in log if did == "judged")
    assert counted == {f"submission {number}": 1 for number in numbers}
    reported = make_content([judged_folder(bench, one) for one in found]).table("headline")
    assert reported
    rows = {row["agent"]: (row["success"], row["low"], row["high"]) for row in reported.records()}
    assert {place["agent"]: (place["value"], place["low"], place["high"]) for place in places} == rows
