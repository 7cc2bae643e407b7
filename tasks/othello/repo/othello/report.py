# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Accuracies from stored predictions.

    python -m othello.report results/black_white
"""

import json
import sys
from pathlib import Path

import numpy as np

from othello.games import load_games
from othello.labels import labels_for


def accuracy(predicted: np.ndarray, labels: np.ndarray) -> float:
    """Share of cells that are right, over all positions."""
    return float((predicted == labels).mean())


def occupied_accuracy(predicted: np.ndarray, labels: np.ndarray) -> float:
    """The same over cells that hold a disc; empty cells are easy."""
    occupied = labels != 0
    return float((predicted == labels)[occupied].mean())


def report(folder: Path) -> list[str]:
    run = json.loads((folder / "run.json").read_text())
    labels = labels_for(load_games(Path(run["config"]["test_games"])))
    lines = [f"{folder} ({'/'.join(run['classes'])}, seed {run['seed']})", "layer  all cells  occupied"]
    for layer in run["layers"]:
        predicted = np.load(folder / f"layer_{layer}.npy")
        lines.append(f"{layer:5d}  {accuracy(predicted, labels):9.4f}  {occupied_accuracy(predicted, labels):8.4f}")
    return lines


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print("\n".join(report(Path(name))))
