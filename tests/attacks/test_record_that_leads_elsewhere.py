"""A received run.json names `../..` as its execution, and a report shows the logs of whatever folder of the reader's it likes."""

import json
from pathlib import Path

import pytest

from rexbench.errors import RexbenchError
from rexbench.places import Home
from rexbench.record.store import Store
from rexbench.reports.reading import read_campaigns
from tests.attacks.received import RUN, received, rewrite
from tests.reports.test_commands import run


def _naming(folder: Path, key: str) -> None:
    path = folder / RUN / "run.json"
    evaluations = json.loads(path.read_text())["evaluations"]
    rewrite(path, evaluations=[evaluation | {"execution": key} for evaluation in evaluations])


@pytest.mark.parametrize("key", ["../..", "/etc", "..", "ab/../../..", "0" * 63 + "/", "é" * 64, "A" * 64])
def test_a_key_that_is_no_digest_never_becomes_a_path(home: Path, tmp_path: Path, key: str) -> None:
    folder = received(tmp_path / "received").folder
    _naming(folder, key)

    for entry in read_campaigns([folder]).runs:
        with pytest.raises(RexbenchError, match="is not the key of a record"):
            Store(Home(home)).execution_folder(entry.run.evaluations[0].execution)
            Store(Home(home)).execution_folder(key)


def test_a_report_follows_no_such_key_and_the_path_would_have_led_there(home: Path, tmp_path: Path) -> None:
    folder = received(tmp_path / "received").folder
    _naming(folder, "..")
    (home / "executions").mkdir()
    (tmp_path / "stdout.log").write_text("of the reader alone")
    run("report", folder)
    assert "of the reader alone" not in (folder / "report" / "report.html").read_text()
    assert (home / "executions" / ".." / ".." / "stdout.log").read_text() == "of the reader alone"


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "../../elsewhere"},
        {"id": "sender/toy/none/2", "repetition": 2},
        {"agent": "../.."},
        {"task": "/etc", "id": "sender//etc/none/1"},
        {"repetition": 7},
    ],
)
def test_a_record_in_the_place_of_another_is_refused(home: Path, tmp_path: Path, changes: dict[str, object]) -> None:
    folder = received(tmp_path / "received").folder
    rewrite(folder / RUN / "run.json", **changes)
    with pytest.raises(RexbenchError, match="is the record of another run"):
        read_campaigns([folder])


def test_folders_that_are_named_like_no_run_are_told(home: Path, tmp_path: Path) -> None:
    folder = received(tmp_path / "received").folder
    (folder / "runs" / "sender").rename(folder / "runs" / "a b\x1b[2J")
    with pytest.raises(RexbenchError, match="is not the name of a run") as told:
        read_campaigns([folder])
    assert "\x1b" not in str(told.value)
