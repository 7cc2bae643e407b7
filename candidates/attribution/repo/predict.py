# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Predict the margins of the asked subsets for every world of a folder."""

import argparse
from pathlib import Path

import numpy as np

from attribution.config import load_settings
from attribution.methods import predict
from attribution.worlds import load_worlds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    arguments = parser.parse_args()
    settings = load_settings(arguments.config)
    margins = np.stack([predict(world, settings) for world in load_worlds(arguments.data)])
    arguments.out.mkdir(parents=True, exist_ok=True)
    np.save(arguments.out / "margins.npy", margins)
    print(f"{len(margins)} worlds, margins of shape {margins.shape[1:]}")


if __name__ == "__main__":
    main()
