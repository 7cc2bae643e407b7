# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A campaign: a few plates for one protein, a model after each, and nominations at the end."""

from dataclasses import dataclass

import numpy as np

from evolve.libraries import proposals, random_mutants
from evolve.linear import fit_ridge
from evolve.worlds import RADII, World, decode, encode
from plates import Lab, Well


@dataclass(frozen=True)
class Settings:
    penalty: float = 1.0
    first_mutations: int = 2
    """Substitutions per variant on the first plate."""
    steps: int = 4
    """Substitutions that a greedy walk may add per round."""
    brightness: float = 1.0
    """Dilution of every well."""
    stress: float = 1.0
    """Heat and acid in the assay as a share of the intended ones."""


def run_campaign(world: World, lab: Lab, settings: Settings, rng: np.random.Generator) -> list[str]:
    """For each radius the variant with the highest prediction among those that were assayed."""
    parent, wells = encode([world.wild_type]), lab.plate_size
    plate = np.concatenate([parent, random_mutants(parent[0], wells - 1, settings.first_mutations, rng)])
    measured, values = np.empty((0, parent.shape[1]), dtype=np.int64), np.empty(0)
    for _ in range(world.rounds):
        ordered = [Well(decode(variant), settings.brightness) for variant in plate]
        readings = lab.assay(world.name, ordered, heat=settings.stress * world.heat, acid=settings.stress * world.acid)[
            : len(plate)
        ]
        measured, values = np.concatenate([measured, plate]), np.concatenate([values, readings])
        model = fit_ridge(measured, values / values.std(), settings.penalty)
        plate = proposals(model, measured, wells, settings.steps, rng)
    nominated = []
    for radius in RADII:
        near = measured[(measured != parent).sum(axis=1) <= radius]
        nominated.append(decode(near[int(model.predict(near).argmax())]))
    return nominated
