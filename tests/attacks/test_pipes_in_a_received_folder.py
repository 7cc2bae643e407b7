"""A pipe, a device or an endless file stands where a record is expected, and whoever opens it waits for ever or reads for ever."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import read_campaign_file
from rexbench.errors import RexbenchError
from rexbench.gateway.exchange import read_exchanges
from rexbench.interop.predictions import read_predictions
from rexbench.interop.submission import check_submission, read_submission
from tests.attacks.received import RUN, read_everything, received

RECORDS = [
    f"{RUN}/run.json",
    f"{RUN}/attempt-1/agent.json",
    f"{RUN}/attempt-1/patch.diff",
    f"{RUN}/attempt-1/trajectory.json",
    "campaign.json",
]
PUT: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "endless file": lambda path: os.truncate(path, 10**13) if path.touch() is None else None,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", sorted(PUT))
@pytest.mark.parametrize("record", RECORDS)
def test_no_reader_of_a_campaign_waits(home: Path, tmp_path: Path, record: str, what: str) -> None:
    campaign = received(tmp_path / "received")
    (campaign.folder / record).unlink(missing_ok=True)
    PUT[what](campaign.folder / record)
    try:
        read_everything(campaign.folder)
    except RexbenchError as error:
        assert str(error).count("\n") == 0
    try:
        with campaign.held():
            campaign.check_reach(Bench().home.secret())
            campaign.agent_step("sender/toy/none/1", 1)
            campaign.patch("sender/toy/none/1", 1)
    except RexbenchError as error:
        assert str(error).count("\n") == 0


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", sorted(PUT))
def test_no_reader_of_a_file_that_is_named_waits(home: Path, tmp_path: Path, what: str) -> None:
    for name in ("x.zip", "x.jsonl", "x.toml", "toy/task.toml", "exchanges.jsonl.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        PUT[what](tmp_path / name)
    readers: list[Callable[[], object]] = [
        lambda: check_submission(tmp_path / "x.zip", Bench().suite),
        lambda: read_submission(tmp_path / "x.zip"),
        lambda: read_predictions(tmp_path / "x.jsonl"),
        lambda: read_campaign_file(tmp_path / "x.toml"),
        lambda: Bench().task(str(tmp_path / "toy")),
        lambda: list(read_exchanges(tmp_path / "exchanges.jsonl.gz")),
        lambda: Campaign.open(tmp_path).plan,
    ]
    for read in readers:
        with pytest.raises(RexbenchError) as told:
            if read() == ["it is no zip archive, or a damaged one: File is not a zip file"]:
                raise RexbenchError("told as a defect")
        assert str(told.value).count("\n") == 0


def test_without_a_defence_a_reader_waits(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.json")
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", "open('run.json').read()"], cwd=tmp_path, timeout=2, check=False)
