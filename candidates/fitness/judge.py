# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""True fitness of three nominated sequences per protein, as shares of the way from the wild type to the best sequence known within the same radius."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_arrays, read_json, require

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
RADII = (2, 4, 10**6)
"""Substitutions that the nominations may have, in their order."""


def _log_fitness(parts: dict[str, np.ndarray], variants: np.ndarray, heat: float, acid: float) -> np.ndarray:
    """As `laboratory.Landscape` has it."""
    sites = np.arange(variants.shape[1])
    squares = parts["squares"][:, sites, variants].astype(float).sum(axis=2) ** 2
    hinges = np.maximum(parts["hinges"][:, sites, variants].astype(float).sum(axis=2), 0.0)
    linear = parts["linear"][:, sites, variants].astype(float).sum(axis=2)
    traits = parts["constant"][:, None] + linear + parts["square_weights"].T @ squares + parts["hinge_weights"].T @ hinges
    return traits[0] - np.logaddexp(0.0, heat - traits[1]) - np.logaddexp(0.0, acid - traits[2])


def _nominated(artefacts: Path, worlds: list[dict]) -> dict[str, np.ndarray]:
    """Letter indices of each protein's nominations."""
    written = read_json(artefacts / "results" / "nominations.json")
    require(isinstance(written, dict), "nominations.json: not an object")
    require(set(written) == {world["id"] for world in worlds}, "nominations.json: its keys are not the names of the proteins")
    found = {}
    for world in worlds:
        name, wild = world["id"], world["wild_type"]
        listed = written[name]
        require(isinstance(listed, list) and len(listed) == len(RADII), f"{name}: not a list of {len(RADII)} sequences")
        for sequence, radius in zip(listed, RADII, strict=True):
            fits = isinstance(sequence, str) and len(sequence) == len(wild) and all(letter in LETTERS for letter in sequence)
            require(fits, f"{name}: {sequence!r:.80} is not a sequence of {len(wild)} residues")
            far = sum(one != other for one, other in zip(sequence, wild, strict=True))
            require(far <= radius, f"{name}: {sequence} has {far} substitutions, more than {radius}")
        found[name] = np.array([[LETTERS.index(letter) for letter in sequence] for sequence in listed])
    return found


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    worlds = read_json(data / "worlds.json")["worlds"]
    nominated = _nominated(artefacts, worlds)
    shares: dict[str, list[float]] = defaultdict(list)
    for world in worlds:
        parts = read_arrays(truth / f"{world['id']}.npz", "biufU")
        variants = np.concatenate([parts["wild"][None], parts["best"], nominated[world["id"]]])
        low, *values = _log_fitness(parts, variants, world["heat"], world["acid"])
        high, reached = np.array(values[: len(RADII)]), np.array(values[len(RADII) :])
        shares[f"group_{int(parts['stratum']):02d}"].append(float(np.clip((reached - low) / (high - low), 0.0, 1.0).mean()))
    return {stratum: float(np.mean(values)) for stratum, values in sorted(shares.items())}


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    return {"improvement": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """The best sequences known define 1; a longer search than ours could find better ones, which count as 1."""
    return 1.0
