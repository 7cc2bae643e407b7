"""A package `ett/passk/__init__.py` beside the protected `ett/passk.py`: the file is untouched, and never loaded again."""

import dataclasses
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.workspace.patch import PatchRejected, apply_patch
from rexbench.workspace.tree import copy_repo
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import SOLUTION, host_untouched
from tests.trials import evaluate

GUARDED = "readingtimes/loading.py"
TAG = sysconfig.get_config_var("EXT_SUFFIX")
EVIL = "print('twin loaded')\ndef load(path): return {'a': [1.0]}\n"

LOADED: dict[str, str] = {
    "a package": "readingtimes/loading/__init__.py",
    "a standard module that it imports": "csv.py",
    "a package for a standard module": "csv/__init__.py",
}
"""Twins that Python prefers where nothing refuses them."""
REFUSED: dict[str, str] = {
    **LOADED,
    "an extension": "readingtimes/loading.so",
    "an extension with a tag": f"readingtimes/loading{TAG}",
    "an extension of the stable interface": "readingtimes/loading.abi3.so",
    "a package that is an extension": f"readingtimes/loading/__init__{TAG}",
    "compiled code": "readingtimes/loading.pyc",
    "compiled code in its folder": "readingtimes/__pycache__/loading.cpython-311.pyc",
    "a file of paths": "readingtimes/loading.pth",
    "a part of a namespace": "readingtimes/loading/inner.py",
    "a module in place of the package": "readingtimes.py",
    "an extension in place of the package": f"readingtimes{TAG}",
    "another case": "readingtimes/Loading.py",
    "another case of the package": "ReadingTimes/loading.py",
    "a package in another case": "readingtimes/LOADING/__init__.py",
    "the package in the folder of a script": "tools/readingtimes/loading.py",
    "a module in the folder of a script": "tools/readingtimes.py",
    "a standard module in the folder of a script": "tools/csv.py",
    "a link": "readingtimes/loading",
    "a link for a standard module": "csv",
}
FREE = [
    "readingtimes/loaders.py",
    "readingtimes/loading.md",
    "readingtimes/csv.py",
    "readingtimes/loading_test.py",
    "json.py",
    "csv/data.txt",
    "tools/csvs.py",
]


@pytest.fixture
def guarded(toy: Task) -> Task:
    (toy.repo / "tools").mkdir()
    (toy.repo / "tools" / "show.py").write_text("print('shown')\n")
    return dataclasses.replace(toy, spec=toy.spec.model_copy(update={"protected": (*toy.spec.protected, GUARDED)}))


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_a_file_that_would_be_loaded_in_place_of_protected_code_is_refused(
    guarded: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, kind: str
) -> None:
    modes = {REFUSED[kind]: b"120000"} if "link" in kind else {}
    content = "tools" if "link" in kind else EVIL
    patch = patch_of({"run.sh": "python s.py\n", "s.py": SOLUTION, REFUSED[kind]: content}, modes)

    with host_untouched(tmp_path):
        verdict = evaluate(guarded, patch, HELD_OUT, bench)

    assert verdict.outcome == "patch_rejected"
    assert any(words in verdict.detail for words in ("in place of", "is protected", "compiled code"))


@pytest.mark.parametrize("kind", sorted(LOADED))
def test_python_prefers_the_twin(
    toy: Task, patch_of: Callable[..., bytes], unprotected: Callable[[bytes], subprocess.CompletedProcess[str]], kind: str
) -> None:
    patch = patch_of({"run.sh": "python -c 'import readingtimes.loading'\n", LOADED[kind]: EVIL})
    assert "twin loaded" in unprotected(patch).stdout


@pytest.mark.parametrize("path", FREE)
def test_a_file_of_another_name_is_free(guarded: Task, patch_of: Callable[..., bytes], tmp_path: Path, path: str) -> None:
    copy_repo(guarded, tmp_path / "tree", with_data=False)
    assert apply_patch(guarded, patch_of({path: "x = 1\n"}), tmp_path / "tree").files == (path,)


def test_a_package_without_a_marker_is_not_overlaid_from_a_scripts_folder(
    guarded: Task, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    """Where the codebase's package is a namespace, Python joins folders of the same name, and the script's comes first."""
    (guarded.repo / "readingtimes" / "__init__.py").unlink()
    copy_repo(guarded, tmp_path / "tree", with_data=False)
    with pytest.raises(PatchRejected, match="in place of"):
        apply_patch(guarded, patch_of({"tools/readingtimes/loading.py": EVIL}), tmp_path / "tree")

    (guarded.repo / "tools" / "readingtimes").mkdir()
    (guarded.repo / "tools" / "readingtimes" / "loading.py").write_text(EVIL)
    (guarded.repo / "tools" / "show.py").write_text("import sys; sys.path.append('.'); import readingtimes.loading\n")
    told = subprocess.run(["python3", "tools/show.py"], cwd=guarded.repo, capture_output=True, text=True, check=True)
    assert "twin loaded" in told.stdout


def test_code_that_nobody_protects_has_no_twins(toy: Task, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    copy_repo(toy, tmp_path / "tree", with_data=False)
    apply_patch(toy, patch_of({"readingtimes/loading/__init__.py": EVIL, "csv.py": EVIL}), tmp_path / "tree")
