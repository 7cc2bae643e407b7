# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of the unchanged repository and of patches on fresh worlds, by stratum.

    python authoring/measure.py --seeds 101 102 --patches none vault/gold.patch vault/ideas/toolbox.patch --jobs 4
    python authoring/measure.py --seeds 101 --patches vault/gold.patch --wells 18      # half of the budget

Patches run here unsandboxed, with the laboratory in process and truth beside it: this is for the author's own patches.
"""

import argparse
import importlib.util
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import ModuleType

TASK = Path(__file__).resolve().parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TASK / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run(patch: str, seed: int, wells: int) -> str:
    """One line: seed, patch, figure, CPU seconds, figure by stratum."""
    variant, judge = _load("variant"), _load("judge")
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        shutil.copytree(TASK / "repo", tree)
        if patch != "none":
            subprocess.run(["git", "apply", str(Path(patch).resolve())], cwd=tree, check=True)
        for part in ("data", "truth", "papers"):
            shutil.rmtree(tree / part, ignore_errors=True)
        (tree / "data").mkdir()
        (tree / "truth").mkdir()
        variant.make(seed, tree / "data", tree / "truth")
        described = tree / "data" / "worlds.json"
        described.write_text(described.read_text().replace(f'"wells": {variant.WELLS}', f'"wells": {wells}'))
        lab = tree / "lab.py"
        budget = len(variant.STRATA) * variant.WORLDS_PER_STRATUM * variant.ROUNDS * wells
        lab.write_text(re.sub(r"BUDGET = \d+", f"BUDGET = {budget}", lab.read_text()))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        ended = subprocess.run(
            ["bash", "run.sh"], cwd=tree, env={**os.environ, **ONE_THREAD, "PATH": search}, capture_output=True, text=True
        )
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        head = f"{seed} {'/'.join(Path(patch).parts[-2:])}"
        if ended.returncode:
            return f"{head} failed: {ended.stderr.strip().splitlines()[-1]}"
        strata = judge.strata(tree, tree / "data", tree / "truth")
        figure = sum(strata.values()) / len(strata)
        return f"{head} {figure:.4f}  cpu {seconds:.0f}  " + " ".join(f"{value:.2f}" for value in strata.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(101, 111)))
    parser.add_argument("--patches", nargs="+", default=["none", str(TASK / "vault/gold.patch")])
    parser.add_argument("--wells", type=int, default=36, help="wells of a plate; 36 is the task's")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    os.environ.update(ONE_THREAD)
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        running = [pool.submit(run, patch, seed, arguments.wells) for seed in arguments.seeds for patch in arguments.patches]
        for one in running:
            print(one.result(), flush=True)


if __name__ == "__main__":
    main()
