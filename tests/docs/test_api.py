"""The page about Python, whose program `test_commands.py` runs: it is whole, and what packages offer is found."""

from pathlib import Path

import pytest

import rexbench
from rexbench.api.bench import Bench
from rexbench.errors import RexbenchError
from rexbench.task.scaffold import new_task
from tests.docs.pages import ROOT


def test_the_page_names_everything_that_is_offered() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert not [name for name in rexbench.__all__ if f"`{name}`" not in page]


def test_a_package_offers_tasks_by_an_entry_point(home: Path, tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    new_task(site / "offered_worlds" / "my-world", scored=True)
    (site / "offered_worlds" / "__init__.py").touch()
    described = site / "offered-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[rexbench.tasks]\nworlds = offered_worlds\n")
    monkeypatch.syspath_prepend(str(site))
    bench = Bench(home=home, tasks=tasks)
    assert bench.task("worlds/my-world").spec.kind == "scored"
    with pytest.raises(RexbenchError, match="installed: worlds"):
        bench.task("elsewhere/my-world")
