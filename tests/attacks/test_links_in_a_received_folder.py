"""A received campaign holds links where the program writes: its lock, its scratch folder, its runs, its report."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError
from tests.attacks.received import RUN, received
from tests.attacks.scene import canary
from tests.reports.test_commands import run


def _over(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


LINKS: dict[str, Callable[[Path, Path], object]] = {
    "the lock": lambda folder, outside: _over(folder / ".lock", outside / "canary.txt"),
    "the scratch folder": lambda folder, outside: _over(folder / ".scratch", outside),
    "a folder in scratch": lambda folder, outside: _over(folder / ".scratch" / f"{os.uname().nodename}-1_1-ab", outside),
    "the report's folder": lambda folder, outside: _over(folder / "report", outside),
    "the report": lambda folder, outside: _over(folder / "report" / "report.html", outside / "canary.txt"),
    "a table": lambda folder, outside: _over(folder / "report" / "tables" / "headline.csv", outside / "canary.txt"),
    "an agent's runs": lambda folder, outside: _over(folder / "runs" / "other", outside),
    "a run": lambda folder, outside: _over(folder / RUN.replace("/1", "/3"), outside),
    "an attempt": lambda folder, outside: _over(folder / RUN / "attempt-2", outside),
    "the plan": lambda folder, outside: (
        (folder / "campaign.json").rename(outside / "x"),
        _over(folder / "campaign.json", outside / "x"),
    ),
}


@pytest.mark.parametrize("where", sorted(LINKS))
def test_nothing_is_written_through_a_link(home: Path, tmp_path: Path, where: str) -> None:
    campaign = received(tmp_path / "received")
    outside = tmp_path / "outside"
    outside.mkdir()
    file = canary(outside)
    LINKS[where](campaign.folder, outside)
    before = sorted(os.listdir(outside))

    with pytest.raises(RexbenchError, match="is a link"):
        Campaign.open(campaign.folder)
    with pytest.raises(RexbenchError, match="is a link"), campaign.held():
        pass
    campaign.sweep()

    assert file.read_text() == "untouched" and sorted(os.listdir(outside)) == before


def test_a_report_is_not_written_over_what_a_link_leads_to(home: Path, tmp_path: Path) -> None:
    campaign = received(tmp_path / "received")
    file = canary(tmp_path)
    LINKS["the report"](campaign.folder, tmp_path)
    assert "is a link" in run("report", campaign.folder, status=2)
    assert file.read_text() == "untouched"

    (campaign.folder / "report" / "report.html").write_text("written")
    assert file.read_text() == "written", "whoever writes there without a look writes over it"
