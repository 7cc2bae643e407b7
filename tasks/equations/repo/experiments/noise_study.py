# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recovery of known polynomial equations from noisy samples: strong form, weak form, and ensembles of both."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sindy import ensemble
from sindy.derivatives import METHODS
from sindy.library import Library, polynomial
from sindy.regression import stlsq
from sindy.simulation import runge_kutta
from sindy.weak import weak_system

Weights = dict[tuple[str, int], float]

SYSTEMS: dict[str, tuple[Weights, np.ndarray]] = {
    "lotka-volterra": (
        {("x0", 0): 1.0, ("x0*x1", 0): -0.8, ("x1", 1): -1.0, ("x0*x1", 1): 0.7},
        np.array([[1.0, 0.5], [2.0, 1.5], [0.6, 1.8]]),
    ),
    "van der pol": (
        {("x1", 0): 1.0, ("x1", 1): 1.2, ("x0*x0*x1", 1): -1.2, ("x0", 1): -1.0},
        np.array([[1.0, 0.0], [-2.0, 1.0], [0.2, -0.4]]),
    ),
    "duffing": (
        {("x1", 0): 1.0, ("x0", 1): -1.0, ("x0*x0*x0", 1): -0.5, ("x1", 1): -0.2},
        np.array([[1.5, 0.0], [-1.0, 1.0], [0.5, -1.5]]),
    ),
}


def true_weights(library: Library, entries: Weights) -> np.ndarray:
    weights = np.zeros((len(library), 2))
    for (name, variable), value in entries.items():
        weights[library.names.index(name), variable] = value
    return weights


def samples(weights: np.ndarray, library: Library, starts: np.ndarray, noise: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Sorted random times and noisy states of each run."""
    t = np.sort(rng.choice(np.arange(1, 400), 150, replace=False)) * 0.025
    clean = runge_kutta(lambda _, x: library(x) @ weights, starts, t, 0.0125, 50.0)
    return t, clean + rng.normal(0, noise, clean.shape) * clean.std((0, 1))


def system(t: np.ndarray, runs: np.ndarray, library: Library, form: str) -> tuple[np.ndarray, np.ndarray]:
    if form == "weak":
        parts = [weak_system(t, x, library, width=1.0) for x in runs]
    else:
        slopes = [METHODS[form](t, x) for x in runs]
        parts = [(library(states), slope) for states, slope in slopes]
    return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])


def score(found: np.ndarray, true: np.ndarray) -> tuple[float, float]:
    """Relative error of the coefficients, and the share of right decisions about which terms there are."""
    error = float(np.linalg.norm(found - true) / np.linalg.norm(true))
    return error, float(((found != 0) == (true != 0)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", type=float, nargs="+", default=[0.0, 0.02, 0.1])
    parser.add_argument("--threshold", type=float, default=0.15)
    parser.add_argument("--repeats", type=int, default=2)
    arguments = parser.parse_args()
    library = polynomial(2, 3)
    solvers: dict[str, Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]] = {
        "single": lambda a, b, rng: stlsq(a, b, arguments.threshold),
        "bagging": lambda a, b, rng: ensemble.combine(ensemble.bagging(a, b, arguments.threshold, rng, 20)),
        "library": lambda a, b, rng: ensemble.combine(ensemble.library_bagging(a, b, arguments.threshold, rng, 20), 0.5),
    }
    print(f"{'system':16s} {'form':18s} {'solver':8s} " + " ".join(f"{noise:>13.2f}" for noise in arguments.noise))
    for name, (entries, starts) in SYSTEMS.items():
        true = true_weights(library, entries)
        for form in ("finite_difference", "spline", "weak"):
            for solver, solve in solvers.items():
                cells = []
                for noise in arguments.noise:
                    results = []
                    for repeat in range(arguments.repeats):
                        rng = np.random.default_rng([repeat, 7])
                        t, runs = samples(true, library, starts, noise, rng)
                        results.append(score(solve(*system(t, runs, library, form), rng), true))
                    error, right = np.median(np.array(results), axis=0)
                    cells.append(f"{error:6.3f} {right:6.2f}")
                print(f"{name:16s} {form:18s} {solver:8s} " + " ".join(cells))


if __name__ == "__main__":
    main()
