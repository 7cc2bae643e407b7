# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A look at one public protein: its alignment, one plate of controls and homologs, and what was true of the plate.

python -m scripts.show_protein w07
"""

import argparse

import numpy as np

from evolve.profile import frequencies
from evolve.worlds import LETTERS, World, decode, encode, load_worlds
from laboratory import PLACES, Landscape
from plates import ROOT, Well, connect


def show_alignment(world: World) -> None:
    """The commonest residues of every site, below the wild type's."""
    shares = frequencies(world.homologs)
    print(f"{world.name}: heat {world.heat}, acid {world.acid}, {len(world.homologs)} homologs")
    for site, letter in enumerate(world.wild_type):
        top = np.argsort(-shares[site])[:6]
        print(f"  {site:2d} {letter}  " + " ".join(f"{LETTERS[k]} {shares[site, k]:.2f}" for k in top))


def show_plate(world: World, landscape: Landscape) -> None:
    """Readings of a plate in its four rows, beside the amounts in the order of the list."""
    lab = connect()
    listed = [world.wild_type] * 6 + [None] * 6 + [decode(row) for row in world.homologs[: PLACES - 12]]
    readings = lab.assay(world.name, [Well(sequence) for sequence in listed[: lab.plate_size]])
    traits = landscape.traits(encode([sequence or world.wild_type for sequence in listed]))
    amounts = np.where(
        [sequence is not None for sequence in listed], np.exp(traits[0] + traits[3] - np.logaddexp(0.0, -traits[1])), 0.0
    )
    np.set_printoptions(precision=3, suppress=True, linewidth=120)
    print("readings", readings[:PLACES].reshape(4, 6), sep="\n")
    print("true amounts, as listed", amounts[:PLACES].reshape(4, 6), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("protein")
    name = parser.parse_args().protein
    world = next(world for world in load_worlds(ROOT / "data") if world.name == name)
    show_alignment(world)
    show_plate(world, Landscape(ROOT / "truth" / f"{name}.npz"))


if __name__ == "__main__":
    main()
