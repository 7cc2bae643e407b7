# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The bench: expresses the variants of a plate, assays them, and gives what the plate reader shows.

A question is one plate for one protein:

    {"world": "w03", "heat": 2.0, "acid": 0.0, "wells": [{"sequence": "MKV...", "dilution": 4.0}, {"sequence": null}, ...]}

`heat` and `acid` are the stresses during the assay, in kT. Wells fill the plate row by row, six to a row; a well without a sequence is a blank, and
dilution is 1 unless given. The answer holds one reading per well, in the same order. Each protein is worth `ROUNDS` plates.
"""

import json
from pathlib import Path

import numpy as np

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
ROUNDS = 4
MAX_STRESS, MAX_DILUTION = 20.0, 1000.0


class Landscape:
    """The true phenotype of every sequence of one protein, as numbers."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.parts = {name: stored[name] for name in stored.files}

    def traits(self, variants: np.ndarray) -> np.ndarray:
        """(4, n) traits of an (n, length) array of letter indices."""
        parts, sites = self.parts, np.arange(variants.shape[1])
        squares = parts["squares"][:, sites, variants].astype(float).sum(axis=2) ** 2
        hinges = np.maximum(parts["hinges"][:, sites, variants].astype(float).sum(axis=2), 0.0)
        linear = parts["linear"][:, sites, variants].astype(float).sum(axis=2)
        return parts["constant"][:, None] + linear + parts["square_weights"].T @ squares + parts["hinge_weights"].T @ hinges

    def log_fitness(self, variants: np.ndarray, heat: float, acid: float) -> np.ndarray:
        """Log activity under stress."""
        return log_activity(self.traits(variants), heat, acid)


def log_activity(traits: np.ndarray, heat: float, acid: float) -> np.ndarray:
    return traits[0] - np.logaddexp(0.0, heat - traits[1]) - np.logaddexp(0.0, acid - traits[2])


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
        heat = number(question.get("heat", 0.0), 0.0, MAX_STRESS, "Heat")
        acid = number(question.get("acid", 0.0), 0.0, MAX_STRESS, "Acid")
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
        amounts = self.amounts(self.landscapes[name], np.array(variants), heat, acid)
        readings = self.read(self.landscapes[name].parts, plate, *(np.where(filled, some, 0.0) / np.array(dilution) for some in amounts))
        return {"world": name, "plate": plate + 1, "heat": heat, "acid": acid, "readings": [float(f"{value:.4g}") for value in readings]}

    def amounts(self, landscape: Landscape, variants: np.ndarray, heat: float, acid: float) -> tuple[np.ndarray, np.ndarray]:
        """What each well should hold, relative to the wild type at no stress, and what it holds where cloning failed."""
        traits = landscape.traits(np.concatenate([variants, landscape.parts["wild"][None]]))
        amount = np.exp(np.clip(log_activity(traits, heat, acid) + traits[3], -30.0, 30.0))
        return amount[:-1], np.full(len(variants), amount[-1] * landscape.parts["stand_in"])

    def read(self, assay: dict[str, np.ndarray], plate: int, amount: np.ndarray, instead: np.ndarray) -> np.ndarray:
        """Reader units."""
        rng = np.random.default_rng([int(assay["noise_seed"]), plate])
        size = len(amount)
        tremble, spread, luck = rng.normal(size=size), rng.normal(size=size), rng.random(size)
        held = np.where(luck >= assay["failure"], amount, instead) * np.exp(assay["relative_noise"] * tremble)
        detected = held / (1.0 + (held / assay["limit"]) ** assay["order"])
        optics = np.zeros((size, size))
        known = min(size, assay["optics"].shape[1])
        optics[:known, :known] = assay["optics"][plate, :known, :known]
        optics[range(known, size), range(known, size)] = 1.0
        return assay["unit"] * (optics @ detected + assay["background"] + assay["reader_noise"] * spread)
