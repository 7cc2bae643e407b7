"""A service on a real socket, with a small real task and an account of each kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from rexbench.api.bench import Bench
from rexbench.interop.judges import Staying
from rexbench.service.accounts import open_account
from rexbench.service.archives import Bounds
from rexbench.service.database import Change, Database
from rexbench.service.judging import judged_folder
from rexbench.service.seasons import start_season
from rexbench.service.serve import serving
from rexbench.service.tables import Submission
from rexbench.task.folder import Task
from tests.service.handed_in import patches, write_archive
from tests.waiting import wait_until

BOUNDS = Bounds(upload_bytes=200_000, upload_seconds=1.0, unpacked_bytes=1_000_000, patches=5, asks_a_minute=10_000)
ACCOUNTS = {"ann": "submitter", "bob": "submitter", "rea": "reader", "kim": "keeper"}


@dataclass
class Up:
    """A service that is up, and what gets one in."""

    address: str
    database: Database
    bench: Bench
    tokens: dict[str, str] = field(default_factory=dict)

    def program(self, name: str = "") -> httpx.Client:
        """A program of somebody's; of nobody's without a name."""
        headers = {"authorization": f"Bearer {self.tokens[name]}"} if name else {}
        return httpx.Client(base_url=self.address, headers=headers, timeout=60, verify=False)

    def browser(self, name: str = "") -> httpx.Client:
        """A browser that somebody has signed in with."""
        with httpx.Client(base_url=self.address, timeout=60, verify=False) as client:
            if name:
                assert sign_in(client, self.tokens[name]).status_code == 303
        return httpx.Client(base_url=self.address, timeout=60, cookies=client.cookies, verify=False)

    def places(self, count: int) -> list[dict[str, Any]]:
        """The lines of the leaderboards, once there are so many."""
        with self.program("rea") as client:

            def found() -> list[dict[str, Any]]:
                return [place for each in client.get("/api/leaderboard").json()["standings"] for place in each["places"]]

            wait_until(lambda: len(found()) == count)
            return found()

    def folder(self, number: int) -> Path:
        """Of the campaign that a submission was judged as."""
        with self.database.reading() as session:
            return judged_folder(self.bench, session.get_one(Submission, number))

    def hand_in(self, name: str, archive: Path) -> int:
        """Hand an archive in and wait for the verdicts; the submission's number."""
        with self.program(name) as client:
            answer = client.post("/api/submissions", content=archive.read_bytes())
            assert answer.status_code == 201, answer.text
            number = int(answer.json()["id"])
            wait_until(lambda: client.get(f"/api/submissions/{number}").json()["state"] == "judged")
        return number


def sign_in(client: httpx.Client, token: str) -> httpx.Response:
    """As a browser does: by the form of the page."""
    return client.post("/sign-in", data={"csrf_token": form_token(client.get("/sign-in").text), "account_token": token})


def form_token(page: str) -> str:
    """The secret of a page's forms."""
    return page.split('name="csrf_token" value="')[1].split('"')[0]


def open_accounts(change: Change) -> dict[str, str]:
    return {name: open_account(change, "test", name, role, 50, 40) for name, role in ACCOUNTS.items()}


@pytest.fixture
def service(bench: Bench, toy: Task) -> Iterator[Up]:
    database = Database(bench.home)
    with database.change() as change:
        tokens = open_accounts(change)
        start_season(change, "test", "one", [toy], moderated=False)
    with serving(bench, database, Staying(1), 0, bounds=BOUNDS) as address:
        yield Up(address, database, bench, tokens)
    database.close()


Archive = Callable[..., Path]


@pytest.fixture
def archive(toy: Task, tmp_path: Path) -> Archive:
    """Makes an archive with an agent's patches for the toy task; gold's by default."""

    def make(name: str = "solver", contents: list[bytes] | None = None, **told: object) -> Path:
        files = patches(name, "toy", [toy.vault.gold] if contents is None else contents, told or {"model": "m/one"})
        return write_archive(tmp_path / f"{name}.zip", files)

    return make
