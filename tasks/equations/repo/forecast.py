# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Forecast the new runs of every world of a folder with an identified equation."""

import argparse
from pathlib import Path

import numpy as np

from sindy.config import load_settings
from sindy.model import forecast
from sindy.worlds import load_worlds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    settings = load_settings(arguments.config)
    forecasts = np.stack([forecast(world, settings) for world in load_worlds(arguments.data)])
    arguments.out.mkdir(parents=True, exist_ok=True)
    np.save(arguments.out / "forecasts.npy", forecasts)
    print(f"{len(forecasts)} worlds, forecasts of shape {forecasts.shape[1:]} each")


if __name__ == "__main__":
    main()
