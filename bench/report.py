"""How long statistics and reports take.

    .venv/bin/python bench/report.py

Bars: 1,000,000 run records aggregated with 2,000 bootstrap draws in at most 10 s and 2 GB; the report of 1,620 runs (9 agents x 3
hint levels x 12 tasks x 5 runs: tables, HTML, figures) in at most 5 s, the program's start included. Prints the time on the clock
and that of the processor: the first is what the bars are about, the second what is left of it on a machine with nothing else to do.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the made-up campaign is the tests'
AGGREGATE = "import sys; sys.path.insert(0, sys.argv[1]); from bench.report import aggregate; aggregate()"


def main() -> None:
    subprocess.run([sys.executable, "-c", AGGREGATE, str(ROOT)], check=True)  # a process of its own, so that memory is its own
    report()


def aggregate() -> None:
    """Names as they stand in records, to headlines with intervals and ranks: 20 agents x 1,000 tasks x 50 runs."""
    from rexbench.stats.intervals import estimate_rate, hierarchical_draws, rank_intervals
    from rexbench.stats.means import tally

    agents, tasks, runs = 20, 1000, 50
    generator = np.random.default_rng(1)
    chances = generator.beta(0.2, 0.35, size=(agents, tasks))
    agent_names = np.repeat([f"agent-{at}" for at in range(agents)], tasks * runs).astype(object)
    task_names = np.tile(np.repeat([f"task-{at}" for at in range(tasks)], runs), agents).astype(object)
    success = (generator.random((agents, tasks, runs)) < chances[:, :, None]).ravel()
    order = generator.permutation(len(success))  # records come in any order
    agent_names, task_names, success = agent_names[order], task_names[order], success[order]

    began, busy_before = time.perf_counter(), time.process_time()
    agent, task = coded(agent_names), coded(task_names)
    shape = (agents, tasks)
    count, wins = tally([agent, task], shape), tally([agent, task], shape, success)
    draws = hierarchical_draws(wins, count)
    estimates = [estimate_rate(wins[at], count[at], draws[:, at]) for at in range(agents)]
    rank_intervals(draws)
    taken = time.perf_counter() - began
    busy = time.process_time() - busy_before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    assert len(estimates) == agents and len(draws) == 2000
    print(f"{len(success):,} records, {len(draws)} draws   {taken:6.2f} s   bar: 10   processor {busy:.2f} s")
    print(f"{'peak memory':30} {peak:6.2f} GB  bar: 2")


def coded(names: NDArray[np.object_]) -> NDArray[np.int64]:
    """Each name as its place among all of them, as the report codes them."""
    places = {name: at for at, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names], dtype=np.int64)


def report() -> None:
    """The command as a user runs it, on a made-up campaign on disk."""
    from tests.reports.made_up import AGENTS, plan_for, write_campaign

    with tempfile.TemporaryDirectory(prefix="rexbench-bench-") as folder:
        plan = plan_for(agents=(*AGENTS, "openhands-sonnet"))
        campaign = write_campaign(Path(folder) / "camp", plan, bulk=20)
        program = str(Path(sys.executable).parent / "rexbench")
        for options in ([], ["--with-paper"]):
            began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([program, "report", str(campaign.folder), *options], check=True, stdout=subprocess.DEVNULL)
            taken, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            size = (campaign.folder / "report" / "report.html").stat().st_size / 1e6
            told = " ".join(["report of 1,620 runs", *options])
            print(f"{told:35s} {taken:6.2f} s   bar: 5   processor {busy:.2f} s   report.html {size:.2f} MB   bar: 3")


if __name__ == "__main__":
    main()
