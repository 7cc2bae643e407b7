"""What stays behind in a workspace is what a run or a tool left there, and never the work."""

from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.digest import walk_tree
from rexbench.workspace.left_out import LeftOut, matches
from rexbench.workspace.patch import MAX_CONTENT, MAX_FILES, summarise
from tests.conftest import CONFIGURED


@pytest.mark.parametrize("name", CONFIGURED.suite.ids())
def test_no_right_patch_of_the_suite_touches_what_stays_behind_or_is_protected(name: str) -> None:
    task = Bench().task(name)
    own = {path for path, _, _ in walk_tree(task.repo)}
    rules = LeftOut(task, own)
    vault = task.vault
    for patch in (vault.gold, *vault.alternatives.values()):
        for path in summarise(patch, Path("/")).files:
            assert not rules.never(path) and (path in own or not rules.new(path, is_folder=False)), path
            assert task.guard_of(path) is None and task.twin_of(path) is None, path


@pytest.mark.parametrize("name", CONFIGURED.suite.ids())
def test_no_file_that_an_agent_is_given_is_taken_for_a_tools(name: str) -> None:
    task = Bench().task(name)
    own = [path for path, _, _ in walk_tree(task.repo)]
    rules = LeftOut(task, own)
    assert [path for path in own if rules.never(path)] == []


def test_the_instructions_promise_what_is_done() -> None:
    assert f"{MAX_FILES:,} files and {MAX_CONTENT // 2**20} MB" in Bench().task(CONFIGURED.suite.ids()[0]).instructions()


def test_a_star_of_an_artefact_stays_inside_one_segment() -> None:
    assert matches("results/a/x.csv", "results/*/x.csv")
    assert not matches("results/a/b/x.csv", "results/*/x.csv") and not matches("results/x.csv/y", "results/*.csv")
