# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How well does ordering by variance work on linear models that keep to its assumptions, and on standardised ones that do not?

python -m experiments.order_study --trials 50
"""

import argparse

import numpy as np

from causal.linear import fit_linear, order_by_variance


def draw(rng: np.random.Generator, units: int, count: int = 8, chance: float = 0.35) -> tuple[np.ndarray, np.ndarray]:
    """A random linear model with noise of equal variance, and a sample; causes have smaller numbers."""
    weights = np.tril(
        rng.choice([-1, 1], (count, count)) * rng.uniform(0.5, 1.2, (count, count)) * (rng.random((count, count)) < chance), -1
    )
    return weights, rng.normal(size=(units, count)) @ np.linalg.inv(np.eye(count) - weights).T


def agreement(weights: np.ndarray, order: list[int]) -> float:
    """Share of the edges that point forward in the order."""
    place = {variable: at for at, variable in enumerate(order)}
    edges = [place[j] < place[i] for i, j in zip(*np.nonzero(weights), strict=True)]
    return float(np.mean(edges)) if edges else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=50)
    trials = parser.parse_args().trials
    rng = np.random.default_rng(0)
    print("units  equal noise: edges right, weight error   standardised: edges right")
    for units in (50, 120, 500, 2000):
        plain, errors, standard = [], [], []
        for _ in range(trials):
            weights, sample = draw(rng, units)
            plain.append(agreement(weights, order_by_variance(sample)))
            errors.append(np.abs(fit_linear(sample).weights - weights).mean())
            standard.append(agreement(weights, order_by_variance(sample / sample.std(0))))
        print(f"{units:5d}  {np.mean(plain):24.2f} {np.mean(errors):13.3f} {np.mean(standard):27.2f}")


if __name__ == "__main__":
    main()
