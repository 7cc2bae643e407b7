# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of images: how close each world's object was reconstructed, on a logarithmic scale down to a floor set by noise."""

from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import read_array, read_arrays, require


def _worlds(truth: Path) -> list[tuple[np.ndarray, int, float]]:
    """(image, stratum, floor) of each world, in the order of their names."""
    found = []
    for path in sorted(truth.glob("world_*.npz")):
        stored = read_arrays(path)
        found.append((stored["image"], int(stored["stratum"]), float(stored["floor"])))
    return found


def _skill(image: np.ndarray, truth: np.ndarray, floor: float) -> float:
    # Clipped first, so that squares of absurd values stay finite; no true value comes near the bound.
    error = np.sqrt(np.mean((np.clip(image, -1e6, 1e6) - truth) ** 2)) / truth.std()
    return float(np.clip(np.log(max(error, 1e-12)) / np.log(floor), 0, 1))


def _by_stratum(images: np.ndarray, truth: Path) -> dict[str, float]:
    values: dict[int, list[float]] = {}
    for image, (true, stratum, floor) in zip(images, _worlds(truth), strict=True):
        values.setdefault(stratum, []).append(_skill(image, true, floor))
    return {f"group_{stratum:02d}": float(np.mean(values[stratum])) for stratum in sorted(values)}


def _images(artefacts: Path, truth: Path) -> np.ndarray:
    worlds = _worlds(truth)
    wanted = (len(worlds), *worlds[0][0].shape)
    array = read_array(artefacts / "results" / "images.npy", dtypes="f")
    require(array.shape == wanted, f"images.npy: shape {array.shape}, should be {wanted}")
    return array.astype(np.float64)


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    return _by_stratum(_images(artefacts, truth), truth)


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What the true images reach."""
    return float(np.mean(list(_by_stratum(np.stack([image for image, _, _ in _worlds(truth)]), truth).values())))
