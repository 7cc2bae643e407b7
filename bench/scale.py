"""What it costs to hand a run to each executor, and what that means for 100,000 runs on 1,000 slots.

    .venv/bin/python bench/scale.py [--runs 40] [--executors local,slurm,dask]
    eval "$(scripts/slurm_rig start DIR)" first, for Slurm; a Dask scheduler with two workers is started here.

Part one runs the control nop on a toy task, two steps a run, with the same number of slots on each executor, and takes from
every step that ended what its own work took: the rest of a slot's time is the dispatch. Part two simulates the conductor, the
executor's queue and its slots, event by event, with the overheads of part one and run times of a log-normal spread (median
12 minutes, mean 16, cut at the limit of 60; evaluations: median 1 minute). Bar: 95 % of all slot time spent on runs.

    .venv/bin/python bench/scale.py --published     only the table of docs/cluster.md: 1,620 runs at 10, 100 and 1,000 slots
"""

import argparse
import heapq
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engines import dask_cluster
from homes import bench_with_task

if TYPE_CHECKING:
    from rexbench.api.bench import Bench
    from rexbench.campaign.executors.protocol import Executor

SLOTS = 2
BAR = 0.95


@dataclass(frozen=True)
class Measured:
    """One executor, on a campaign of runs that do nothing."""

    name: str
    per_run: float
    """Slot seconds for a run of two steps."""
    steps_per_second: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--executors", default="local,slurm,dask")
    parser.add_argument("--simulated-runs", type=int, default=100_000)
    parser.add_argument("--simulated-slots", type=int, default=1_000)
    parser.add_argument("--published", action="store_true")
    given = parser.parse_args()
    if given.published:
        print_published()
        return
    measured = []
    with tempfile.TemporaryDirectory(prefix="rexbench-scale-") as folder:
        bench = bench_with_task("toy", Path(folder))
        for name in given.executors.split(","):
            if name == "slurm" and "SLURM_CONF" not in os.environ:
                print("slurm    not measured: there is no cluster; start one with scripts/slurm_rig")
                continue
            measured.append(measure(name, bench, Path(folder), given.runs))
    base = next((found.per_run for found in measured if found.name == "local"), 0.0)
    for found in measured:
        beside = f"{found.per_run - base:+.2f} s beside local" if found.name != "local" else "two steps, nothing to do"
        print(f"{found.name:8s} {found.per_run:6.2f} slot seconds a run   {found.steps_per_second:5.1f} steps/s   {beside}")
    runs, slots = given.simulated_runs, given.simulated_slots
    print(f"\n{runs:,} runs on {slots:,} slots, simulated (bar: {BAR:.0%} of slot time spent on runs)")
    for found in measured:
        use, hours, most = simulate(runs, slots, found.per_run / 2)
        print(f"{found.name:8s} {use:6.1%} slot use   {hours:6.1f} h   at most {most:.1f} steps/s through the conductor")


def print_published() -> None:
    """9 agents x 3 hint levels x 12 tasks x 5 runs, as docs/cluster.md assumes: at most 30 minutes, 8 s to judge, 1 s a step."""
    for slots in (10, 100, 1_000):
        use, hours, _ = simulate(9 * 3 * 12 * 5, slots, overhead=1.0, limit=1_800.0, judging_median=6.7)
        print(f"{slots:5,} slots   {hours:5.1f} h   {use:4.0%} slot use")


def measure(name: str, bench: "Bench", folder: Path, runs: int) -> Measured:
    """A campaign of nops; the time from the first step that ended to the last, so that nobody's start-up counts."""
    from rexbench.agent.settings import Agent
    from rexbench.api.bench import HeldOut
    from rexbench.campaign.conduct import Event
    from rexbench.campaign.plan import Plan

    ended: list[float] = []

    def observe(event: Event) -> None:
        if event.ended:
            assert event.ended.fault is None, event.ended.fault
            ended.append(time.monotonic())

    plan = Plan(agents=(Agent("nop"),), tasks=("toy",), runs=runs)
    with executor(name, folder) as chosen:
        result = bench.run(plan, folder / name, HeldOut(seed=7), executor=chosen, on_event=observe)
    assert result.complete, result.progress
    steady = (len(ended) - SLOTS) / (ended[-1] - ended[SLOTS - 1])
    return Measured(name, 2 * SLOTS / steady, steady)


@contextmanager
def executor(name: str, folder: Path) -> Iterator["Executor"]:
    if name == "slurm":
        from rexbench.campaign.executors.slurm.executor import Slurm

        # More jobs than slots, as one would: the queue is never empty while the conductor looks elsewhere.
        yield Slurm({"nodelist": "n1"}, 4 * SLOTS)
    elif name == "dask":
        from rexbench.campaign.executors.dask import Dask

        with dask_cluster(folder / "engine", SLOTS) as address:
            yield Dask(address, 2 * SLOTS)
    else:
        from rexbench.campaign.executors.local import Local

        yield Local(SLOTS)


def simulate(
    runs: int, slots: int, overhead: float, limit: float = 3_600.0, judging_median: float = 60.0
) -> tuple[float, float, float]:
    """Share of slot time spent on runs, hours, and the most steps a second over any ten minutes.

    As `conduct` does: an agent's step, then its evaluation before any new run; 1.2 jobs given out for each slot; one second
    between the end of a step and its successor's way into the queue; the overhead spent in the slot before the work.
    """
    rng = random.Random(0)
    agents = [min(limit, 60 * rng.lognormvariate(2.485, 0.8)) for _ in range(runs)]
    judging = [judging_median * rng.lognormvariate(0.0, 0.6) for _ in range(runs)]
    in_flight, given_out = 0, int(1.2 * slots)
    waiting: list[tuple[int, int]] = [(run, 0) for run in range(runs - 1, -1, -1)]
    queue: list[tuple[int, int]] = []
    arriving: list[tuple[float, int, int]] = []
    busy: list[tuple[float, int, int]] = []
    now = work = 0.0
    starts: list[float] = []
    while waiting or queue or busy or arriving:
        while waiting and in_flight < given_out:
            run, kind = waiting.pop()
            in_flight += 1
            heapq.heappush(arriving, (now + 1.0, run, kind))
        while arriving and arriving[0][0] <= now:
            _, run, kind = heapq.heappop(arriving)
            queue.append((run, kind))
        while queue and len(busy) < slots:
            run, kind = queue.pop(0)
            seconds = (judging if kind else agents)[run]
            work += seconds
            starts.append(now)
            heapq.heappush(busy, (now + overhead + seconds, run, kind))
        following = [heap[0][0] for heap in (busy, arriving) if heap]
        if not following:
            continue
        now = max(now, min(following))
        while busy and busy[0][0] <= now:
            _, run, kind = heapq.heappop(busy)
            in_flight -= 1
            if not kind:
                waiting.append((run, 1))
    windows: dict[int, int] = {}
    for start in starts:
        windows[int(start // 600)] = windows.get(int(start // 600), 0) + 1
    return work / (slots * now), now / 3600, max(windows.values()) / 600


if __name__ == "__main__":
    main()
