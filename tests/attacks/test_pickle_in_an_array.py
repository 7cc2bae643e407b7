"""A pickle that runs code when it is loaded is handed in as a numpy array, plain or in an archive."""

import io
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rexbench.api.bench import Bench
from rexbench.evaluation.reading import BrokenContract, read_array
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import canary, host_untouched
from tests.trials import execute


class Trap:
    """Writes to a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, (f"open({str(self.file)!r}, 'w').write('touched')",)


JUDGE = """
from rexbench.evaluation.reading import read_array
def metrics(artefacts, data):
    return {"groups": 5, "mean_of_medians": float(read_array(artefacts / "results" / "medians.csv").mean())}
"""


def test_an_object_array_is_refused_unread(tmp_path: Path) -> None:
    file = canary(tmp_path)
    for name, save in (("trap.npy", np.save), ("trap.npz", np.savez)):
        buffer = io.BytesIO()
        save(buffer, np.array([Trap(file)], dtype=object), allow_pickle=True) if save is np.save else save(
            buffer, array=np.array([Trap(file)], dtype=object)
        )
        (tmp_path / name).write_bytes(buffer.getvalue())
        with pytest.raises(BrokenContract):
            read_array(tmp_path / name)
    (tmp_path / "bare.npy").write_bytes(pickle.dumps(Trap(file)))
    with pytest.raises(BrokenContract):
        read_array(tmp_path / "bare.npy")
    assert file.read_text() == "untouched"

    np.load(tmp_path / "trap.npy", allow_pickle=True)
    assert file.read_text() == "touched", "loaded as pickles are, the trap runs"


def test_a_judge_that_reads_arrays_survives_it(toy: Task, bench: Bench, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    (toy.folder / "judge.py").write_text(JUDGE)
    buffer = io.BytesIO()
    np.save(buffer, np.array([Trap(tmp_path / "canary.txt")], dtype=object), allow_pickle=True)
    patch = patch_of({"run.sh": "mkdir results && cp trap.npy results/medians.csv\n", "trap.npy": buffer.getvalue()})

    with host_untouched(tmp_path):
        made = execute(Bench().task("toy"), patch, HELD_OUT, bench)

    assert (made.ending, made.detail) == ("bad_artifact", "medians.csv: holds pickled objects")
