# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of the extension over several variants.

    git -C TREE apply vault/gold.patch          # TREE: a copy of repo/
    python authoring/measure.py --tree TREE --seeds 1 2 3 4 5 [--checkpoint FOLDER]

Prints accuracy, CCC and gap per base and k (mean and standard deviation over variants), and how often a wrong answer in a
counterfactual base is the one that base ten gives. Works on a copy of TREE.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from variant import make

ASKED = re.compile(r"([0-9A-F]+)\+([0-9A-F]+)=$")


def recited(path: Path) -> tuple[int, int]:
    """Of the wrong answers to letter-free queries: those that are right in base ten, and all."""
    hits = wrong = 0
    for row in map(json.loads, path.read_text().splitlines()):
        left, right = ASKED.search(row["prompt"]).groups()
        if not row["correct"] and (left + right).isdigit():
            wrong += 1
            hits += row["output"] == str(int(left) + int(right))[::-1] + ";"
    return hits, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--checkpoint", type=Path)
    args = parser.parse_args()
    tables, slips = [], []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(args.tree, tree, ignore=shutil.ignore_patterns(".git", "results"))
        if args.checkpoint:
            for name in ("model.safetensors", "config.json"):
                shutil.copy(args.checkpoint / name, tree / "checkpoints" / name)
        for seed in args.seeds:
            shutil.rmtree(tree / "data")
            (tree / "data").mkdir()
            make(seed, tree / "data")
            subprocess.run(["bash", "run_few_shot.sh"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
            tables.append(pd.read_csv(tree / "results" / "few_shot" / "summary.csv").assign(seed=seed))
            for base in (9, 11):
                for k in (0, 1, 4, 8):
                    hits, wrong = recited(tree / "results" / "few_shot" / f"sum_base{base}_k{k}.jsonl")
                    slips.append({"base": base, "k": k, "recited": hits, "wrong": wrong})
    found = pd.concat(tables).groupby(["base", "k"])[["accuracy", "ccc", "gap"]].agg(["mean", "std"])
    print(found.round(3).to_string())
    print(pd.DataFrame(slips).groupby(["base", "k"]).sum().assign(share=lambda t: t.recited / t.wrong).round(3).to_string())


if __name__ == "__main__":
    main()
