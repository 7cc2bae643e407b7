"""The patch leaves a protected module as it is and adds compiled code for it, marked as not to be checked against the source."""

import dataclasses
import importlib._bootstrap_external
import importlib.util
import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched
from tests.trials import evaluate

GUARDED = "readingtimes/loading.py"
EVIL = "print('shadow loaded')\ndef load(path): return {}\n"


def test_a_patch_cannot_bring_compiled_code(
    toy: Task,
    bench: Bench,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    guarded = dataclasses.replace(toy, spec=toy.spec.model_copy(update={"protected": (*toy.spec.protected, GUARDED)}))
    code = compile(EVIL, GUARDED, "exec")
    unchecked = importlib._bootstrap_external._code_to_hash_pyc(code, b"\0" * 8, checked=False)  # type: ignore[attr-defined]
    cache = Path(importlib.util.cache_from_source(GUARDED)).as_posix()
    patch = patch_of({"run.sh": "python -m readingtimes\n", cache: bytes(unchecked)})

    with host_untouched(tmp_path):
        verdict = evaluate(guarded, patch, HELD_OUT, bench)

    assert verdict.outcome == "patch_rejected"

    assert "shadow loaded" in unprotected(patch).stdout, "Python prefers it to the protected source"
