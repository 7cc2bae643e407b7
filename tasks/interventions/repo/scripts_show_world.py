# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A look at one public world: its archive, and one batch of the laboratory.

python scripts_show_world.py world_07
"""

import argparse

import numpy as np

from bench import ROOT, Arm, Bench
from causal.worlds import load_worlds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    name = parser.parse_args().world
    world = next(world for world in load_worlds(ROOT / "data") if world.name == name)
    np.set_printoptions(precision=2, suppress=True, linewidth=140)
    print("archive: mean", world.archive.mean(0), "sd", world.archive.std(0))
    print("correlations", np.corrcoef(world.archive.T), sep="\n")
    arms = [Arm(20), *(Arm(12, set={i: 2}) for i in range(5))]
    for arm, rows in zip(arms, Bench().batch(name, arms), strict=True):
        print(f"{'control' if not arm.set else f'set {arm.set}':12s} mean", rows.mean(0), "sd", rows.std(0))


if __name__ == "__main__":
    main()
