# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A campaign: a few plates for one protein, a model after each, and nominations at the end."""

from dataclasses import dataclass

import numpy as np

from evolve.libraries import proposals, random_mutants
from evolve.linear import fit_ridge
from evolve.worlds import World, decode, encode
from plates import Lab, Well

NOMINATIONS = 5


@dataclass(frozen=True)
class Settings:
    penalty: float = 1.0
    first_mutations: int = 2
    """Substitutions per variant on the first plate."""
    steps: int = 4
    """Substitutions that a greedy walk may add per round."""


def run_campaign(world: World, lab: Lab, settings: Settings, rng: np.random.Generator) -> list[str]:
    """The five variants with the highest predictions among those that were assayed."""
    parent = encode([world.wild_type])
    plate = np.concatenate([parent, random_mutants(parent[0], world.wells - 1, settings.first_mutations, rng)])
    measured, values = np.empty((0, parent.shape[1]), dtype=np.int64), np.empty(0)
    for _ in range(world.rounds):
        readings = lab.assay(world.name, [Well(decode(variant)) for variant in plate], heat=world.heat, acid=world.acid)
        measured, values = np.concatenate([measured, plate]), np.concatenate([values, readings])
        model = fit_ridge(measured, values / values.std(), settings.penalty)
        plate = proposals(model, measured, world.wells, settings.steps, rng)
    distinct = np.unique(measured, axis=0)
    ranked = distinct[np.argsort(-model.predict(distinct), kind="stable")]
    return [decode(variant) for variant in ranked[:NOMINATIONS]]
