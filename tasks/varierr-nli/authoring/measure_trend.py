# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of fidelity.md: all scorers and the distilled one on one variant, five training seeds each.

    python authoring/measure_trend.py --python PYTHON_WITH_TORCH --patch vault/gold.patch --variant 0

Run it from the task folder. It works on a copy in a temporary folder, in one thread, for one to two minutes of processor time.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TASK = Path(__file__).resolve().parent.parent
SCORERS = ("label_count", "peer_votes", "dm_mean", "dm_std", "distil")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, type=Path)
    parser.add_argument("--patch", required=True, type=Path)
    parser.add_argument("--variant", type=int, default=0)
    options = parser.parse_args()
    sys.path.insert(0, str(TASK))
    from variant import make

    with tempfile.TemporaryDirectory(prefix="varierr-nli-trend-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(
            TASK / "repo", tree, ignore=shutil.ignore_patterns("data", "truth", "predictions", "results", "__pycache__")
        )
        (tree / "data").mkdir()
        (tree / "truth").mkdir()
        make(options.variant, tree / "data", tree / "truth")
        subprocess.run(["git", "apply", str(options.patch.resolve())], cwd=tree, check=True)
        config = tree / "config.yaml"
        config.write_text(re.sub(r"^seeds: .*$", "seeds: [42, 43, 44, 45, 46]", config.read_text(), flags=re.MULTILINE))
        bin_first = f"{options.python.absolute().parent}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": bin_first, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        for scorer in SCORERS:
            subprocess.run(["bash", "run_scorer.sh", scorer], cwd=tree, check=True, env=environment, stdout=subprocess.DEVNULL)
        print((tree / "results" / "table.tsv").read_text())


if __name__ == "__main__":
    main()
