# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recompute the ranking metrics and the properties of the raw scores from the two score files."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import BrokenContract, as_integer, as_number, read_jsonl, read_table, require, same_ids

FOLDER = Path("predictions") / "distil"
RUNS = 3
TOP = 100
EXTREME = 0.005
"""Scores nearer to 0 or 1 than this count as this, so that a rounded file has finite log-odds."""
ROUNDING = 1e-3
"""How far a pair's score may lie from the mean of its annotations: files may be rounded to three decimals or more."""


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    owner, invalid = _truth(data)
    by_annotation = _annotation_scores(artefacts, owner)
    by_pair = _pair_scores(artefacts, set(owner.values()), set(by_annotation))
    is_error = _errors(owner, invalid)
    names, pairs = sorted(owner), sorted(is_error)
    verdicts = np.array([invalid[name] for name in names], dtype=float)
    scores = np.array([[run[name] for name in names] for _, run in sorted(by_annotation.items())])
    rankings = [_ranking(run, is_error) for run in by_pair.values()]
    return {
        "average_precision": float(np.mean([_average_precision(hits) for hits in rankings])),
        "precision_at_100": float(np.mean([hits[:TOP].mean() for hits in rankings])),
        "recall_at_100": float(np.mean([hits[:TOP].sum() / hits.sum() for hits in rankings])),
        "score_mean": float(scores.mean()),
        "score_sd": float(scores.std(axis=1).mean()),
        "logit_sd": float(_log_odds(scores).std(axis=1).mean()),
        "brier": float(((scores - verdicts) ** 2).mean()),
        "seed_disagreement": float(scores.std(axis=0, ddof=1).mean()),
        "distinct_runs": _distinct(by_annotation),
        "aggregated_pairs": _aggregated(owner, by_annotation, by_pair, pairs),
    }


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    owner, invalid = _truth(data)
    reached = {
        "every annotation scored in three runs": False,
        "three different runs": False,
        "every pair scored in three runs": False,
    }
    reached |= {"pairs are means of their annotations": False, "ranking better than counting labels": False}
    try:
        by_annotation = _annotation_scores(artefacts, owner)
        reached["every annotation scored in three runs"] = True
        reached["three different runs"] = _distinct(by_annotation) == RUNS
        by_pair = _pair_scores(artefacts, set(owner.values()), set(by_annotation))
        reached["every pair scored in three runs"] = True
    except BrokenContract:
        return reached
    is_error = _errors(owner, invalid)
    pairs = sorted(is_error)
    reached["pairs are means of their annotations"] = _aggregated(owner, by_annotation, by_pair, pairs) == RUNS * len(pairs)
    votes = {pair: -float(sum(of == pair for of in owner.values())) for pair in pairs}
    counting = _average_precision(_ranking(votes, is_error))
    reached["ranking better than counting labels"] = all(
        _average_precision(_ranking(run, is_error)) > counting for run in by_pair.values()
    )
    return reached


def _truth(data: Path) -> tuple[dict[str, tuple[str, str]], dict[str, bool]]:
    """For each annotation of the evaluation items its pair, and whether its writer did not stand by it."""
    scored = {row["item"] for row in read_jsonl(data / "items.jsonl") if row["part"] == "eval"}
    kept = [row for row in read_jsonl(data / "annotations.jsonl") if row["item"] in scored]
    owner = {row["annotation"]: (row["item"], row["label"].lower()) for row in kept}
    writer = {row["annotation"]: row["annotator"] for row in kept}
    own = {
        row["annotation"]: row["valid"] for row in read_jsonl(data / "validity.jsonl") if writer[row["annotation"]] == row["judge"]
    }
    return owner, {name: own[name] != "yes" for name in owner}


def _errors(owner: dict[str, tuple[str, str]], invalid: dict[str, bool]) -> dict[tuple[str, str], bool]:
    verdicts = defaultdict(list)
    for name, pair in owner.items():
        verdicts[pair].append(invalid[name])
    return {pair: all(many) for pair, many in verdicts.items()}


def _annotation_scores(artefacts: Path, owner: dict[str, tuple[str, str]]) -> dict[int, dict[str, float]]:
    found = defaultdict(list)
    for row in read_table(artefacts / FOLDER / "annotations.csv", ["seed", "annotation", "score"]):
        seed = as_integer(row["seed"], "annotations.csv: seed")
        found[seed].append((row["annotation"], as_number(row["score"], f"annotations.csv: {row['annotation']!r:.40}", 0, 1)))
    require(len(found) == RUNS, f"annotations.csv: {len(found)} seeds where {RUNS} are asked for")
    for seed, rows in found.items():
        same_ids([name for name, _ in rows], owner, f"annotations.csv, seed {seed}")
    return {seed: dict(rows) for seed, rows in found.items()}


def _pair_scores(artefacts: Path, expected: set[tuple[str, str]], seeds: set[int]) -> dict[int, dict[tuple[str, str], float]]:
    found = defaultdict(list)
    for row in read_table(artefacts / FOLDER / "pairs.csv", ["seed", "item", "label", "score"]):
        seed = as_integer(row["seed"], "pairs.csv: seed")
        pair = (row["item"], row["label"].lower())
        found[seed].append((pair, as_number(row["score"], f"pairs.csv: {row['item']!r:.40}", 0, 1)))
    require(set(found) == seeds, "pairs.csv: other seeds than annotations.csv")
    for seed, rows in found.items():
        same_ids([pair for pair, _ in rows], expected, f"pairs.csv, seed {seed}")
    return {seed: dict(rows) for seed, rows in found.items()}


def _distinct(by_annotation: dict[int, dict[str, float]]) -> int:
    return len({tuple(run[name] for name in sorted(run)) for run in by_annotation.values()})


def _aggregated(owner, by_annotation, by_pair, pairs) -> int:
    members = defaultdict(list)
    for name, pair in owner.items():
        members[pair].append(name)
    close = 0
    for seed, run in by_pair.items():
        for pair in pairs:
            close += abs(run[pair] - float(np.mean([by_annotation[seed][name] for name in members[pair]]))) <= ROUNDING
    return int(close)


def _log_odds(scores: np.ndarray) -> np.ndarray:
    inside = scores.clip(EXTREME, 1 - EXTREME)
    return np.log(inside / (1 - inside))


def _ranking(run: dict[tuple[str, str], float], is_error: dict[tuple[str, str], bool]) -> np.ndarray:
    """Errors from the most to the least suspicious pair; ties in the order of item and label."""
    pairs = sorted(is_error)
    order = np.argsort([-run[pair] for pair in pairs], kind="stable")
    return np.array([is_error[pair] for pair in pairs])[order]


def _average_precision(hits: np.ndarray) -> float:
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].mean())
