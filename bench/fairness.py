"""Load changes nothing: every patch of every task's vault gets the same verdict on a free machine and beside busy loops.

    .venv/bin/python bench/fairness.py [--tasks all] [--loads 0,8,20] [--seed 4242] [--jobs 2,2,2]

Gold, alternatives and near misses, each on one held-out variant. At each load so many processes compute all the while, at the same
priority, and everything is run anew in a home of its own (environments are shared): live gold, too, meets the load. The jobs at a
time may be given for each load; more of them than cores are load, too, and the work is done sooner. Prints a table, and every
verdict that differs from the first load's; ends with 1 where one does.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from homes import private_bench

from rexbench.api.bench import Bench, HeldOut
from rexbench.campaign.executors.local import Local
from rexbench.campaign.trials import Wanted, references
from rexbench.record.model import Evaluation

Verdicts = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="all")
    parser.add_argument("--loads", default="0,8,20")
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--jobs", default="2")
    given = parser.parse_args()
    found: dict[int, Verdicts] = {}
    loads, jobs = ([int(part) for part in text.split(",")] for text in (given.loads, given.jobs))
    for load, at_once in zip(loads, jobs if len(jobs) > 1 else jobs * len(loads), strict=True):
        since = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="rexbench-fairness-") as folder, busy(load):
            found[load] = verdicts(private_bench(Path(folder, "home")), given.tasks, given.seed, at_once)
        outcomes = sorted(set(found[load].values()))
        counted = ", ".join(f"{name} {list(found[load].values()).count(name)}" for name in outcomes)
        print(f"load {load:3d}   {len(found[load])} verdicts   {time.monotonic() - since:6.0f} s   {counted}", flush=True)
    first, *others = found
    differing = [
        f"{name}: {found[first][name]} at load {first}, {found[load].get(name)} at load {load}"
        for load in others
        for name in found[first]
        if found[load].get(name) != found[first][name]
    ]
    print("\n".join(differing) or f"0 of {len(found[first])} verdicts differ")
    sys.exit(bool(differing))


def verdicts(bench: Bench, tasks: str, seed: int, jobs: int) -> Verdicts:
    """The outcome of every patch, by task and name."""
    wanted: list[Wanted] = []
    for task in [bench.task(name) for name in (bench.suite.ids() if tasks == "all" else tasks.split(","))]:
        bench.sandbox.prepare(task.spec.environment)
        seeds = bench.seeds(task, HeldOut(variants=1, seed=seed))
        wanted += references(f"{task.id}/reference", task, seeds)
        patches = {"gold": task.vault.gold} | task.vault.alternatives | task.vault.near_misses
        wanted += [Wanted(f"{task.id}/{name}", task, seeds[0], patch) for name, patch in patches.items()]
    results = bench.make(wanted, executor=Local(jobs))
    return {one.label: result.outcome for one, result in zip(wanted, results, strict=True) if isinstance(result, Evaluation)}


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    running = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
