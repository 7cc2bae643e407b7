# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Perplexities over training seeds, with processor time and memory, on one variant; gold must be unsealed.

    python authoring/measure.py --variant 0 --seeds 5 control structural word_hop

Applies the gold patch to a copy of the repository, runs each language through the repository's own run.py and prints
mean and standard deviation (n - 1). One run is one process in one thread.
"""

import argparse
import importlib.util
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TASK = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="+")
    parser.add_argument("--variant", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], dest="overrides")
    args = parser.parse_args()
    spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
    variant = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(variant)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name, "tree")
        shutil.copytree(TASK / "repo", tree, ignore=shutil.ignore_patterns("data"))
        environment = {**os.environ, "GIT_CEILING_DIRECTORIES": name, "OMP_NUM_THREADS": "1"}
        subprocess.run(["git", "apply", str(TASK / "vault/gold.patch")], cwd=tree, check=True, env=environment)
        (tree / "data").mkdir()
        variant.make(args.variant, tree / "data")
        extra = [word for override in args.overrides for word in ("--set", override)]
        for language in args.languages:
            found, before = [], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            for seed in range(args.seeds):
                command = [sys.executable, "run.py", "--language", language, "--seed", str(seed), *extra]
                run = subprocess.run(command, cwd=tree, check=True, env=environment, capture_output=True, text=True)
                found.append(float(re.search(r"test perplexity ([\d.]+)", run.stdout)[1]))
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            spread = statistics.stdev(found) if len(found) > 1 else 0.0
            print(
                f"{language:<18} mean {statistics.mean(found):8.3f}  sd {spread:6.3f}  {found}  "
                f"cpu {(usage.ru_utime - before) / len(found):.1f} s  peak {usage.ru_maxrss // 1024} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
