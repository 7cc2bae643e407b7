"""Samples of Inspect at once, with an agent that asks no model, and what our scorer adds to one.

    .venv/bin/python bench/inspect_samples.py [--samples 24]

Each sample leaves another patch of the scaffold's task. Prints how long they take together, and for samples one after the other how
long the scorer takes beside the experiment's own seconds (live gold is on record by then). Bars: 24 at once on two cores; 0.3 s.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from homes import bench_with_task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from rexbench.api.bench import Bench


@solver
def scripted(patch: str, about: str) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        done = await sandbox().exec(["git", "apply", "-"], input=patch)
        assert done.success, done.stderr
        await sandbox().write_file("NOTE.md", f"{about} {state.epoch}\n")
        return state

    return solve


def run(patch: str, about: str, samples: int, at_once: int, logs: str) -> EvalLog:
    (log,) = inspect_eval(
        "rexbench/replication",
        model="mockllm/model",
        solver=scripted(patch, about),
        task_args={"tasks": "nothing"},
        epochs=samples,
        max_samples=at_once,
        log_dir=logs,
        display="none",
    )
    assert log.status == "success" and log.samples and len(log.samples) == samples, log.error
    return log


def added(log: EvalLog, bench: Bench) -> list[float]:
    """Seconds of the scorer beside those of the experiment, for each sample."""
    found = []
    for sample in log.samples or []:
        (score,) = (sample.scores or {}).values()
        assert isinstance(score.value, dict) and score.value["success"] == 1 and score.metadata
        began = next(event.timestamp for event in sample.events if event.event == "span_begin" and event.name == "scorers")
        ended = next(event.timestamp for event in sample.events if event.event == "score")
        evaluation = bench.store.find_evaluation(score.metadata["evaluations"][0]["key"])
        assert evaluation
        found.append((ended - began).total_seconds() - evaluation.seconds)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=24)
    samples = parser.parse_args().samples
    with tempfile.TemporaryDirectory(prefix="rexbench-bench-") as folder:
        bench = bench_with_task("nothing", Path(folder))
        os.environ |= {"REXBENCH_HOME": f"{folder}/home", "REXBENCH_TASKS": f"{folder}/tasks"}
        gold = bench.task("nothing").vault.gold.decode()
        run(gold, "first", 1, 1, f"{folder}/logs")
        since = time.monotonic()
        run(gold, "at once", samples, samples, f"{folder}/logs")
        together = time.monotonic() - since
        first, *alone = added(run(gold, "alone", 9, 1, f"{folder}/logs"), bench)
    cores = len(os.sched_getaffinity(0))
    print(f"{samples} samples at once on {cores} cores: {together:.1f} s, every one a success")
    print(f"the scorer beside the experiment: {min(alone):.2f} to {max(alone):.2f} s, median {statistics.median(alone):.2f} s")
    print(f"in the first sample, with a worker to start: {first:.2f} s")


if __name__ == "__main__":
    main()
