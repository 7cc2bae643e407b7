"""Lint finds what would make a task unfit, without running it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.canary import CANARY
from rexbench.task.folder import Task


def errors(task: Task) -> list[str]:
    return [f"{finding.where}: {finding.what}" for finding in Bench().lint(task.folder) if finding.level == "error"]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_scaffold_has_no_errors(toy: Task) -> None:
    assert errors(toy) == []


DEFECTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "artefact not named": (lambda at: edit(at / "instructions.md", "results/medians.csv", "a table"), "does not name the artefact"),
    "command not given": (lambda at: edit(at / "instructions.md", "bash run.sh", "the script"), "does not give the command"),
    "another limit given": (
        lambda at: edit(at / "instructions.md", "30 seconds", "130 seconds"),
        "does not say that the limit is 30 seconds",
    ),
    "hints missing": (lambda at: (at / "hints.md").unlink(), "hints.md: is missing"),
    "canary missing": (lambda at: edit(at / "repo" / "run.sh", CANARY, ""), "carries no canary"),
    "canary of data missing": (lambda at: (at / "repo" / "data" / "CANARY.txt").unlink(), "carries no canary"),
    "gold given away": (
        lambda at: (at / "hints.md").open("a").write("\n    half = len(ordered) // 2\n"),
        "give away a line of gold",
    ),
    "data edited": (lambda at: (at / "repo" / "data" / "readings.csv").open("a").write("a,1\n"), "not what variant.py makes"),
    "no gold": (lambda at: (at / "vault" / "gold.patch").unlink(), "the vault holds no gold.patch"),
    "two near misses": (lambda at: (at / "vault" / "near_misses" / "mean.patch").unlink(), "2 near misses"),
    "judge opens files": (
        lambda at: edit(at / "judge.py", "    rows = read_table", "    open(artefacts / 'x')\n    rows = read_table"),
        "opens a file by open",
    ),
    "judge imports pickle": (lambda at: edit(at / "judge.py", "from pathlib", "import pickle\nfrom pathlib"), "imports pickle"),
    "judge needs a package": (lambda at: edit(at / "judge.py", "from pathlib", "import torch\nfrom pathlib"), "need not have"),
    "link in the codebase": (lambda at: (at / "repo" / "link").symlink_to("run.sh"), "is a link"),
    "big file": (lambda at: (at / "authoring" / "big.md").write_text(CANARY + "x" * 9 * 2**20), "9.0 MB"),
    "judge does not parse": (lambda at: (at / "judge.py").write_text(f"# {CANARY}\ndef x(:\n"), "judge.py: line 2: invalid syntax"),
    "variant raises": (
        lambda at: edit(at / "variant.py", "    rng = random.Random(seed)", "    rng = random.Random(seed) / 0"),
        "failed for seed 0 with TypeError",
    ),
    "variant missing": (lambda at: (at / "variant.py").unlink(), "variant.py: is missing"),
    "variant ignores the seed": (
        lambda at: edit(at / "variant.py", "random.Random(seed)", "random.Random(0)"),
        "same data for different",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_found(toy: Task, defect: str) -> None:
    make, told = DEFECTS[defect]
    make(toy.folder)
    assert any(told in error for error in errors(toy)), errors(toy)


def test_a_limit_below_five_times_gold_is_found(toy: Task) -> None:
    facts = {
        "variants": 1,
        "seeds": 1,
        "degrees_of_freedom": 0,
        "false_rejection": 0.01,
        "gold_seconds": 20.0,
        "gold_memory_mb": 10,
    }
    calibration = "\n[calibration]\n" + "".join(f"{name} = {value}\n" for name, value in facts.items())
    (toy.folder / "task.toml").open("a").write(calibration)
    assert any("less than 5 times" in error for error in errors(toy))


TRACES = {
    "turned": ("numpy.save(data / 'a.npy', numpy.asfortranarray([[1.0, 2.0], [3.0, 4.0]]))", "error", "column by column"),
    "turned, one of an archive": ("numpy.savez(data / 'a.npz', b=numpy.eye(2), c=numpy.ones((2, 3)).T)", "error", "keeps c column"),
    "signs of zeros": ("numpy.save(data / 'a.npy', numpy.array([1.0, -0.0]))", "advice", "negative zeros"),
}


def _also_makes(task: Task, line: str) -> None:
    with (task.folder / "variant.py").open("a") as file:
        file.write(f"\nimport numpy\n_make = make\ndef make(seed, data):\n    _make(seed, data)\n    {line}\n")


@pytest.mark.parametrize("trace", TRACES)
def test_arrays_that_tell_how_they_were_made_are_found(toy: Task, trace: str) -> None:
    line, level, message = TRACES[trace]
    _also_makes(toy, line)
    found = [finding for finding in Bench().lint(toy.folder) if finding.where.startswith("data/a.np")]
    assert [finding.level for finding in found] == [level] and message in found[0].what


def test_an_array_kept_row_by_row_is_no_trace(toy: Task) -> None:
    _also_makes(toy, "numpy.save(data / 'a.npy', numpy.ones((2, 3)))")
    assert not [finding for finding in Bench().lint(toy.folder) if finding.where.startswith("data/a.np")]
