# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What is read of a world: size, spread by channel and by position, and what the baseline's dictionary does with it."""

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sae.autoencoder import train
from sae.config import load_settings
from sae.worlds import load_world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    arguments = parser.parse_args()
    world = load_world(ROOT / "data" / f"world_{arguments.number:02d}.npz")
    x = world.x
    print(f"{world.name}: {x.shape[0]} tokens of {len(set(world.sequence))} texts, {x.shape[1]} channels")
    print("mean by channel   ", np.round(x.mean(0), 2))
    print("spread by channel ", np.round(x.std(0), 2))
    print("norm by position  ", np.round([np.linalg.norm(x[world.position == p], axis=1).mean() for p in range(0, 40, 4)], 2))
    model = train(x, load_settings(ROOT / "configs/baseline.yaml"))
    codes = model.encode(x)
    left = ((x - model.decode(codes)) ** 2).sum() / ((x - x.mean(0)) ** 2).sum()
    print(f"baseline: {(codes > 0).sum(1).mean():.1f} codes per token, {left:.3f} of the variance unexplained")
    print("share of tokens per latent", np.round(np.sort((codes > 0).mean(0))[::-1], 2))


if __name__ == "__main__":
    main()
