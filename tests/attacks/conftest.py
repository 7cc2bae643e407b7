"""An attack is a patch. It is judged as any patch is, in the real sandbox, and tried once more with no protection at all."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.record.model import Evaluation
from rexbench.record.store import Store
from rexbench.sandbox.protocol import standard_variables
from rexbench.task.folder import Task
from rexbench.task.variants import make_variant
from rexbench.workspace.git import run_git
from rexbench.workspace.tree import copy_repo
from tests.conftest import CONFIGURED
from tests.trials import evaluate

HELD_OUT = 4242

Judge = Callable[[bytes], Evaluation]


@pytest.fixture
def judge(toy: Task, bench: Bench) -> Judge:
    """Judges a patch on a held-out variant through bubblewrap."""
    return lambda patch: evaluate(toy, patch, HELD_OUT, bench)


@pytest.fixture
def logs(bench: Bench) -> Callable[[Evaluation], str]:
    """What the attack printed."""
    store: Store = bench.store
    return lambda evaluation: "".join(
        (store.execution_folder(evaluation.execution) / name).read_text(errors="replace") for name in ("stdout.log", "stderr.log")
    )


@pytest.fixture
def unprotected(toy: Task, tmp_path: Path) -> Callable[[bytes], subprocess.CompletedProcess[str]]:
    """Runs a patched tree as a careless harness would: as the user, in the open, with data copied in and nothing wiped.

    It sees the host's files, processes and network and may leave processes behind; that it can write nothing outside the test's
    own folder is for the good of the machine that runs the tests.
    """

    def run(patch: bytes) -> subprocess.CompletedProcess[str]:
        tree = tmp_path / "careless"
        copy_repo(toy, tree, with_data=False)
        applied = run_git("apply", "--whitespace=nowarn", cwd=tree, stdin=patch)
        assert applied.returncode == 0, applied.stderr
        for file in make_variant(toy, HELD_OUT, Bench().home).data.iterdir():
            (tree / "data" / file.name).write_bytes(file.read_bytes())
        variables = standard_variables(str(CONFIGURED.environments.describe("base").bin), str(tmp_path / "careless-home"))
        fence = [
            "bwrap",
            "--ro-bind",
            "/",
            "/",
            "--dev-bind",
            "/dev",
            "/dev",
            "--bind",
            "/proc",
            "/proc",
            "--bind",
            str(tmp_path),
            str(tmp_path),
        ]
        command = [*fence, "--chdir", str(tree), "bash", "-c", toy.spec.experiment.command]
        return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60, check=False)

    return run


@pytest.fixture
def careless_tree(tmp_path: Path) -> Path:
    """The tree that `unprotected` leaves."""
    return tmp_path / "careless"
