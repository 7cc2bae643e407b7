# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Accuracy tables."""

import math

from winodict.dataset import PARTS_OF_SPEECH
from winodict.evaluate import Prediction


def accuracy(predictions: list[Prediction]) -> float:
    return sum(prediction.correct for prediction in predictions) / len(predictions)


def standard_error(predictions: list[Prediction]) -> float:
    share = accuracy(predictions)
    return math.sqrt(share * (1 - share) / len(predictions))


def table(conditions: dict[str, list[Prediction]]) -> str:
    """One line per condition: accuracy in per cent over all problems and per part of speech."""
    lines = [f"{'condition':<12}{'all':>8}{'+-':>6}" + "".join(f"{pos:>8}" for pos in PARTS_OF_SPEECH)]
    for name, predictions in conditions.items():
        cells = f"{100 * accuracy(predictions):8.1f}{100 * standard_error(predictions):6.1f}"
        for pos in PARTS_OF_SPEECH:
            part = [prediction for prediction in predictions if prediction.problem.item.pos == pos]
            cells += f"{100 * accuracy(part):8.1f}" if part else f"{'-':>8}"
        lines.append(f"{name:<12}{cells}")
    return "\n".join(lines)
