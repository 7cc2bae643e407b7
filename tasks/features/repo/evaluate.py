# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recovery on the public worlds, by group."""

import argparse
from pathlib import Path

import numpy as np

from sae.recovery import scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    parser.add_argument("--worlds", action="store_true", help="also print a line per world")
    arguments = parser.parse_args()
    codes, groups = np.load(arguments.results / "codes.npy"), np.load(arguments.results / "groups.npy")
    found: dict[int, list[float]] = {}
    paths = sorted(arguments.truth.glob("world_*.npz"))
    for path, code, group in zip(paths, codes.astype(np.float64), groups, strict=True):
        with np.load(path) as file:
            truth = {name: file[name] for name in file.files}
        each = scores(code, group, truth["codes"].astype(np.float64), truth["groups"], truth["floor"])
        found.setdefault(int(truth["stratum"]), []).append(float(each.mean()))
        if arguments.worlds:
            print(
                f"{path.stem}  group {int(truth['stratum']):2d}  recovery {each.mean():.3f}  features {np.round(np.sort(each), 2).tolist()}"
            )
    for number in sorted(found):
        print(f"group {number:2d}  {np.mean(found[number]):.3f}   ({' '.join(f'{value:.2f}' for value in found[number])})")
    print(f"recovery {np.mean([np.mean(values) for values in found.values()]):.4f}")


if __name__ == "__main__":
    main()
