"""Episodes of a training loop, many at a time, with a scripted policy: rewards as `evaluate` gives them, and nothing left behind.

    .venv/bin/python bench/episodes.py [--episodes 200] [--workers 4]

Every other episode solves the scaffold's task, the rest leave it as it is. Prints episodes a second, and what is left of processes,
files and memory. Exit status 1 where a reward is not the one that `evaluate` gives for the same patch and seed, or where something
is left. Bar: 200 episodes over 4 workers, nothing left.
"""

import argparse
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

from homes import bench_with_task

import rexbench as rx
from rexbench.sandbox.processes import processes_below


def attempt(folder: str, seed: int) -> tuple[int, float, bytes, int, int]:
    """One episode: its number, reward, patch, first world and the memory that this worker has ever used, in MB."""
    bench = rx.Bench(home=Path(folder, "home"), tasks=Path(folder, "tasks"))
    with rx.Environment("nothing", seed=seed, bench=bench) as environment:
        if seed % 2:
            environment.write("/var/tmp/gold.patch", bench.task("nothing").vault.gold.decode())
            environment.shell("git apply /var/tmp/gold.patch; sleep 1000 & disown")
        reward = environment.reward()
    return seed, reward.value, reward.patch, environment.seeds[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rexbench-bench-") as folder:
        bench = bench_with_task("nothing", Path(folder))
        attempt(folder, 0)
        before = left(Path(folder))
        since = time.monotonic()
        with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
            made = pool.starmap(attempt, [(folder, seed) for seed in range(given.episodes)], chunksize=1)
            seconds = time.monotonic() - since
            running = [pid for worker in multiprocessing.active_children() for pid in processes_below(worker.pid or 0)[1:]]
        after = left(Path(folder))
        wrong = [
            seed
            for seed, value, patch, first, _ in made[: min(len(made), 20)]
            if value != (bench.evaluate("nothing", patch, rx.HeldOut(seed=first)).outcome == "success")
        ]
    half = [memory for _, _, _, _, memory in made[: len(made) // 2]], [memory for _, _, _, _, memory in made[len(made) // 2 :]]
    print(f"{len(made)} episodes over {given.workers} workers in {seconds:.0f} s, {len(made) / seconds:.2f} a second")
    print(f"rewards of 1: {sum(value == 1 for _, value, _, _, _ in made)}; not as evaluate says: {wrong or 'none'} of 20")
    print(f"processes left: {len(running)}; files left: {sorted(after - before)[:5] or 'none'}")
    print(f"memory of a worker at most: {max(half[0])} MB in the first half, {max(half[1])} MB in the second")
    right = sum(value == 1 for _, value, _, _, _ in made) == len(made) // 2
    raise SystemExit(bool(wrong or running or after - before or not right))


def left(folder: Path) -> set[str]:
    """Every file and folder, the environments aside."""
    return {str(path) for path in folder.rglob("*") if "environments" not in path.parts}


if __name__ == "__main__":
    main()
