# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Win rates over data seeds: python authoring/measure.py GOLD_PATCH [--seeds 1 2 3 4 5] [--model-b FOLDER] [--model-a FOLDER]

Runs model A with the repository as it is and with the patch (they must agree), and model B with the patch, on the data of every seed. A folder with
other weights (a second training seed) can take the place of the shipped ones.
"""

import argparse
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TASK = Path(__file__).resolve().parent.parent
ABLATIONS = ("no_rules", "two_rules", "all_rules")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("patch", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--model-a", type=Path)
    parser.add_argument("--model-b", type=Path)
    args = parser.parse_args()
    spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
    variant = importlib.util.module_from_spec(spec)
    sys.modules["variant"] = variant
    spec.loader.exec_module(variant)
    with tempfile.TemporaryDirectory() as scratch:
        base, gold = Path(scratch) / "base", Path(scratch) / "gold"
        shutil.copytree(TASK / "repo", base)
        for name, folder in (("a", args.model_a), ("b", args.model_b)):
            if folder:
                for file in ("config.json", "model.safetensors"):
                    shutil.copy(folder / file, base / "models" / name / file)
        shutil.copytree(base, gold)
        subprocess.run(["git", "apply", str(args.patch.resolve())], cwd=gold, check=True)
        found: dict[tuple[str, str], list[float]] = {}
        for seed in args.seeds:
            for tree in (base, gold):
                for part in ("data", "truth"):
                    shutil.rmtree(tree / part)
                    (tree / part).mkdir()
                variant.make(seed, tree / "data", tree / "truth")
            a = run(base, "a")
            assert a == run(gold, "a"), "the patch changes model A's table"
            for model, table in (("a", a), ("b", run(gold, "b"))):
                for ablation, rate in table.items():
                    found.setdefault((model, ablation), []).append(rate)
        for (model, ablation), rates in found.items():
            print(f"{model} {ablation:10} {statistics.mean(rates):5.1f} ± {statistics.stdev(rates):.1f}   {rates}")


def run(tree: Path, model: str) -> dict[str, float]:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", f"run_model_{model}.sh"], cwd=tree, env=env, check=True, capture_output=True, text=True)
    return {
        line.split()[0]: float(line.split()[1])
        for line in done.stdout.splitlines()
        if line.split()[:1] and line.split()[0] in ABLATIONS
    }


if __name__ == "__main__":
    main()
