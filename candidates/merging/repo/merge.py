# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Merge every family of a folder into one network."""

import argparse
from pathlib import Path

from merging.arithmetic import merge
from merging.config import load_settings
from merging.worlds import load_worlds, save_networks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    settings = load_settings(arguments.config)
    networks = [merge(world, settings) for world in load_worlds(arguments.data)]
    save_networks(arguments.out / "networks.npz", networks)
    print(f"{len(networks)} families merged")


if __name__ == "__main__":
    main()
