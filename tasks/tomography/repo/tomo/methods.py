# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From a scan to an image, by the method that the settings name."""

import numpy as np

from tomo.config import Settings
from tomo.fbp import filtered_back_projection
from tomo.scans import Scan, sinogram
from tomo.sirt import sirt


def reconstruct(scan: Scan, settings: Settings) -> np.ndarray:
    """Attenuation per pixel, (24, 24), never negative."""
    integrals = sinogram(scan)
    if settings.method == "fbp":
        image = filtered_back_projection(integrals, scan.angles, settings.filter, settings.cutoff)
    elif settings.method == "sirt":
        image = sirt(integrals, scan.angles, settings.iterations, settings.relaxation)
    else:
        raise ValueError(f"unknown method {settings.method!r}; known are fbp and sirt")
    return np.maximum(image, 0)
