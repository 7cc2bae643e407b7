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


def scan(world: World) -> tuple[str, float, float, float]:
    """Stratum, and rank correlations of the profile with stability, activity and fitness."""
    landscape = Landscape(ROOT / "truth" / f"{world.name}.npz")
    wild = encode([world.wild_type])[0]
    mutants = single_mutants(wild)
    predicted = log_odds(world.homologs, wild)[np.arange(len(wild)), mutants].sum(axis=1)
    stability, activity = landscape.traits(mutants)
    fitness = landscape.log_fitness(mutants, world.heat)
    return str(landscape.parts["stratum"]), *(
        float(spearmanr(predicted, trait).statistic) for trait in (stability, activity, fitness)
    )


def main() -> None:
    print(f"{'protein':8s} {'stratum':16s} stability activity fitness")
    for stratum, name, *values in sorted(
        (found[0], world.name, *found[1:]) for world in load_worlds(ROOT / "data") for found in [scan(world)]
    ):
        print(f"{name:8s} {stratum:16s} " + "  ".join(f"{value:7.2f}" for value in values))


if __name__ == "__main__":
    main()
