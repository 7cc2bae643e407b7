# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reconstruct every scan of a folder."""

import argparse
from pathlib import Path

import numpy as np
from tomo.config import load_settings
from tomo.methods import reconstruct
from tomo.scans import load_scans


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    settings = load_settings(arguments.config)
    images = np.stack([reconstruct(scan, settings) for scan in load_scans(arguments.data)])
    arguments.out.mkdir(parents=True, exist_ok=True)
    np.save(arguments.out / "images.npy", images)
    print(f"{len(images)} images of shape {images.shape[1:]}")


if __name__ == "__main__":
    main()
