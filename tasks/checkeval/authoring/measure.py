# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of fidelity.md: base finding and effect of the extension over variants.

    python authoring/measure.py TREE SEED [SEED ...]

TREE is a copy of repo/ with the gold patch applied; its data/ is replaced. Run with the base environment's interpreter first on PATH.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

TASK = Path(__file__).resolve().parent.parent
TABLES = {
    "likert, all documents": "table_likert.csv",
    "checklist, all documents": "table_checklist.csv",
    "unweighted, held out": "correlations_unweighted.csv",
    "weighted, held out": "correlations_weighted.csv",
}


def main(tree: Path, seeds: list[int]) -> None:
    sys.path.insert(0, str(TASK))
    import variant

    found: dict[tuple[str, str, str], list[float]] = {}
    for seed in seeds:
        shutil.rmtree(tree / "data", ignore_errors=True)
        (tree / "data").mkdir()
        variant.make(seed, tree / "data")
        subprocess.run(["bash", "run_final.sh"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
        for label, name in TABLES.items():
            for row in pd.read_csv(tree / "results" / name).to_dict("records"):
                for coefficient in ("pearson", "spearman", "kendall"):
                    found.setdefault((label, row["dimension"], coefficient), []).append(row[coefficient])
    for dimension in ("coherence", "consistency", "fluency", "relevance", "average"):
        for coefficient in ("pearson", "spearman", "kendall"):
            values = {label: np.array(found[label, dimension, coefficient]) for label in TABLES}
            base = values["checklist, all documents"] - values["likert, all documents"]
            gain = values["weighted, held out"] - values["unweighted, held out"]
            cells = [f"{v.mean():.3f} ± {v.std(ddof=1):.3f}" for v in values.values()]
            cells += [
                f"{base.mean():+.3f} ({(base > 0).sum()}/{len(base)})",
                f"{gain.mean():+.3f} ± {gain.std(ddof=1):.3f} ({(gain > 0).sum()}/{len(gain)})",
            ]
            print(f"| {dimension} | {coefficient} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]])
