# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Show a scan's sinogram and an image of it as pictures in characters."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tomo.config import load_settings
from tomo.methods import reconstruct
from tomo.scans import load_scan, sinogram

SHADES = " .:-=+*#%@"


def picture(array: np.ndarray) -> str:
    """One character per value, dark to bright."""
    low, high = float(array.min()), float(array.max())
    level = ((array - low) / (high - low + 1e-12) * (len(SHADES) - 1)).round().astype(int)
    return "\n".join("".join(SHADES[value] for value in row) for row in level) + f"\n{low:.3f} to {high:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    arguments = parser.parse_args()
    scan = load_scan(arguments.data / f"world_{arguments.number:02d}.npz")
    print(f"{scan.name}: {scan.shape[0]} views over {scan.angles[-1] - scan.angles[0]:.1f} degrees, {scan.shape[1]} bins")
    print(f"open beam {scan.open_beam.min():.0f} to {scan.open_beam.max():.0f} photons")
    print(picture(sinogram(scan)))
    print(picture(reconstruct(scan, load_settings(arguments.config))))


if __name__ == "__main__":
    main()
