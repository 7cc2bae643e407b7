# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scans as they come from the laboratory, one file per object."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Scan:
    """What is recorded of one object."""

    name: str
    angles: np.ndarray
    """(views,): the angle of each view in degrees as the scanner states it, in the order of acquisition."""
    counts: np.ndarray
    """(views, bins): photons counted."""
    open_beam: np.ndarray
    """(bins,): expected count without an object, measured with care before the scan."""

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape


def load_scan(path: Path) -> Scan:
    """Read one scan."""
    with np.load(path) as file:
        return Scan(path.stem, file["angles"], file["counts"], file["open_beam"])


def load_scans(folder: Path) -> Iterator[Scan]:
    """All scans of a folder in the order of their names."""
    for path in sorted(folder.glob("world_*.npz")):
        yield load_scan(path)


def sinogram(scan: Scan) -> np.ndarray:
    """Line integrals by the law of Beer and Lambert: minus the logarithm of the share of the open beam, (views, bins)."""
    return -np.log(np.maximum(scan.counts, 0.5) / scan.open_beam)
