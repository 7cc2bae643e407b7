# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Error of filtered back-projection and of simultaneous iterations on ideal scans of a test object, by views and photons."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tomo.config import Settings
from tomo.methods import reconstruct
from tomo.projector import SIDE, parallel, pixel_places
from tomo.scans import Scan
from tomo.skill import error

ELLIPSES = (
    (0.0, 0.0, 9.0, 6.8, 0.11),
    (-2.2, 1.5, 2.2, 3.8, -0.07),
    (3.8, -0.8, 1.9, 3.0, 0.08),
    (0.8, 3.8, 1.5, 1.2, 0.11),
    (-5.2, -1.5, 1.0, 1.0, 0.13),
)
"""(x, y, half width, half height, attenuation) of what the test object is the sum of."""


def test_object() -> np.ndarray:
    x, y = pixel_places()
    image = sum(level * (((x - cx) / a) ** 2 + ((y - cy) / b) ** 2 < 1) for cx, cy, a, b, level in ELLIPSES)
    return image.reshape(SIDE, SIDE)


def ideal_scan(image: np.ndarray, views: int, photons: float, rng: np.random.Generator, bins: int = 34) -> Scan:
    """What a perfect scanner counts."""
    angles = np.arange(views) * 180.0 / views
    path = (parallel(angles, bins) @ image.ravel()).reshape(views, bins)
    return Scan("ideal", angles, rng.poisson(photons * np.exp(-path)).astype(float), np.full(bins, photons))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, nargs="+", default=[10, 20, 40, 80])
    parser.add_argument("--photons", type=float, nargs="+", default=[1e3, 1e4, 1e5])
    arguments = parser.parse_args()
    methods = {
        "fbp ramp": Settings(),
        "fbp hann": Settings(filter="hann"),
        "sirt 60": Settings(method="sirt", iterations=60),
        "sirt 300": Settings(method="sirt", iterations=300),
    }
    image = test_object()
    print(f"{'views':>6s} {'photons':>9s} " + " ".join(f"{name:>9s}" for name in methods))
    for views in arguments.views:
        for photons in arguments.photons:
            scan = ideal_scan(image, views, photons, np.random.default_rng(views))
            cells = " ".join(f"{error(reconstruct(scan, settings), image):9.3f}" for settings in methods.values())
            print(f"{views:6d} {photons:9.0f} {cells}")


if __name__ == "__main__":
    main()
