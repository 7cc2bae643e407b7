#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of fidelity.md: run the gold patch on variants and probe seeds, and judge it.

    PYTHONPATH=src python tasks/othello/authoring/measure.py --python ENV/bin/python --variants 1 2 3 4 5 --seeds 0
    PYTHONPATH=src python tasks/othello/authoring/measure.py --python ENV/bin/python --variants 101 --seeds 0 1 2 3 4

Needs the vault unsealed, git, and an interpreter of the task's environment. Runs without a sandbox: for our own patches only. Prints one
JSON line per run and, where there are several, mean and standard deviation of each figure: the accuracy of both conditions per layer.
"""

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

TASK = Path(__file__).resolve().parents[1]


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, TASK / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--patch", type=Path, default=TASK / "vault" / "gold.patch")
    parser.add_argument("--variants", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    args = parser.parse_args()
    variant, judge = load("variant"), load("judge")
    runs = []
    for number in args.variants:
        for seed in args.seeds:
            with tempfile.TemporaryDirectory(prefix="othello-measure-") as folder:
                tree = Path(folder) / "tree"
                shutil.copytree(TASK / "repo", tree)
                shutil.rmtree(tree / "data")
                (tree / "data").mkdir()
                variant.make(number, tree / "data")
                subprocess.run(["git", "apply", str(args.patch.resolve())], cwd=tree, check=True)
                path = f"{args.python.absolute().parent}:{os.environ['PATH']}"
                began = time.time()
                subprocess.run(
                    ["bash", "run_probes.sh"],
                    cwd=tree,
                    check=True,
                    stdout=subprocess.DEVNULL,
                    env={"PATH": path, "HOME": folder, "SEED": str(seed), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"},
                )
                truth = judge._truth(tree / "data" / "test_games.txt")
                figures = {
                    f"{condition}_layer_{layer}": float(
                        (np.load(tree / "results" / condition / f"layer_{layer}.npy") == labels).mean()
                    )
                    for condition, labels in (("black_white", truth.colours), ("mine_theirs", truth.relative))
                    for layer in range(judge.LAYERS)
                }
                runs.append(figures)
                line = {"variant": number, "seed": seed, "seconds": round(time.time() - began, 1)}
                print(json.dumps({**line, **figures}), flush=True)
    if len(runs) > 1:
        for name in runs[0]:
            values = [run[name] for run in runs]
            print(f"{name:24s} mean {statistics.mean(values):.4f}  sd {statistics.stdev(values):.5f}")


if __name__ == "__main__":
    main()
