"""Figures of a scored task's unchanged repository and of patches on fresh worlds, by stratum.

    .venv/bin/python bench/worlds.py tasks/interventions --seeds 101 102 --patches none some/gold.patch --jobs 2 [--budget 0.5]

For authors who try things out: `rexbench task calibrate` and `task check` are what counts. Patches run here unsandboxed, with the
laboratory, where the task has one, in their own process; so only patches of one's own. A folder in place of a patch is a working
copy of the repository.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.evaluation.reading import BrokenContract
from rexbench.task.folder import Task, host_module
from rexbench.task.variants import Variant, write_variant

TIMED = "import os, subprocess as s, sys; c = s.call(sys.argv[1], shell=True); print(sum(os.times()[2:4])); sys.exit(c)"


def run(task: Task, patch: str, made: Variant, folder: Path, budget: float) -> str:
    """One line: figure, CPU seconds, figure by stratum."""
    tree = folder / "tree"
    source = Path(patch) if Path(patch).is_dir() else task.repo
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns("data", "truth", "papers", "results", "__pycache__"))
    if patch != "none" and source == task.repo:
        subprocess.run(["git", "apply", str(Path(patch).resolve())], cwd=tree, check=True)
    shutil.copytree(made.data, tree / "data")
    if task.spec.laboratory:
        shutil.copytree(made.truth, tree / "truth")
        client = tree / "lab.py"
        client.write_text(
            re.sub(r"\nBUDGET = (\d+)", lambda found: f"\nBUDGET = {round(int(found[1]) * budget)}", client.read_text())
        )
    variables = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", TIMED, task.spec.experiment.command]
    ended = subprocess.run(command, cwd=tree, env=variables, capture_output=True, text=True)
    if ended.returncode:
        return "failed: " + " | ".join(ended.stderr.strip().splitlines()[-4:])
    try:
        strata = host_module(task, "judge").strata(tree, made.data, made.truth)
    except BrokenContract as refusal:
        return f"refused: {refusal}"
    each = " ".join(f"{value:.2f}" for value in strata.values())
    return f"{sum(strata.values()) / len(strata):.4f}  cpu {float(ended.stdout.split()[-1]):.1f}  {each}"


def measure(task: Task, seed: int, patches: list[str], budget: float) -> None:
    """All patches on the worlds of one seed."""
    with tempfile.TemporaryDirectory() as name:
        made = write_variant(task, seed, Path(name) / "worlds")
        for patch in patches:
            with tempfile.TemporaryDirectory() as folder:
                print(seed, Path(patch).stem, run(task, patch, made, Path(folder), budget), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", type=Path, help="its folder")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(101, 111)))
    parser.add_argument("--patches", nargs="+", default=["none"])
    parser.add_argument("--budget", type=float, default=1.0, help="factor on the laboratory's budget")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    task = Bench().task(arguments.task.resolve())
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for done in [pool.submit(measure, task, seed, arguments.patches, arguments.budget) for seed in arguments.seeds]:
            done.result()


if __name__ == "__main__":
    main()
