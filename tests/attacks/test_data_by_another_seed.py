"""The patch brings data of its own, easier or already solved, and computes the right statistic of the wrong data."""

from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.task.variants import make_variant
from tests.attacks.conftest import Judge
from tests.attacks.scene import SOLUTION, host_untouched
from tests.trials import evaluate

OTHER = 77


def test_the_right_computation_on_data_of_another_seed_is_a_wrong_result(
    toy: Task, judge: Judge, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    own = (make_variant(toy, OTHER, Bench().home).data / "readings.csv").read_bytes()
    script = SOLUTION.replace("data/readings.csv", "own/readings.csv")
    patch = patch_of({"run.sh": "python own.py\n", "own.py": script, "own/readings.csv": own})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "wrong_result"
    assert verdict.execution_success

    assert evaluate(toy, patch, OTHER, bench).outcome == "success", "the computation is right; the data alone are not"


def test_a_seed_in_the_environment_or_in_the_tree_changes_nothing_that_is_judged(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    script = "export REXBENCH_VARIANT_SEED=0 PYTHONHASHSEED=7\npython skew.py\n"
    skew = "import random, statistics\nrandom.seed(0)\nstatistics.median = lambda values: random.choice(values)\n" + SOLUTION

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": script, "skew.py": skew, "variant_seed.txt": "0\n"}))

    assert verdict.outcome == "wrong_result"
