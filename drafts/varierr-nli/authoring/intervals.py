# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Distance of each patch from gold in units of the accepted half-width, from files of JSON lines {"seed": variant, "metrics": {...}}.

    python authoring/intervals.py FOLDER

FOLDER holds gold-s<k>.jsonl for each training seed k and <patch>.jsonl for each other patch. The half-width is
t * sd * sqrt(2) with sd pooled over gold's training seeds within variants and a joint false-rejection rate of one percent.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy import stats


def read(path: Path) -> dict[int, dict[str, float]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    return {row["seed"]: row["metrics"] for row in rows if "metrics" in row}


def main() -> None:
    folder = Path(sys.argv[1])
    gold = {path.stem: read(path) for path in sorted(folder.glob("gold-s*.jsonl"))}
    live = gold["gold-s0"]
    noisy = [name for name in next(iter(live.values())) if name != "aggregated_pairs"]
    half = {}
    for name in noisy:
        groups = [[run[variant][name] for run in gold.values() if variant in run] for variant in live]
        freedom = sum(len(group) - 1 for group in groups)
        sd = math.sqrt(sum(np.var(group) * len(group) for group in groups) / freedom)
        half[name] = stats.t.ppf(1 - 0.01 / len(noisy) / 2, freedom) * sd * math.sqrt(2)
        print(f"{name:20} sd {sd:.5f}  half-width {half[name]:.5f}  ({freedom} degrees of freedom)")
    for path in sorted(folder.glob("*.jsonl")):
        for variant, found in read(path).items():
            ratios = {name: abs(found[name] - live[variant][name]) / half[name] for name in noisy}
            same = found["aggregated_pairs"] == live[variant]["aggregated_pairs"]
            verdict = "passes" if same and max(ratios.values()) <= 1 else "fails"
            cells = " ".join(f"{name}={found[name]:.4f}({ratios[name]:.2f})" for name in noisy)
            print(f"{path.stem:24} {variant} {verdict:6} {cells} aggregated_pairs={found['aggregated_pairs']}{'' if same else '*'}")


if __name__ == "__main__":
    main()
