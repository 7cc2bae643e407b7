# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Are the score files whole and of one piece, and how well do the pairs' scores rank the errors?

That the scores themselves are those of the training that was asked for is seen row by row beside live gold's (`[[tables]]`): the
seeds fix weights and batches, so that right runs agree to rounding.
"""

from collections import defaultdict
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import BrokenContract, as_integer, as_number, read_jsonl, read_table, require, same_ids

FOLDER = Path("predictions") / "distil"
RUNS = 3
DECIMALS = 4
ROUNDING = 2e-4
"""How far a pair's score may lie from the mean of its annotations: files have four decimals or more."""

Pair = tuple[str, str]


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    owner = _owners(data)
    by_annotation = _annotation_scores(artefacts, owner)
    by_pair = _pair_scores(artefacts, set(owner.values()), set(by_annotation))
    is_error = _errors(owner, truth)
    return {
        "average_precision": float(np.mean([_average_precision(_ranking(run, is_error)) for run in by_pair.values()])),
        "distinct_runs": _distinct(by_annotation),
        "aggregated_pairs": _aggregated(owner, by_annotation, by_pair),
    }


def landmarks(artefacts: Path, data: Path, truth: Path) -> dict[str, bool]:
    owner = _owners(data)
    is_error = _errors(owner, truth)
    reached = {
        "every annotation scored in three runs": False,
        "three different runs": False,
        "every pair scored in three runs": False,
        "pairs are means of their annotations": False,
        "ranking better than counting labels": False,
    }
    try:
        by_annotation = _annotation_scores(artefacts, owner)
        reached["every annotation scored in three runs"] = True
        reached["three different runs"] = _distinct(by_annotation) == RUNS
        by_pair = _pair_scores(artefacts, set(owner.values()), set(by_annotation))
        reached["every pair scored in three runs"] = True
    except BrokenContract:
        return reached
    reached["pairs are means of their annotations"] = _aggregated(owner, by_annotation, by_pair) == RUNS * len(is_error)
    votes = {pair: -float(sum(of == pair for of in owner.values())) for pair in is_error}
    counting = _average_precision(_ranking(votes, is_error))
    reached["ranking better than counting labels"] = all(
        _average_precision(_ranking(run, is_error)) > counting for run in by_pair.values()
    )
    return reached


def _owners(data: Path) -> dict[str, Pair]:
    """For each annotation of the evaluation items its pair."""
    scored = {row["item"] for row in read_jsonl(data / "items.jsonl") if row["part"] == "eval"}
    kept = [row for row in read_jsonl(data / "annotations.jsonl") if row["item"] in scored]
    return {row["annotation"]: (row["item"], row["label"]) for row in kept}


def _errors(owner: dict[str, Pair], truth: Path) -> dict[Pair, bool]:
    """A pair is an error where no writer stands by any annotation of it."""
    own = {row["annotation"]: row["valid"] == "yes" for row in read_jsonl(truth / "validity.jsonl")}
    stood_by = defaultdict(list)
    for name, pair in owner.items():
        stood_by[pair].append(own[name])
    return {pair: not any(many) for pair, many in stood_by.items()}


def _rows(artefacts: Path, name: str, columns: list[str]) -> list[dict[str, str]]:
    rows = read_table(artefacts / FOLDER / name, columns)
    decimals = max((_decimals(row["score"]) for row in rows), default=0)
    require(decimals >= DECIMALS, f"{name}: scores have at most {decimals} decimals where {DECIMALS} are asked for")
    return rows


def _annotation_scores(artefacts: Path, owner: dict[str, Pair]) -> dict[int, dict[str, float]]:
    found = defaultdict(list)
    for row in _rows(artefacts, "annotations.csv", ["seed", "annotation", "score"]):
        seed = as_integer(row["seed"], "annotations.csv: seed")
        found[seed].append((row["annotation"], as_number(row["score"], f"annotations.csv: {row['annotation']!r:.40}", 0, 1)))
    require(len(found) == RUNS, f"annotations.csv: {len(found)} seeds where {RUNS} are asked for")
    for seed, rows in found.items():
        same_ids([name for name, _ in rows], owner, f"annotations.csv, seed {seed}")
    return {seed: dict(rows) for seed, rows in found.items()}


def _pair_scores(artefacts: Path, expected: set[Pair], seeds: set[int]) -> dict[int, dict[Pair, float]]:
    found = defaultdict(list)
    for row in _rows(artefacts, "pairs.csv", ["seed", "item", "label", "score"]):
        seed = as_integer(row["seed"], "pairs.csv: seed")
        pair = (row["item"], row["label"])
        found[seed].append((pair, as_number(row["score"], f"pairs.csv: {row['item']!r:.40}", 0, 1)))
    require(set(found) == seeds, "pairs.csv: other seeds than annotations.csv")
    for seed, rows in found.items():
        same_ids([pair for pair, _ in rows], expected, f"pairs.csv, seed {seed}")
    return {seed: dict(rows) for seed, rows in found.items()}


def _decimals(number: str) -> int:
    """As written; what has an exponent has as many as one could wish for."""
    return DECIMALS if "e" in number.lower() else len(number.strip().partition(".")[2])


def _distinct(by_annotation: dict[int, dict[str, float]]) -> int:
    return len({tuple(run[name] for name in sorted(run)) for run in by_annotation.values()})


def _aggregated(owner: dict[str, Pair], by_annotation: dict[int, dict[str, float]], by_pair: dict[int, dict[Pair, float]]) -> int:
    """How many pair scores are the mean of their annotations' in the other file."""
    members = defaultdict(list)
    for name, pair in owner.items():
        members[pair].append(name)
    close = 0
    for seed, run in by_pair.items():
        for pair, names in members.items():
            close += abs(run[pair] - float(np.mean([by_annotation[seed][name] for name in names]))) <= ROUNDING
    return int(close)


def _ranking(run: dict[Pair, float], is_error: dict[Pair, bool]) -> np.ndarray:
    """Errors from the most to the least suspicious pair; ties in the order of item and label."""
    pairs = sorted(is_error)
    order = np.argsort([-run[pair] for pair in pairs], kind="stable")
    return np.array([is_error[pair] for pair in pairs])[order]


def _average_precision(hits: np.ndarray) -> float:
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].mean())
