# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The baseline: SINDy with a polynomial library, from the records of a world to its forecasts."""

from dataclasses import dataclass

import numpy as np

from sindy import ensemble, weak
from sindy.config import Settings
from sindy.derivatives import METHODS
from sindy.library import Library, build
from sindy.regression import best_threshold
from sindy.simulation import runge_kutta
from sindy.worlds import World


@dataclass(frozen=True)
class Equation:
    """dx/dt = library(x) @ weights."""

    library: Library
    weights: np.ndarray
    """(functions, variables)"""

    def __call__(self, t: float, x: np.ndarray) -> np.ndarray:
        return self.library(x) @ self.weights

    def __str__(self) -> str:
        lines = []
        for variable in range(self.weights.shape[1]):
            used = [
                f"{weight:+.3f} {name}"
                for name, weight in zip(self.library.names, self.weights[:, variable], strict=True)
                if weight != 0
            ]
            lines.append(f"dx{variable}/dt = {' '.join(used) or '0'}")
        return "\n".join(lines)


def regression_system(world: World, library: Library, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """Columns and target of all runs of a world, in the form that the settings ask for."""
    columns, targets = [], []
    for t, x in zip(world.t, world.x, strict=True):
        if settings.form == "weak":
            part, target = weak.weak_system(t, x, library, settings.width)
        else:
            states, target = METHODS[settings.derivative](t, x)
            part = library(states)
        columns.append(part)
        targets.append(target)
    return np.concatenate(columns), np.concatenate(targets)


def identify(world: World, settings: Settings) -> Equation:
    """The sparse equation of a world."""
    library = build(world.x.shape[-1], settings.degree, settings.frequencies)
    columns, target = regression_system(world, library, settings)
    if settings.models > 1:
        rng = np.random.default_rng(settings.seed)
        fits = ensemble.bagging(columns, target, settings.thresholds[0], rng, settings.models, settings.ridge)
        return Equation(library, ensemble.combine(fits))
    return Equation(library, best_threshold(columns, target, settings.thresholds, settings.ridge))


def forecast(world: World, settings: Settings) -> np.ndarray:
    """(new runs, times, 2): what the instrument is expected to show."""
    equation = identify(world, settings)
    bound = 3 * float(np.abs(world.x).max())
    return runge_kutta(equation, world.new_start, world.new_t, settings.step, bound)
