"""The host's command line and the submitter's: what they print, and what they refuse in one sentence."""

from pathlib import Path

import pytest

from tests.cli.test_cli import run
from tests.service.conftest import Archive, Up


def test_accounts_and_seasons_are_kept_by_the_command_line(service: Up) -> None:
    first = run("serve", "token", "eve", "--role", "reader")
    assert first.startswith("rex_")
    service.tokens["eve"] = first.strip()
    with service.program("eve") as client:
        assert client.get("/api/seasons").status_code == 200
        service.tokens["eve"] = run("serve", "token", "eve", "--role", "reader").strip()
        assert client.get("/api/seasons").status_code == 401, "an old token opens nothing once there is a new one"
    assert "eve is closed" in run("serve", "close", "eve")
    with service.program("eve") as client:
        assert client.get("/api/seasons").status_code == 401
    assert "is running; end it first" in run("serve", "season", "start", "two", status=2)
    ended = run("serve", "season", "end")
    with service.program("rea") as client:
        assert f"seed {client.get('/api/seasons').json()[0]['seed']}" in ended
    assert "1 tasks, commitment" in run("serve", "season", "start", "two", "--tasks", "toy")


def test_an_archive_is_pushed(service: Up, archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(service.tokens["ann"] + "\n")
    done = run("submit", "push", service.address, str(archive()), "--token-file", str(tmp_path / "token"), "--wait")
    assert "submission 1: judged" in done and "solver/toy/none/1: success" in done


@pytest.mark.parametrize(
    ("told", "change"),
    [
        ("There is no file", {"archive": "nowhere.zip"}),
        ("The service refuses (401)", {"token": "rex_forged"}),
        ("does not answer as a service does", {"address": "http://127.0.0.1:9"}),
        ("does not answer as a service does", {"address": "no address"}),
        ("A token is needed", {"token": ""}),
    ],
)
def test_a_push_that_cannot_be_is_one_sentence(
    told: str, change: dict[str, str], service: Up, archive: Archive, tmp_path: Path
) -> None:
    given = {"archive": str(archive()), "token": service.tokens["ann"], "address": service.address} | change
    (tmp_path / "token").write_text(given["token"])
    refused = run("submit", "push", given["address"], given["archive"], "--token-file", str(tmp_path / "token"), status=2)
    assert told in refused and len(refused.splitlines()) == 1


@pytest.mark.parametrize(
    ("address", "status"), [("mysql://x/y", 2), ("no address", 2), ("postgresql://nobody@127.0.0.1:9/none", 3)]
)
def test_a_database_that_cannot_be_is_one_sentence(address: str, status: int, home: Path, tasks: Path) -> None:
    assert len(run("serve", "--database", address, "token", "ann", status=status).splitlines()) == 1
