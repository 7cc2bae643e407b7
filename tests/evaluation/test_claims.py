"""Claims: read from the patch, kept in the record, and seen by nothing else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.evaluation.claims import take_claim
from rexbench.record.model import Claim
from rexbench.task.folder import Task
from tests.trials import evaluate, execute

SEED = 21
PatchOf = Callable[..., bytes]


@pytest.mark.parametrize(
    ("told", "claim"),
    [
        ({"success": 0.8}, Claim(success=0.8)),
        ({"success": 1, "figure": [0.2, 0.4]}, Claim(success=1.0, figure=(0.2, 0.4))),
        ({"figure": [3, 3], "why": "I measured"}, Claim(figure=(3.0, 3.0))),
        ({}, Claim()),
    ],
)
def test_a_claim_is_read_and_taken_away(tmp_path: Path, told: object, claim: Claim) -> None:
    (tmp_path / "CLAIM.json").write_text(json.dumps(told))
    assert take_claim(tmp_path)[0] == claim and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "told",
    [
        "nonsense",
        "[0.8]",
        '{"success": 1.2}',
        '{"success": true}',
        '{"success": "0.8"}',
        '{"success": NaN}',
        '{"figure": [2, 1]}',
        '{"figure": [1]}',
        '{"figure": [0, 1e999]}',
        '{"success": 0.1, "success": 0.9}',
        "[" * 100_000,
        b"\xff\xfe",
        b"",
    ],
)
def test_a_claim_that_makes_no_sense_is_none_and_says_why(tmp_path: Path, told: str | bytes) -> None:
    (tmp_path / "CLAIM.json").write_bytes(told if isinstance(told, bytes) else told.encode())
    claim, _ = take_claim(tmp_path)
    assert claim and claim.defect and claim.success is None and claim.figure is None and claim.defect.isprintable()
    assert not list(tmp_path.iterdir())


def test_a_claim_that_is_a_link_or_a_folder_is_none_and_leads_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"success": 0.5}')
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "CLAIM.json").symlink_to(secret)
    claim, _ = take_claim(tree)
    assert claim and claim.defect and secret.exists() and not list(tree.iterdir())
    (tree / "CLAIM.json").mkdir()
    (tree / "CLAIM.json" / "module.py").write_text("x\n")
    claim, lines = take_claim(tree)
    assert claim and claim.defect and lines == 1 and not list(tree.iterdir())


def test_no_claim_is_none(tmp_path: Path) -> None:
    assert take_claim(tmp_path) == (None, 0)


def test_the_experiment_never_sees_the_claim_and_the_record_has_it(toy: Task, bench: Bench, patch_of: PatchOf) -> None:
    look = "test ! -e CLAIM.json || exit 5\nexit 6\n"
    made = execute(toy, patch_of({"run.sh": look, "CLAIM.json": '{"success": 0.25}\n'}), SEED, bench)
    assert made.status == 6 and made.claim == Claim(success=0.25)
    assert made.files == ("run.sh",)


@pytest.mark.parametrize("claim", ['{"success": 0.9}', "nonsense\n", '{\n "success": 1\n}\n'])
def test_a_claim_changes_neither_verdict_nor_recall_nor_precision_nor_lines(
    toy: Task, bench: Bench, patch_of: PatchOf, claim: str
) -> None:
    plain = evaluate(toy, toy.vault.gold, SEED, bench)
    claimed = evaluate(toy, toy.vault.gold + patch_of({"CLAIM.json": claim}), SEED, bench)
    assert claimed.claim and not plain.claim
    for key in ("outcome", "file_recall", "file_precision", "lines_changed", "metrics"):
        assert getattr(claimed, key) == getattr(plain, key), key


@pytest.mark.parametrize("name", ["CLAIM.json", "CLAIM.json/in-a-folder.json"])
def test_a_patch_with_a_claim_alone_is_an_empty_patch(toy: Task, bench: Bench, patch_of: PatchOf, name: str) -> None:
    made = evaluate(toy, patch_of({name: '{"success": 1}\n'}), SEED, bench)
    assert (made.outcome, made.lines_changed, made.file_precision) == ("empty_patch", 0, 0.0)
    assert made.claim is not None


def test_a_claim_elsewhere_is_an_ordinary_file(toy: Task, bench: Bench, patch_of: PatchOf) -> None:
    made = execute(toy, patch_of({"notes/CLAIM.json": '{"success": 1}\n'}), SEED, bench)
    assert made.claim is None and made.files == ("notes/CLAIM.json",)
