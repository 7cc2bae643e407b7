# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The bench: expresses the variants of a plate, assays them, and gives what the plate reader shows.

A question is one plate for one protein:

    {"world": "w03", "heat": 2.0, "acid": 0.0, "wells": [{"sequence": "MKV...", "dilution": 4.0}, {"sequence": null}, ...]}

`heat` and `acid` are the stresses during the assay, in kT. Wells are dispensed in the order of the list, row by row, six to a row; a well without a sequence is a blank, and
dilution is 1 unless given. The answer holds one reading for each of the 24 places of the plate, in the reader's order. Each protein is worth `ROUNDS` plates, and every
well that is listed costs 1.
"""

import json
from pathlib import Path

import numpy as np

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
ROUNDS = 4
PLACES = 24
"""Places of one plate. Who may list more wells than that gets as many plates as it takes, treated alike, and their readings one after the other."""
MAX_STRESS, MAX_DILUTION = 20.0, 1000.0


class Landscape:
    """The true phenotype of every sequence of one protein, as numbers."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.parts = {name: stored[name] for name in stored.files}

    def traits(self, variants: np.ndarray) -> np.ndarray:
        """(4, n) traits of an (n, length) array of letter indices: activity, stability, resistance to acid, expression."""
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

    pace = 0.01

    def __init__(self, data: Path, truth: Path, budget: int) -> None:
        described = json.loads((data / "worlds.json").read_text())["worlds"]
        self.worlds = {world["id"]: world for world in described}
        self.landscapes = {name: Landscape(truth / f"{name}.npz") for name in self.worlds}
        self.plate_size = max(1, budget // (ROUNDS * max(1, len(self.worlds))))
        self.done = dict.fromkeys(self.worlds, 0)
        self.left_over: dict[str, np.ndarray] = {}
        """What stood in each place of a protein's last plate."""

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
        amount = self.amounts(self.landscapes[name], np.array(variants), heat, acid)
        readings = self.read(name, plate, np.where(filled, amount, 0.0) / np.array(dilution))
        return {
            "world": name,
            "plate": plate + 1,
            "heat": heat,
            "acid": acid,
            "readings": [float(f"{value:.4g}") for value in readings],
        }

    def amounts(self, landscape: Landscape, variants: np.ndarray, heat: float, acid: float) -> np.ndarray:
        """What each well should hold, relative to the wild type at no stress."""
        traits, dose = landscape.traits(variants), float(landscape.parts["dose"])
        return np.exp(np.clip(log_activity(traits, dose * heat, dose * acid) + traits[3], -30.0, 30.0))

    def read(self, name: str, plate: int, amount: np.ndarray) -> np.ndarray:
        """Reader units, one for each place of as many plates as the wells need."""
        assay = self.landscapes[name].parts
        rng = np.random.default_rng([int(assay["noise_seed"]), plate])
        shape = (-(-len(amount) // PLACES), PLACES)
        tremble, spread = rng.normal(size=shape), rng.normal(size=shape)
        listed = np.concatenate([amount, np.zeros(shape[0] * PLACES - len(amount))]).reshape(shape)
        placed = (listed * np.exp(assay["relative_noise"] * tremble)) @ assay["placing"][plate].T.astype(float)
        placed += assay["unwashed"] * np.resize(self.left_over.get(name, np.zeros((1, PLACES))), shape)
        self.left_over[name] = placed
        detected = placed / (1.0 + (placed / assay["limit"]) ** assay["order"])
        return (
            assay["unit"]
            * (detected @ assay["optics"][plate].T.astype(float) + assay["background"] + assay["reader_noise"] * spread)
        ).ravel()
