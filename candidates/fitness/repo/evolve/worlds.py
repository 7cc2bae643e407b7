# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Proteins as the data folder describes them."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
RADII = (2, 4, 10**6)
"""Substitutions that the nominations may have, in their order."""


@dataclass(frozen=True)
class World:
    """One protein to improve."""

    name: str
    wild_type: str
    heat: float
    """Thermal stress under which the protein is to be used, in kT."""
    acid: float
    """Acid stress of that use, in kT."""
    rounds: int
    """Plates that may be assayed."""
    homologs: np.ndarray
    """(n, length) letter indices of an alignment, as a database has it."""


def encode(sequences: list[str]) -> np.ndarray:
    """(n, length) letter indices."""
    return np.array([[LETTERS.index(letter) for letter in sequence] for sequence in sequences], dtype=np.int64)


def decode(variant: np.ndarray) -> str:
    return "".join(LETTERS[letter] for letter in variant)


def read_fasta(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text().splitlines() if line and not line.startswith(">")]


def load_worlds(data: Path) -> list[World]:
    described = json.loads((data / "worlds.json").read_text())
    return [
        World(
            name=world["id"],
            wild_type=world["wild_type"],
            heat=world["heat"],
            acid=world["acid"],
            rounds=described["rounds"],
            homologs=encode(read_fasta(data / f"{world['id']}.fasta")),
        )
        for world in described["worlds"]
    ]


def load_chemistry(data: Path) -> np.ndarray:
    """(20, 4): hydropathy, volume, charge and helix propensity of each letter, standardised over the alphabet."""
    with (data / "residues.csv").open() as file:
        rows = {row["residue"]: row for row in csv.DictReader(file)}
    table = np.array([[float(rows[letter][name]) for name in ("hydropathy", "volume", "charge", "helix")] for letter in LETTERS])
    return (table - table.mean(axis=0)) / table.std(axis=0)
