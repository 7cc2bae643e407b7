"""The experiment prints without end, to fill the memory or the records of whoever captures what it prints."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.sandbox.supervise import KEPT_OUTPUT
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import alive, host_untouched, limited
from tests.trials import evaluate


@pytest.mark.parametrize("stream", ["1", "2"])
def test_endless_output_ends_at_the_output_limit_and_is_kept_in_part(
    toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path, stream: str
) -> None:
    patch = patch_of({"run.sh": f"timeout 20 yes endless-output-attack >&{stream}\n"})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, output_mb=3), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "OutputLimit")
    kept = bench.store.execution_folder(verdict.execution)
    assert sum((kept / name).stat().st_size for name in ("stdout.log", "stderr.log")) < 2 * KEPT_OUTPUT
    assert not alive("yes endless-output-attack")


def test_one_line_without_end_is_no_exception(toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    patch = patch_of({"run.sh": "head -c 50000000 /dev/zero | tr '\\0' x >&2\n"})

    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, output_mb=3), patch, HELD_OUT, bench)

    assert (verdict.outcome, verdict.exception) == ("execution_failed", "OutputLimit")
    assert len(verdict.detail) < 1000
