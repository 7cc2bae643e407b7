"""The lines of a campaign: what each says, what is seen of a campaign that goes on, and what is not taken."""

import json
from pathlib import Path

import pytest

from rexbench.campaign.folder import Campaign
from rexbench.record.clock import now
from rexbench.record.model import StepFault
from rexbench.viewer import listing as room
from rexbench.viewer.listing import Listing
from tests.reports.made_up import plan_for, write_campaign


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LOOK_SECONDS", 0.0)


def looked(campaign: Campaign) -> Listing:
    found = Listing("camp", campaign.folder)
    found.look()
    return found


def test_every_line_says_what_the_record_says(campaign: Campaign) -> None:
    found = looked(campaign)
    runs = campaign.runs()
    assert len(found.lines) == len(runs) == 48
    for run in runs:
        line = found.lines[run.id]
        assert (line.outcome, line.score, line.usd, line.turns) == (run.outcome, run.score, run.step.cost_usd, run.step.turns)
        assert line.flags == tuple(sorted({flag.kind for flag in run.flags}))
    assert found.standing()["done"] == 48 and not found.standing()["live"]


def test_a_verdict_that_comes_later_is_the_only_change(campaign: Campaign) -> None:
    path = campaign.run_folder("aider/cogs/none/1") / "run.json"
    kept = path.read_bytes()
    path.unlink()
    found = looked(campaign)
    assert found.lines["aider/cogs/none/1"].outcome == "not judged" and found.standing()["done"] == 47
    before = found.look()
    assert found.since(before) == []
    path.write_bytes(kept)
    found.look()
    assert [row[0] for row in found.since(before)] == ["aider/cogs/none/1"] and found.standing()["done"] == 48


def test_a_fault_of_ours_is_told_apart_from_waiting(campaign: Campaign) -> None:
    for repetition in (1, 2):
        folder = campaign.run_folder(f"aider/cogs/hints/{repetition}")
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    told = StepFault(kind="agent", attempt=1, fault="the disk is full", where="node-1", written_at=now())
    campaign.keep_fault("aider/cogs/hints/1", told)
    found = looked(campaign)
    assert found.lines["aider/cogs/hints/1"].outcome == "fault" and found.lines["aider/cogs/hints/2"].outcome == "waiting"
    assert found.standing()["faults"] == [["aider/cogs/hints/1", "agent", 1, "the disk is full", "node-1"]]


def test_what_the_whole_will_cost_is_each_agents_mean_times_its_runs(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", plan_for(agents=("a", "b", "nop"), tasks=("cogs",), hints=("none",), runs=4))
    costs = {"a": (1.0, 3.0), "b": (10.0, 20.0)}
    for agent, spent in costs.items():
        for repetition in (1, 2, 3, 4):
            path = campaign.run_folder(f"{agent}/cogs/none/{repetition}") / "run.json"
            record = json.loads(path.read_text())
            record["step"]["cost_usd"] = spent[repetition - 1] if repetition < 3 else None
            path.write_text(json.dumps(record))
    standing = looked(campaign).standing()
    assert standing["expected"] == 4 * 2.0 + 4 * 15.0 and standing["unpriced"] == 4


def test_nothing_is_expected_of_an_agent_that_has_not_begun(campaign: Campaign) -> None:
    for run in campaign.runs():
        if run.agent == "aider":
            (campaign.run_folder(run.id) / "run.json").unlink()
    assert looked(campaign).standing()["expected"] is None


@pytest.mark.parametrize("content", ["{", "[]", '{"id": "x"}', "\x00\xff", '{"id":"gold/cogs/none/1","attempt":1e999}'])
def test_a_damaged_record_is_a_line_that_says_so(campaign: Campaign, content: str) -> None:
    (campaign.run_folder("nop/cogs/none/1") / "run.json").write_text(content)
    found = looked(campaign)
    assert found.lines["nop/cogs/none/1"].outcome == "damaged" and found.standing()["done"] == 47


def test_a_record_of_another_run_is_not_taken(campaign: Campaign) -> None:
    other = (campaign.run_folder("gold/cogs/none/1") / "run.json").read_bytes()
    (campaign.run_folder("nop/cogs/none/1") / "run.json").write_bytes(other)
    assert looked(campaign).lines["nop/cogs/none/1"].outcome == "damaged"


def test_no_link_is_followed_to_a_run(campaign: Campaign, tmp_path: Path) -> None:
    own = campaign.run_folder("nop/cogs/none/1")
    own.rename(tmp_path / "elsewhere")
    own.symlink_to(tmp_path / "elsewhere")
    (campaign.run_folder("nop/cogs/none/2") / "run.json").unlink()
    (campaign.run_folder("nop/cogs/none/2") / "run.json").symlink_to(tmp_path / "elsewhere" / "run.json")
    found = looked(campaign)
    assert found.lines["nop/cogs/none/1"].outcome == "waiting" and found.lines["nop/cogs/none/2"].outcome == "damaged"
