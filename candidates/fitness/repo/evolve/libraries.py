# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Libraries: sets of variants worth a plate."""

import numpy as np

from evolve.linear import LinearModel


def random_mutants(parent: np.ndarray, count: int, mutations: int, rng: np.random.Generator) -> np.ndarray:
    """Variants of `parent` with a fixed number of substitutions each."""
    library = np.repeat(parent[None], count, axis=0)
    for variant in library:
        for site in rng.choice(len(parent), size=mutations, replace=False):
            variant[site] = rng.choice(np.setdiff1d(np.arange(20), parent[site]))
    return library


def recombine(parents: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform crossover of random pairs of parents."""
    mothers, fathers = rng.integers(len(parents), size=(2, count))
    from_mother = rng.random((count, parents.shape[1])) < 0.5
    return np.where(from_mother, parents[mothers], parents[fathers])


def greedy_walk(model: LinearModel, parent: np.ndarray, steps: int) -> np.ndarray:
    """The `steps` best substitutions of the model, taken one after the other, each at a new site."""
    gains = model.effects - model.effects[np.arange(len(parent)), parent][:, None]
    sites = np.argsort(-gains.max(axis=1))[:steps]
    variant = parent.copy()
    variant[sites] = gains[sites].argmax(axis=1)
    return variant


def proposals(model: LinearModel, measured: np.ndarray, count: int, steps: int, rng: np.random.Generator) -> np.ndarray:
    """New variants with the highest predictions among walks from, crossovers and mutants of the best measured variants."""
    best = measured[np.argsort(-model.predict(measured))[:10]]
    walks = [greedy_walk(model, parent, step) for parent in best for step in range(1, steps + 1)]
    pool = np.unique(np.concatenate([walks, recombine(best, 10 * count, rng), random_mutants(best[0], 2 * count, 1, rng)]), axis=0)
    known = {variant.tobytes() for variant in measured}
    pool = pool[[variant.tobytes() not in known for variant in pool]]
    return pool[np.argsort(-model.predict(pool), kind="stable")[:count]]
