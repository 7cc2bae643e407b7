# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recovery of a known dictionary of independent features by the autoencoder, as their number and their rate of firing grow."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sae.autoencoder import train
from sae.config import Settings
from sae.recovery import unexplained


def toy(features: int, channels: int, rate: float, rng: np.random.Generator, tokens: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    """Readings and codes of a toy model of superposition."""
    directions = rng.normal(size=(features, channels))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    codes = (rng.random((tokens, features)) < rate) * rng.uniform(0.5, 1.5, (tokens, features))
    return codes @ directions + rng.normal(0, 0.05, (tokens, channels)), codes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--channels", type=int, default=16)
    parser.add_argument("--rates", type=float, nargs="+", default=[0.03, 0.1, 0.2])
    parser.add_argument("--features", type=int, nargs="+", default=[12, 20, 32])
    arguments = parser.parse_args()
    print("median unexplained share of a feature; rows: features, columns: rates", arguments.rates)
    for features in arguments.features:
        cells = []
        for rate in arguments.rates:
            for settings in (Settings(), Settings(active=max(1, round(rate * features)))):
                x, true = toy(features, arguments.channels, rate, np.random.default_rng(7))
                codes = train(x, settings).encode(x)
                cells.append(np.median(unexplained(codes, np.arange(codes.shape[1]), true, np.arange(features)).min(1)))
        print(f"{features:3d}  " + "  ".join(f"L1 {a:.2f} TopK {b:.2f}" for a, b in zip(cells[::2], cells[1::2], strict=True)))


if __name__ == "__main__":
    main()
