# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How well does a plain profile of the homologs rank single substitutions of the public proteins?

python -m experiments.profile_scan
"""

import numpy as np
from scipy.stats import spearmanr

from evolve.profile import log_odds
from evolve.worlds import World, encode, load_worlds
from plates import ROOT
from laboratory import Landscape


def single_mutants(wild: np.ndarray) -> np.ndarray:
    """All 19 * length substitutions."""
    mutants = np.repeat(wild[None], len(wild) * 20, axis=0)
    mutants[np.arange(len(mutants)), np.repeat(np.arange(len(wild)), 20)] = np.tile(np.arange(20), len(wild))
    return mutants[(mutants != wild).any(axis=1)]


def scan(world: World) -> tuple[int, float]:
    """Group, and rank correlation of the profile with fitness over all single substitutions."""
    landscape = Landscape(ROOT / "truth" / f"{world.name}.npz")
    wild = encode([world.wild_type])[0]
    mutants = single_mutants(wild)
    predicted = log_odds(world.homologs, wild)[np.arange(len(wild)), mutants].sum(axis=1)
    fitness = landscape.log_fitness(mutants, world.heat, world.acid)
    return int(landscape.parts["stratum"]), float(spearmanr(predicted, fitness).statistic)


def main() -> None:
    print("group protein correlation")
    for group, name, value in sorted((*scan(world)[:1], world.name, *scan(world)[1:]) for world in load_worlds(ROOT / "data")):
        print(f"{group:5d} {name:7s} {value:11.2f}")


if __name__ == "__main__":
    main()
