# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a family consists of."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from merging.worlds import load_world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--data", type=Path, default=Path("data"))
    arguments = parser.parse_args()
    world = load_world(arguments.data / f"world_{arguments.number:02d}.npz")
    print(f"{world.name}: wanted sizes {world.sizes}, activation {world.activation}")
    x = np.random.default_rng(0).normal(size=(500, world.sizes[0]))
    outputs = [parent(x) for parent in world.parents]
    for at, parent in enumerate(world.parents):
        zeros = np.mean(np.concatenate([weights.ravel() for weights in parent.weights]) == 0)
        print(f"parent {at}: sizes {parent.sizes}, {', '.join(parent.activations)}, age {world.ages[at]:.1f}, zeros {zeros:.2f}")
    print("root mean square differences of outputs")
    for one in outputs:
        print("  " + " ".join(f"{np.sqrt(((one - two) ** 2).mean()):7.3f}" for two in outputs))


if __name__ == "__main__":
    main()
