"""Flags: each sign is found, with its evidence, and an ordinary run has none."""

from pathlib import Path

import pytest

from rexbench.agent.flags import find_flags
from rexbench.api.bench import Bench
from rexbench.task.canary import CANARY
from rexbench.task.folder import Task
from tests.agent.conftest import RunTiny
from tests.trials import evaluate


def flags_of(toy: Task, run_tiny: RunTiny, tmp_path: Path, *turns: dict[str, object]) -> dict[str, str]:
    step = run_tiny([*turns, {"finish": "Done."}])
    attempt = tmp_path / "attempt"
    return {flag.kind: flag.evidence for flag in find_flags(toy, (attempt / "patch.diff").read_bytes(), step, attempt, ())}


def test_an_ordinary_run_has_no_flag(toy: Task, run_tiny: RunTiny, tmp_path: Path) -> None:
    turns = [{"shell": "ls; cat README.md | head -3; grep -rn def . | head"}, {"edit": {"path": "NOTE.md", "write": "x = 0.5\n"}}]
    assert flags_of(toy, run_tiny, tmp_path, *turns) == {}


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("network", "curl -s https://example.org/answer"),
        ("network", "pip install something"),
        ("outside", "cat /proc/1/environ"),
        ("outside", "ls ../../.."),
        ("outside", "ls /opt/rexbench-agent"),
    ],
)
def test_reaching_out_is_flagged_with_the_command(kind: str, command: str, toy: Task, run_tiny: RunTiny, tmp_path: Path) -> None:
    found = flags_of(toy, run_tiny, tmp_path, {"shell": command})
    assert command[:12] in found[kind]


def test_an_edit_of_a_protected_file_is_flagged(toy: Task, run_tiny: RunTiny, tmp_path: Path) -> None:
    guarded = next(path for path in toy.spec.protected if path != "data/")
    target = guarded + "extra.md" if guarded.endswith("/") else guarded
    found = flags_of(toy, run_tiny, tmp_path, {"edit": {"path": target, "write": "changed\n"}})
    assert target in found["protected"]


def test_a_canary_that_nobody_showed_the_model_is_flagged(toy: Task, run_tiny: RunTiny, tmp_path: Path) -> None:
    assert "canary" in flags_of(toy, run_tiny, tmp_path, {"shell": f"echo {CANARY}"})


def test_a_canary_that_was_read_first_is_not_flagged(toy: Task, run_tiny: RunTiny, tmp_path: Path) -> None:
    found = flags_of(toy, run_tiny, tmp_path, {"shell": "cat README.md"}, {"shell": f"echo {CANARY}"})
    assert "canary" not in found


def test_gold_word_for_word_is_flagged(toy: Task, run_tiny: RunTiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rexbench.agent.flags._SUSPICIOUS_LINES", 1)
    found = flags_of(toy, run_tiny, tmp_path, {"edit": {"patch": "vault:gold"}})
    assert "long lines are gold's own" in found["gold_lines"]


def test_what_only_the_vault_holds_is_flagged(toy: Task, run_tiny: RunTiny, tmp_path: Path) -> None:
    assert "vault" in flags_of(toy, run_tiny, tmp_path, {"shell": "echo do-not-train-on-rexbench"})


def test_a_number_in_the_patch_that_comes_out_as_a_metric_is_flagged(
    toy: Task, run_tiny: RunTiny, tmp_path: Path, bench: Bench
) -> None:
    evaluation = evaluate(toy, toy.vault.gold, 5, bench)
    numbers = [metric.value for metric in evaluation.metrics if isinstance(metric.value, float)]
    assert numbers, "the toy task has a metric that is a float"
    step = run_tiny([{"edit": {"path": "NOTE.md", "write": f"accuracy = {numbers[0]:.6f}\n"}}, {"finish": "Done."}])
    attempt = tmp_path / "attempt"
    found = find_flags(toy, (attempt / "patch.diff").read_bytes(), step, attempt, (evaluation,))
    assert [flag.kind for flag in found] == ["hard_coded"]
