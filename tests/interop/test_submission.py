"""Patches in and out: packed, checked defect by defect, and judged again to the same verdicts."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.campaign.conduct import conduct
from rexbench.campaign.executors.local import Local
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.campaign.runs import CampaignRuns
from rexbench.errors import RexbenchError
from rexbench.interop.judged import campaign_of
from rexbench.interop.predictions import read_predictions
from rexbench.interop.submission import check_submission, pack, read_submission
from rexbench.task.folder import Task
from rexbench.workspace.patch import MAX_PATCH
from tests.cli.test_cli import run


@pytest.fixture
def finished(toy: Task, tmp_path: Path) -> Campaign:
    agents = (Agent("gold"), Agent("nop"))
    campaign = Campaign.create(tmp_path / "campaign", Plan(agents=agents, tasks=("toy",), seeds={"toy": (7,)}, runs=2))
    conduct(CampaignRuns(campaign), Local(1), Bench(), lambda event: None)
    return campaign


Rewritten = Callable[..., Path]


@pytest.fixture
def rewritten(finished: Campaign, tmp_path: Path) -> Rewritten:
    """A packed campaign with members changed, added or taken out."""
    pack(finished, tmp_path / "good.zip")

    def rewrite(changes: dict[str, bytes | None], manifest: dict[str, Any] | None = None) -> Path:
        target = tmp_path / "changed.zip"
        with zipfile.ZipFile(tmp_path / "good.zip") as good, zipfile.ZipFile(target, "w") as changed:
            for name in good.namelist():
                if name not in changes:
                    content = good.read(name)
                    if name == "manifest.json" and manifest is not None:
                        content = json.dumps(json.loads(content) | manifest).encode()
                    changed.writestr(name, content)
            for name, given in changes.items():
                if given is not None:
                    changed.writestr(name, given)
        return target

    return rewrite


def test_a_packed_campaign_has_no_defect_and_is_judged_the_same(finished: Campaign, tmp_path: Path, toy: Task) -> None:
    archive = tmp_path / "submission.zip"
    assert pack(finished, archive) == 4
    assert check_submission(archive, Bench().suite) == []
    again = campaign_of(read_submission(archive), [toy], {"toy": (8,)}, tmp_path / "again", Bench())
    conduct(CampaignRuns(again), Local(1), Bench(), lambda event: None)
    assert {(run.id, run.outcome) for run in again.runs()} == {(run.id, run.outcome) for run in finished.runs()}


def test_no_verdict_and_no_seed_is_in_an_archive(finished: Campaign, tmp_path: Path) -> None:
    pack(finished, tmp_path / "submission.zip")
    with zipfile.ZipFile(tmp_path / "submission.zip") as archive:
        assert not [name for name in archive.namelist() if "run.json" in name or "campaign" in name]
        assert b"seeds" not in archive.read("manifest.json")


PATCH = "runs/gold/toy/none/1/patch.diff"


@pytest.mark.parametrize(
    ("changes", "manifest", "complaint"),
    [
        ({"manifest.json": None}, None, "manifest.json is missing"),
        ({"manifest.json": b"{"}, None, "manifest.json is not JSON"),
        ({}, {"format": "other"}, "not of the format"),
        ({PATCH: b"changed"}, None, "its digest differs"),
        ({PATCH: None}, None, "in the manifest and not in the archive"),
        ({"extra.txt": b"x"}, None, "in the archive and not in the manifest"),
        ({"../evil": b"x"}, None, "leads out of the archive"),
        ({"/etc/passwd": b"x"}, None, "leads out of the archive"),
        ({"runs/gold/no-such/none/1/patch.diff": b""}, None, "There is no task 'no-such'"),
        ({PATCH: b"nonsense"}, None, "the patch cannot be read"),
        ({PATCH: b"x" * (MAX_PATCH + 1)}, None, "patches of at most"),
        ({"runs/gold/toy/none/3/patch.diff": b""}, None, "in the archive and not in the manifest"),
        ({"runs/gold/toy/some/1/patch.diff": b""}, None, "not where patches are"),
    ],
)
def test_every_defect_is_named(
    changes: dict[str, bytes | None], manifest: dict[str, Any] | None, complaint: str, rewritten: Rewritten
) -> None:
    archive = rewritten(changes, manifest)
    assert any(complaint in defect for defect in check_submission(archive, Bench().suite))
    with pytest.raises(RexbenchError):
        read_submission(archive)


def test_a_link_in_an_archive_is_a_defect(rewritten: Rewritten) -> None:
    archive = rewritten({})
    with zipfile.ZipFile(archive, "a") as changed:
        link = zipfile.ZipInfo("runs/gold/toy/none/1/link")
        link.external_attr = 0o120777 << 16
        changed.writestr(link, "/etc/passwd")
    assert any("is a link" in defect for defect in check_submission(archive, Bench().suite))


def test_a_name_that_is_in_it_twice_is_found_in_large_archives_too(rewritten: Rewritten) -> None:
    archive = rewritten({f"runs/log-{at}": b"" for at in range(6000)})
    with zipfile.ZipFile(archive, "a") as changed, pytest.warns(UserWarning, match="Duplicate name"):
        changed.writestr(PATCH, b"another")
    assert check_submission(archive, Bench().suite) == [f"{PATCH!r} is in it more than once"]


def test_a_packed_or_encrypted_member_of_another_kind_is_a_defect(rewritten: Rewritten) -> None:
    archive = rewritten({})
    with zipfile.ZipFile(archive, "a") as changed:
        changed.writestr("runs/gold/toy/none/1/log", b"x", zipfile.ZIP_LZMA)
    assert any("another way than deflate" in defect for defect in check_submission(archive, Bench().suite))


def test_a_patch_that_reaches_too_far_is_told_to_its_maker_and_judged_all_the_same(
    finished: Campaign, toy: Task, tmp_path: Path
) -> None:
    """A campaign with one refused patch could once not be handed in at all."""
    guarded = "--- a/data/x\n+++ b/data/x\n@@ -1 +1 @@\n-x\n+y\n"
    (finished.attempt_folder("nop/toy/none/1", 1) / "patch.diff").write_text(guarded)
    (finished.run_folder("nop/toy/none/2") / "run.json").unlink()
    pack(finished, tmp_path / "submission.zip")
    told = "\n".join(check_submission(tmp_path / "submission.zip", Bench().suite))
    assert "protected" in told
    assert len(read_submission(tmp_path / "submission.zip")) == 3


def test_another_version_of_a_task_is_told(finished: Campaign, toy: Task, tmp_path: Path) -> None:
    pack(finished, tmp_path / "submission.zip")
    (toy.repo / "notes.txt").write_text("changed since\n")
    assert check_submission(tmp_path / "submission.zip", Bench().suite) == [
        "toy: the patches were made on another version of the task"
    ]


def test_a_judged_campaign_can_be_resumed_by_the_command(finished: Campaign, toy: Task, tmp_path: Path) -> None:
    pack(finished, tmp_path / "submission.zip")
    judged = campaign_of(read_submission(tmp_path / "submission.zip"), [toy], {"toy": (7,)}, tmp_path / "judged", Bench())
    assert [path.name for path in tmp_path.glob(".judged*")] == [], "the folder is whole or not there"
    assert "4 of 4 runs have a verdict" in run("run", "--resume", str(judged.folder))


def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK nonsense")
    assert "no zip archive" in check_submission(tmp_path / "x.zip", Bench().suite)[0]


def test_predictions_are_read_in_both_spellings_and_counted(tmp_path: Path) -> None:
    rows = [
        {"instance_id": "toy", "model_name_or_path": "my/agent v2", "model_patch": "diff"},
        {"instance_id": "toy", "model_name_or_path": "my/agent v2", "model_patch": None},
        {"task": "toy", "agent": "other", "patch": "", "hints": "detailed", "run": 4},
    ]
    path = tmp_path / "predictions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    assert [one.id for one in read_predictions(path)] == [
        "my-agent-v2/toy/none/1",
        "my-agent-v2/toy/none/2",
        "other/toy/detailed/4",
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "line 1 is not a JSON object"),
        ('{"task": "toy", "patch": null}\n{"patch": "x"}', "line 2 needs `task`"),
        ('{"task": "toy", "diff": "x"}', "line 1 needs `task` .* and `patch`"),
        ('{"task": "toy", "patch": "\\ud800"}', "line 1 holds half of a character"),
        ('{"task": "../toy", "patch": ""}', "'../toy' is not the name of a task"),
        ('{"task": "toy", "patch": "", "run": true}', "counts repetitions from 1; True"),
        ('{"task": "toy", "patch": "", "patch": "x"}', "duplicate key"),
        ('{"task": "toy", "patch": "", "agent": "a b"}\n{"task": "toy", "patch": "", "agent": "a/b"}', "both be called 'a-b'"),
        ('{"task": "toy", "patch": "", "hints": "all"}', "no hint level 'all'"),
        ('{"task": "toy", "patch": "", "run": 0}', "counts repetitions from 1"),
        ("", "holds no prediction"),
    ],
)
def test_a_prediction_that_cannot_be_used_is_named(line: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(line)
    with pytest.raises(RexbenchError, match=complaint):
        read_predictions(tmp_path / "p.jsonl")


def test_a_campaign_is_packed_as_the_published_page_asks(finished: Campaign, toy: Task, tmp_path: Path) -> None:
    run("submit", "pack", str(finished.folder), "--format", "rexbench", "--out", str(tmp_path / "out"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"{agent}-none-run{number}.zip" for agent in ("gold", "nop") for number in (1, 2)
    ]
    with zipfile.ZipFile(tmp_path / "out" / "gold-none-run1.zip") as archive:
        assert archive.namelist() == ["toy/agent.patch", "toy/agent.log"]
        assert archive.read("toy/agent.patch") == toy.vault.gold
    assert "there is no format 'tar'" in run("submit", "pack", str(finished.folder), "--format", "tar", status=2)
