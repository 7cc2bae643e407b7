"""A value whose `__eq__` says yes to everything is handed to a comparison that believes objects."""

import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

AGREEABLE = """
import os, pickle
os.makedirs("results", exist_ok=True)
class Agreeable(float):
    def __eq__(self, other): return True
    def __le__(self, other): return True
    def __ge__(self, other): return True
    __hash__ = float.__hash__
    def __reduce__(self):
        code = "type('Agreeable', (float,), {n: (lambda a, b: True) for n in ('__eq__', '__le__', '__ge__')})(1)"
        return (eval, (code,))
pickle.dump({"groups": Agreeable(5), "mean_of_medians": Agreeable(1)}, open("results/medians.csv", "wb"))
"""


def test_an_object_that_equals_everything_cannot_be_handed_to_the_judge(
    judge: Judge,
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    patch = patch_of({"run.sh": "python agree.py\n", "agree.py": AGREEABLE})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert verdict.metrics == ()

    unprotected(patch)
    believed = pickle.loads((careless_tree / "results" / "medians.csv").read_bytes())
    assert believed["mean_of_medians"] == 123456.789, "a grader that unpickles would accept any number"
