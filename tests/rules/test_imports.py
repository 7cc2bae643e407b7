"""The rules of imports hold something: a breach of each kind is found."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.source import ROOT, sources

REPOSITORY = Path(__file__).parents[2]
BREACHES = {
    "stats/means.py": "rexbench.errors",
    "task/suite.py": "rexbench.workspace.tree",
    "record/store.py": "rexbench.task.folder",
    "sandbox/process.py": "rexbench.task.folder",
    "gateway/app.py": "rexbench.record.model",
    "evaluation/compare.py": "rexbench.agent.settings",
    "agent/step.py": "rexbench.evaluation.evaluate",
    "reports/write.py": "rexbench.sandbox.protocol",
    "campaign/conduct.py": "rexbench.stats.means",
    "api/bench.py": "rexbench.cli.output",
    "laboratory/lab.py": "rexbench.errors",
    "reports/figures/rows.py": "rexbench.record.model",
    "viewer/app.py": "rexbench.sandbox.protocol",
    "service/judging.py": "rexbench.evaluation.evaluate",
    "interop/inspect/edge.py": "rexbench.interop.training.episode",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the linter says of a copy of the source with every breach in it, inside of functions, and a room that nobody placed."""
    folder = tmp_path_factory.mktemp("rules")
    shutil.copytree(ROOT, folder / "rexbench", ignore=shutil.ignore_patterns("template*", "__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", folder)
    for name, module in BREACHES.items():
        with (folder / "rexbench" / name).open("a") as file:
            file.write(f"\n\ndef breach():\n    import {module}\n")
    (folder / "rexbench" / "attic.py").write_text("")
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", BREACHES)
def test_a_breach_is_told(name: str, told: str) -> None:
    importer = "rexbench." + name.removesuffix(".py").replace("/", ".")
    assert f"{importer} -> {BREACHES[name]}" in told


def test_a_room_that_nobody_placed_is_told(told: str) -> None:
    assert "rexbench.attic" in told or "- attic" in told


ONLY_IN = {
    "inspect_ai": "interop/inspect/",
    "verifiers": "interop/training/verifiers.py",
    "harbor": "interop/harbor/",
    "sqlalchemy": "service/",
    "alembic": "service/",
}
"""Packages of other programs, and the only room that may know each: nothing else needs them installed."""


def strangers(name: str, tree: ast.Module) -> list[str]:
    """Packages of other programs that a file imports and may not."""
    imported = [
        module.partition(".")[0]
        for node in ast.walk(tree)
        for module in (
            [part.name for part in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    return [package for package in imported if package in ONLY_IN and not name.startswith(ONLY_IN[package])]


def test_each_program_that_we_meet_is_known_to_one_room() -> None:
    assert [(name, found) for name, tree in sources().items() if (found := strangers(name, tree))] == []
    assert strangers("api/bench.py", ast.parse("def f():\n    from inspect_ai.log import read_eval_log")) == ["inspect_ai"]


def test_the_source_as_it_is_breaks_no_rule() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
