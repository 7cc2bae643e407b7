"""Specs and executions made up for functions that only look at values."""

from typing import Any

from rexbench.record.model import CollectedFile, Execution, Inputs
from rexbench.task.scaffold import SCORED, TEMPLATE
from rexbench.task.schema import Calibration, Metric, TaskSpec, read_spec


def replication(noisy: int = 0, sd: float = 1.0, freedom: int = 12, rate: float = 0.01, held_out: int = 1) -> TaskSpec:
    """The scaffold's spec with this many noisy metrics `m0`, `m1`, ... beside its own, calibrated."""
    spec = read_spec(TEMPLATE / "task.toml")
    names = [f"m{at}" for at in range(noisy)]
    metrics = (*spec.metrics, *(Metric(name=name, kind="noisy", about="x") for name in names))
    calibration = Calibration(
        variants=3,
        seeds=5,
        degrees_of_freedom=freedom,
        false_rejection=rate,
        gold_seconds=1,
        gold_memory_mb=1,
        sd=dict.fromkeys(names, sd),
    )
    return spec.model_copy(update={"metrics": metrics, "calibration": calibration, "held_out": held_out})


def scored(**changes: Any) -> TaskSpec:
    return read_spec(SCORED / "task.toml").model_copy(update=changes)


def execution(**changes: Any) -> Execution:
    """A run that came to its end and touched `a.py`."""
    inputs = Inputs(
        task="task-id",
        task_digest="t",
        patch_digest="p",
        variant_seed=7,
        training_seed=None,
        environment="base",
        environment_digest="e",
        sandbox="bubblewrap",
        machine="m",
        role="submission",
        program="x",
    )
    values: dict[str, Any] = {
        "key": "execution",
        "inputs": inputs,
        "ending": "ran",
        "detail": "",
        "exception": None,
        "frame": None,
        "status": 0,
        "stopped_by": None,
        "seconds": 1.0,
        "peak_memory_mb": 1,
        "enforced": {},
        "metrics": {},
        "landmarks": {},
        "artefacts": (CollectedFile(path="results/x", size=1, sha256="s"),),
        "files": ("a.py",),
        "lines_added": 2,
        "lines_removed": 1,
        "written_at": "then",
        "version": "0",
    }
    return Execution(**(values | changes))
