# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Place the calls of all worlds in a folder and write results/positions.npy."""

import argparse
from pathlib import Path

import numpy as np
from sound.config import load_settings
from sound.localise import positions
from sound.worlds import load_worlds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    settings = load_settings(arguments.config)
    placed = np.stack([positions(world, settings) for world in load_worlds(arguments.data)])
    arguments.out.mkdir(parents=True, exist_ok=True)
    np.save(arguments.out / "positions.npy", placed)
    print(f"placed the calls of {len(placed)} worlds")


if __name__ == "__main__":
    main()
