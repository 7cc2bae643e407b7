# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From a world to predicted margins, by the method that the settings name."""

import numpy as np

from attribution.config import Settings
from attribution.datamodel import predict_datamodel
from attribution.influence import predict_influence
from attribution.lasso import predict_lasso
from attribution.worlds import World


def predict(world: World, settings: Settings) -> np.ndarray:
    """Margins of the asked subsets, (asked, test rows)."""
    if settings.method == "datamodel":
        return predict_datamodel(world, list(settings.strengths), settings.size_term)
    if settings.method == "lasso":
        return predict_lasso(world, list(settings.strengths), settings.size_term)
    if settings.method == "influence":
        return predict_influence(world, settings.ridge, settings.calibrate)
    raise ValueError(f"unknown method {settings.method!r}; known are datamodel, lasso and influence")
