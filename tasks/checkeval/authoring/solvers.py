# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Do exact solvers of the regression agree? Largest difference of predictions over all summaries, and condition numbers.

    python authoring/solvers.py SEED [SEED ...]

Uses repo/'s own loaders on freshly made variants. Needs the base environment.
"""

import random
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import linalg
from sklearn.linear_model import LinearRegression

TASK = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TASK), str(TASK / "repo")]

import variant
from checkeval.aggregate import _complete
from checkeval.answers import load_answers
from checkeval.config import load_config
from checkeval.human import load_ratings, mean_ratings


def predictions(x: np.ndarray, fit: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    ones = np.column_stack([np.ones(len(x)), x])
    a, b = ones[fit], y[fit]
    centre = x[fit].mean(axis=0)
    z = x[fit] - centre
    q, r = np.linalg.qr(a)
    return {
        "numpy lstsq": ones @ np.linalg.lstsq(a, b, rcond=None)[0],
        "scipy lstsq": ones @ linalg.lstsq(a, b)[0],
        "pinv": ones @ (np.linalg.pinv(a) @ b),
        "qr": ones @ linalg.solve_triangular(r, q.T @ b),
        "normal equations": b.mean() + (x - centre) @ np.linalg.solve(z.T @ z, z.T @ (b - b.mean())),
        "sklearn": LinearRegression().fit(x[fit], b).predict(x),
    }


def main(seeds: list[int]) -> None:
    config = load_config(TASK / "repo" / "configs" / "summeval.yaml")
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            variant.make(seed, data)
            human = mean_ratings(load_ratings(data), config.dimensions, config.human)
            ids = sorted(set(human["document"]))
            train = set(random.Random(42).sample(ids, round(0.2 * len(ids))))
            for dimension in config.dimensions:
                answers = load_answers(data, dimension)
                rows = answers.answered.mean(axis=1) >= config.aggregation.min_answered
                x = _complete(answers.values[rows], config.aggregation.missing)
                keys = answers.summaries[rows].assign(dimension=dimension)
                y = keys.merge(human, on=["document", "system", "dimension"])["human"].to_numpy()
                fit = keys["document"].isin(train).to_numpy()
                found = predictions(x, fit, y)
                first = found.pop("numpy lstsq")
                worst = max(float(np.abs(other - first).max()) for other in found.values())
                flips = sum(int((other.round(6) != first.round(6)).sum()) for other in found.values())
                condition = np.linalg.cond(np.column_stack([np.ones(fit.sum()), x[fit]]))
                outside = int(((first < 1) | (first > 5)).sum())
                print(
                    f"{seed:6d} {dimension:12s} condition {condition:5.1f}  largest difference {worst:.1e}  rounded differently {flips}  outside 1..5 {outside}",
                    flush=True,
                )


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]])
