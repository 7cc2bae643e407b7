# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recompute, from the scores of every summary, how weighted and unweighted checklists agree with the experts on held-out documents.

The two correlation tables of the experiment are held against this recomputation: a table that says otherwise (other documents,
another level of correlation) breaks the contract. The tables never enter a metric.
"""

import hashlib
from collections import defaultdict
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import BrokenContract, as_number, read_table, require, same_ids

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
METHODS = ("unweighted", "weighted")
COEFFICIENTS = ("pearson", "spearman", "kendall")
COLUMNS = ("document", "system", "dimension", "split", *METHODS)
DECIMALS = 6
MIN_SYSTEMS = 3
TABLE_TOLERANCE = 2e-6
"""Tables carry six decimals; this is one unit of the last place on either side."""

Key = tuple[str, str, str]
Row = tuple[str, float | None, float | None]


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    human = _expert_means(data)
    rows = _scores(artefacts, human)
    found = {(m, c, d): value for m in METHODS for d in DIMENSIONS for c, value in _held_out(rows, human, m, d).items()}
    for method in METHODS:
        _check_table(artefacts, method, found)
    result: dict[str, int | float | str] = {
        "split_digest": _split_digest(rows),
        "scored_summaries": sum(row[1] is not None for row in rows.values()),
    }
    for method in METHODS:
        for coefficient in COEFFICIENTS:
            result[f"{method}_{coefficient}"] = float(np.mean([found[method, coefficient, d] for d in DIMENSIONS]))
    for dimension in DIMENSIONS:
        result[f"weighted_spearman_{dimension}"] = found["weighted", "spearman", dimension]
    result["train_error"] = _train_error(rows, human)
    return result


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    human = _expert_means(data)
    names = ("scores_complete", "split_by_document", "fifth_of_documents", "tables_agree")
    reached = dict.fromkeys(names, False)
    try:
        rows = _scores(artefacts, human)
    except BrokenContract:
        return reached
    reached["scores_complete"] = True
    pairs = {(document, row[0]) for (document, _, _), row in rows.items()}
    documents = {document for document, _ in pairs}
    reached["split_by_document"] = len(pairs) == len(documents)
    train = {document for document, split in pairs if split == "train"}
    reached["fifth_of_documents"] = reached["split_by_document"] and len(train) == round(0.2 * len(documents))
    try:
        found = {(m, c, d): value for m in METHODS for d in DIMENSIONS for c, value in _held_out(rows, human, m, d).items()}
        for method in METHODS:
            _check_table(artefacts, method, found)
    except BrokenContract:
        return reached
    reached["tables_agree"] = True
    return reached


def _expert_means(data: Path) -> dict[Key, float]:
    given: dict[Key, list[int]] = defaultdict(list)
    for row in read_table(data / "human.csv", ("document", "system", "annotator", *DIMENSIONS)):
        if row["annotator"].startswith("expert_"):
            for dimension in DIMENSIONS:
                if row[dimension]:
                    given[row["document"], row["system"], dimension].append(int(row[dimension]))
    return {key: round(sum(values) / len(values), DECIMALS) for key, values in given.items()}


def _scores(artefacts: Path, human: dict[Key, float]) -> dict[Key, Row]:
    name = "scores.csv"
    table = read_table(artefacts / "results" / name, COLUMNS)
    keys = [(row["document"], row["system"], row["dimension"]) for row in table]
    same_ids(keys, human, name)
    rows: dict[Key, Row] = {}
    for key, row in zip(keys, table, strict=True):
        require(row["split"] in ("train", "test"), f"{name}: split {row['split']!r:.40} is neither train nor test")
        blank = [row[method].strip() == "" for method in METHODS]
        require(blank[0] == blank[1], f"{name}: {'/'.join(key)} has one score and lacks the other")
        if blank[0]:
            rows[key] = (row["split"], None, None)
            continue
        unweighted = as_number(row["unweighted"], f"{name} unweighted", 0.0, 1.0)
        weighted = as_number(row["weighted"], f"{name} weighted", -100.0, 100.0)
        rows[key] = (row["split"], round(unweighted, DECIMALS), round(weighted, DECIMALS))
    require(any(row[1] is not None for row in rows.values()), f"{name}: no summary has a score")
    return rows


def _held_out(rows: dict[Key, Row], human: dict[Key, float], method: str, dimension: str) -> dict[str, float]:
    place = 1 + METHODS.index(method)
    by_document: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for key, row in rows.items():
        value = row[place]
        if key[2] == dimension and row[0] == "test" and isinstance(value, float):
            by_document[key[0]].append((value, human[key]))
    found = []
    for _, pairs in sorted(by_document.items()):
        x, y = np.array(sorted(pairs)).T
        if len(x) >= MIN_SYSTEMS and np.ptp(x) > 0 and np.ptp(y) > 0:
            found.append((_pearson(x, y), _pearson(_ranks(x), _ranks(y)), _kendall(x, y)))
    require(bool(found), f"scores.csv: no held-out document of {dimension} can be correlated")
    return dict(zip(COEFFICIENTS, (float(value) for value in np.mean(found, axis=0)), strict=True))


def _pearson(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def _ranks(x: np.ndarray) -> np.ndarray:
    """Ranks from 1; equal values share the mean of theirs."""
    return (np.sign(x[:, None] - x[None, :]).sum(axis=1) + len(x) + 1) / 2


def _kendall(x: np.ndarray, y: np.ndarray) -> float:
    """Tau-b: pairs that are in the same order less those in the opposite one, ties in either left out of its size."""
    a, b = np.sign(x[:, None] - x[None, :]), np.sign(y[:, None] - y[None, :])
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def _check_table(artefacts: Path, method: str, found: dict[tuple[str, str, str], float]) -> None:
    name = f"correlations_{method}.csv"
    table = read_table(artefacts / "results" / name, ("dimension", *COEFFICIENTS))
    same_ids([row["dimension"] for row in table], (*DIMENSIONS, "average"), name)
    require(table[-1]["dimension"] == "average", f"{name}: the last row is not the average")
    for row in table:
        for coefficient in COEFFICIENTS:
            what = f"{name}: {coefficient} of {row['dimension']}"
            value = as_number(row[coefficient], what, -1.0, 1.0)
            over = DIMENSIONS if row["dimension"] == "average" else (row["dimension"],)
            expected = float(np.mean([found[method, coefficient, dimension] for dimension in over]))
            require(
                abs(value - expected) <= TABLE_TOLERANCE,
                f"{what} is {value}, but the held-out rows of scores.csv give {expected:.6f}",
            )


def _split_digest(rows: dict[Key, Row]) -> str:
    """Of the pairs of document and split; a document that is in both splits counts in both."""
    pairs = sorted({(key[0], row[0]) for key, row in rows.items()})
    return hashlib.sha256("\n".join(" ".join(pair) for pair in pairs).encode()).hexdigest()[:16]


def _train_error(rows: dict[Key, Row], human: dict[Key, float]) -> float:
    """Root mean square of weighted score minus expert mean on the training rows; 0 where there are none."""
    errors = [row[2] - human[key] for key, row in rows.items() if row[0] == "train" and row[2] is not None]
    return float(np.sqrt(np.mean(np.square(errors)))) if errors else 0.0
