# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The bench: expresses the variants of a plate, assays them, and gives what the plate reader shows.

A question is one plate for one protein:

    {"world": "w03", "heat": 2.0, "wells": [{"sequence": "MKV...", "dilution": 4.0}, {"sequence": null}, ...]}

`heat` is the thermal stress during the assay, in units of kT of folding free energy. Wells fill the plate row by row (A1 to A12, then B1); a well without a
sequence is a blank, and dilution is 1 unless given. The answer holds one reading per well, in the same order. Each protein is worth `ROUNDS` plates.
"""

import json
from pathlib import Path

import numpy as np

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
ROUNDS = 4
ROWS, COLUMNS = 8, 12
MAX_HEAT, MAX_DILUTION = 20.0, 1000.0


class Landscape:
    """The true phenotype of every sequence of one protein."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.parts = {name: stored[name] for name in stored.files}

    def traits(self, variants: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Stability margin (kT) and log activity of the folded protein, for an (n, length) array of letter indices."""
        parts, sites = self.parts, np.arange(variants.shape[1])
        stability = parts["stability"][sites, variants].sum(axis=1) + parts["margin"]
        activity = parts["activity"][sites, variants].sum(axis=1)
        for which, trait in (("stability", stability), ("activity", activity)):
            for (i, j), table in zip(parts[f"{which}_pairs"], parts[f"{which}_tables"], strict=True):
                trait += table[variants[:, i], variants[:, j]]
        if len(parts["motif_sites"]):
            held = (variants[:, parts["motif_sites"]] == parts["motif_letters"]).sum(axis=1)
            complete = held == len(parts["motif_sites"])
            activity += np.where(complete, parts["motif_bonus"], -parts["motif_cost"] * held)
        return stability, activity

    def log_fitness(self, variants: np.ndarray, heat: float) -> np.ndarray:
        """Log activity of the whole sample at a thermal stress: only the folded share works."""
        stability, activity = self.traits(variants)
        return activity - np.logaddexp(0.0, heat - stability)


def encode(sequence: object, length: int) -> list[int]:
    if not isinstance(sequence, str) or len(sequence) != length or any(letter not in LETTERS for letter in sequence):
        raise ValueError(f"A sequence must have {length} letters out of {LETTERS}, or be null for a blank.")
    return [LETTERS.index(letter) for letter in sequence]


def number(value: object, low: float, high: float, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{what} must be a number from {low:g} to {high:g}.")
    return float(value)


class Laboratory:
    """Answers plates about the proteins of `data`; `budget` counts wells, shared equally among proteins and rounds."""

    def __init__(self, data: Path, truth: Path, budget: int) -> None:
        described = json.loads((data / "worlds.json").read_text())["worlds"]
        self.worlds = {world["id"]: world for world in described}
        self.landscapes = {name: Landscape(truth / f"{name}.npz") for name in self.worlds}
        self.plate_size = max(1, budget // (ROUNDS * len(self.worlds)))
        self.done = dict.fromkeys(self.worlds, 0)

    def cost(self, question: dict) -> int:
        """One per well, blanks and controls included."""
        wells = question.get("wells")
        return max(1, len(wells)) if isinstance(wells, list) else 1

    def answer(self, question: dict) -> dict:
        name, wells = question.get("world"), question.get("wells")
        if not isinstance(name, str) or name not in self.worlds:
            raise ValueError("There is no world of this name.")
        if not isinstance(wells, list) or not 1 <= len(wells) <= self.plate_size:
            raise ValueError(f"A plate must list 1 to {self.plate_size} wells.")
        if self.done[name] == ROUNDS:
            raise ValueError(f"All {ROUNDS} rounds of this protein are done.")
        heat = number(question.get("heat", 0.0), 0.0, MAX_HEAT, "Heat")
        length = len(self.worlds[name]["wild_type"])
        variants, filled, dilution = [], [], []
        for well in wells:
            if not isinstance(well, dict):
                raise ValueError("A well must be an object with a sequence and, if wanted, a dilution.")
            sequence = well.get("sequence")
            filled.append(sequence is not None)
            variants.append([0] * length if sequence is None else encode(sequence, length))
            dilution.append(number(well.get("dilution", 1.0), 1.0, MAX_DILUTION, "Dilution"))
        plate, self.done[name] = self.done[name], self.done[name] + 1
        log_fitness = self.landscapes[name].log_fitness(np.array(variants), heat)
        amount = np.where(filled, np.exp(np.clip(log_fitness, -30.0, 30.0)), 0.0) / np.array(dilution)
        readings = self.read(self.landscapes[name].parts, plate, amount)
        return {"world": name, "plate": plate + 1, "heat": heat, "readings": [float(f"{value:.4g}") for value in readings]}

    def read(self, assay: dict[str, np.ndarray], plate: int, amount: np.ndarray) -> np.ndarray:
        """Reader units for amounts of activity relative to the wild type at no stress."""
        rng = np.random.default_rng([int(assay["noise_seed"]), plate])
        size = len(amount)
        tremble, spread, luck = rng.normal(size=size), rng.normal(size=size), rng.random(size)
        row, column = np.arange(size) // COLUMNS % ROWS, np.arange(size) % COLUMNS
        rim = (row == 0) | (row == ROWS - 1) | (column == 0) | (column == COLUMNS - 1)
        down, across = row / (ROWS - 1) - 0.5, column / (COLUMNS - 1) - 0.5
        log_gain = assay["plate_gain"][plate] + assay["slopes"][plate] @ np.array([down, across]) + assay["rim"] * rim
        working = luck >= assay["failure"]
        detected = np.where(working, amount, 0.0) * np.exp(assay["relative_noise"] * tremble)
        detected = detected / (1.0 + detected / assay["saturation"])
        return assay["unit"] * (np.exp(log_gain) * detected + assay["background"] + assay["reader_noise"] * spread)
