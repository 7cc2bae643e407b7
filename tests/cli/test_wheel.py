"""Installed from a wheel: what is in it, what is not, and that nothing is written into the installation."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rexbench.environment.uv import Uv

REPOSITORY = Path(__file__).parents[2]
PARTS = ("pyproject.toml", "README.md", "LICENSE", "src", "tasks", ".gitignore")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the checkout in which an author has opened a vault."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "checkout").mkdir()
    for name in PARTS:
        source, target = REPOSITORY / name, folder / "checkout" / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    vault = folder / "checkout" / "tasks" / "othello" / "vault"
    vault.mkdir(exist_ok=True)
    (vault / "gold.patch").write_text("the answer")
    Uv(os.environ).run("build", "--wheel", "--quiet", "--out-dir", str(folder), str(folder / "checkout"))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_an_open_vault_stays_at_home(names: set[str]) -> None:
    assert not [name for name in names if name.startswith("rexbench/tasks/") and "/vault/" in name]
    assert "rexbench/tasks/othello/vault.bin" in names


def test_everything_else_of_program_and_tasks_is_in_it(names: set[str], wheel: Path) -> None:
    checkout = wheel.parent / "checkout"
    for source, inside in (("src/rexbench", "rexbench"), ("tasks", "rexbench/tasks")):
        files = [path.relative_to(checkout / source) for path in (checkout / source).rglob("*") if path.is_file()]
        wanted = {f"{inside}/{path}" for path in files if source != "tasks" or path.parts[1] != "vault"}
        assert wanted - names == set()
    assert "rexbench/py.typed" in names and "rexbench/task/template/vault/gold.patch" in names


def test_a_new_task_of_an_installed_program_lies_in_the_working_folder(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    work.mkdir()
    before = {path for path in site.rglob("*") if "__pycache__" not in path.parts}
    variables = os.environ | {"PYTHONPATH": str(site), "REXBENCH_HOME": str(tmp_path / "home")}

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "rexbench.cli.main", *arguments]
        return subprocess.run(command, cwd=work, env=variables, capture_output=True, text=True, check=True).stdout

    assert "othello" in run("task", "list")
    assert "rexbench task lint ./my-task" in run("task", "new", "my-task")
    assert "my-task: no errors" in run("task", "lint", "./my-task")
    assert (work / "my-task" / "task.toml").is_file()
    assert {path for path in site.rglob("*") if "__pycache__" not in path.parts} == before
