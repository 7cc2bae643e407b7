# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train an autoencoder on every world of a folder and write its codes."""

import argparse
from pathlib import Path

import numpy as np

from sae.autoencoder import train
from sae.config import Settings, load_settings
from sae.worlds import World, load_worlds

COLUMNS = 40


def extract(world: World, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """(tokens, 40) codes, and for each code the feature that it belongs to; unused codes are zero."""
    codes = np.zeros((len(world.x), COLUMNS))
    codes[:, : settings.latents] = train(world.x, settings).encode(world.x)
    return codes, np.arange(COLUMNS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    settings = load_settings(arguments.config)
    found = [extract(world, settings) for world in load_worlds(arguments.data)]
    arguments.out.mkdir(parents=True, exist_ok=True)
    np.save(arguments.out / "codes.npy", np.stack([codes for codes, _ in found]).astype(np.float32))
    np.save(arguments.out / "groups.npy", np.stack([groups for _, groups in found]))
    print(f"{len(found)} worlds, codes of shape {found[0][0].shape} each")


if __name__ == "__main__":
    main()
