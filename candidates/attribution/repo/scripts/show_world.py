# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Show a world: its table, and what its record says about single rows."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attribution.plain import train
from attribution.worlds import load_world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--ridge", type=float, default=3.0)
    arguments = parser.parse_args()
    world = load_world(arguments.data / f"world_{arguments.number:02d}.npz")
    sizes = world.subsets.sum(1)
    print(f"{world.name}: {world.train} rows, {len(world.label) - world.train} test rows")
    print(f"{len(sizes)} records of {sizes.min()} to {sizes.max()} rows, errors of {world.noise:.3f}")
    print(" row  label level flags  numbers" + " " * 34 + "mean margin with less without the row, by test row")
    for row in range(len(world.label)):
        numbers = " ".join("   .   " if np.isnan(value) else f"{value:7.2f}" for value in world.numbers[row])
        line = f"{row:4d} {world.label[row]:5.0f} {world.level[row]:5d}   {world.flags[row, 0]:.0f} {world.flags[row, 1]:.0f}  {numbers}"
        if row < world.train:
            has = world.subsets[:, row]
            effect = world.margins[has].mean(0) - world.margins[~has].mean(0)
            line += "   " + " ".join(f"{value:5.2f}" for value in effect)
        print(line)
    plain = np.array([train(world, subset, arguments.ridge) for subset in world.subsets])
    left = world.margins - plain
    print(f"the plain pipeline with ridge {arguments.ridge} leaves {np.sqrt(np.mean(left**2)) / world.noise:.1f} times the error of measurement")
    print("correlation of what is left with the size of the subset, by test row:")
    print(" ".join(f"{np.corrcoef(sizes, left[:, at])[0, 1]:5.2f}" for at in range(left.shape[1])))


if __name__ == "__main__":
    main()
