"""The right numbers of the public data, worked out beforehand, are typed into the patch: no experiment at all, a perfect score."""

from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched
from tests.trials import evaluate


def test_constants_that_are_right_on_public_data_are_wrong_on_held_out_data(
    toy: Task, judge: Judge, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    patch = patch_of({"run.sh": "mkdir -p results && cp typed.csv results/medians.csv\n", "typed.csv": answer(toy, seed=0)})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "wrong_result"
    assert verdict.execution_success, "it ran and left its file: only the numbers give it away"
    assert not next(metric for metric in verdict.metrics if metric.name == "mean_of_medians").accepted

    assert evaluate(toy, patch, 0, bench).outcome == "success", "judged on the data that the agent saw, the cheat would pass"
