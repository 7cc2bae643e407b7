# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Are the prompts the ones asked for, are the responses the model's, and what do they score?

Prompts are built anew from the data and compared with the logged ones, white space aside. Predictions, scores and the comparison
table are recomputed from the logged responses; a log or table that says otherwise is a broken contract. That the
responses are the model's own is seen from a digest over all of them: the model is deterministic, so live gold has the same ones.
"""

import hashlib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rexbench.evaluation.reading import as_integer, as_number, read_jsonl, read_table, require, same_ids

SUBSETS = ("short", "long")
CONDITIONS = {"once": "cot", "reread": "cot_reread"}
"""Condition to results folder, which is also the end of its tasks' names."""

SYSTEM = "Solve the word problem."
PHRASE = "Read the question again:"
FORMAT = "Give the answer as a number."
TRIGGER = "Let's think step by step."
STATED = re.compile(r"The answer is (\d+)")
COLUMNS = ("subset", "n", "once", "reread", "gain", "only_once", "only_reread", "p")
LONGEST_RESPONSE = 4000

Docs = dict[str, dict[str, object]]
"""Documents by id."""


@dataclass(frozen=True)
class Row:
    doc: str
    prompt: str
    response: str
    right: bool
    """Whether the response states the right answer, by the judge's own reading."""


Logs = dict[str, dict[str, list[Row]]]
"""Rows by condition and subset."""


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    """All metrics of task.toml."""
    docs, logs = _read(artefacts, data)
    _check_table(artefacts, logs)
    found: dict[str, int | float | str] = {}
    for condition, by_subset in logs.items():
        found[f"prompts_{condition}"] = sum(_right_prompts(condition, by_subset[subset], docs[subset]) for subset in SUBSETS)
        for subset in SUBSETS:
            found[f"correct_{condition}_{subset}"] = sum(row.right for row in by_subset[subset])
        found[f"responses_{condition}"] = _digest(row for subset in SUBSETS for row in by_subset[subset])
    return found


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """Partial credit: what of the prompts is right, and whether the two runs were kept apart."""
    docs, logs = _read(artefacts, data)
    once = [row for rows in logs["once"].values() for row in rows]
    reread = [row for rows in logs["reread"].values() for row in rows]
    return {
        "chat template on": all("<|user|>" in row.prompt and "<|assistant|>" in row.prompt for row in once + reread),
        "chain of thought asked for": all(_squeeze(row.prompt).endswith(TRIGGER) for row in once + reread),
        "phrase once, in one condition only": all(row.prompt.count(PHRASE) == 1 for row in reread)
        and not any(PHRASE in row.prompt for row in once),
        "prompts read once are right": all(
            _right_prompts("once", logs["once"][subset], docs[subset]) == len(docs[subset]) for subset in SUBSETS
        ),
        "prompts read twice are right": all(
            _right_prompts("reread", logs["reread"][subset], docs[subset]) == len(docs[subset]) for subset in SUBSETS
        ),
        "responses differ between conditions": [row.response for row in once] != [row.response for row in reread],
    }


def _read(artefacts: Path, data: Path) -> tuple[dict[str, Docs], Logs]:
    docs = {subset: {doc["id"]: doc for doc in read_jsonl(data / f"stories_{subset}.jsonl")} for subset in SUBSETS}
    logs = {condition: {subset: _log(artefacts, condition, subset, docs[subset]) for subset in SUBSETS} for condition in CONDITIONS}
    return docs, logs


def _log(artefacts: Path, condition: str, subset: str, docs: Docs) -> list[Row]:
    """The samples of one condition on one file, sorted by document, once everything in them was found consistent."""
    run = CONDITIONS[condition]
    name = f"samples_stories_{subset}_{run}.jsonl"
    rows = read_jsonl(artefacts / "results" / run / name)
    require(all(isinstance(row, dict) for row in rows), f"{name}: a line is not an object")
    for field in ("doc_id", "prompt", "response", "prediction", "target", "correct"):
        require(all(field in row for row in rows), f"{name}: a line has no {field}")
    for field in ("doc_id", "prompt", "response", "target"):
        require(all(isinstance(row[field], str) for row in rows), f"{name}: a {field} is not text")
    same_ids((row["doc_id"] for row in rows), docs, name)
    kept = []
    for row in sorted(rows, key=lambda row: row["doc_id"]):
        doc, target = row["doc_id"], str(docs[row["doc_id"]]["answer"])
        require(len(row["response"]) <= LONGEST_RESPONSE, f"{name}: the response to {doc} is too long")
        stated = STATED.findall(_squeeze(row["response"]))
        prediction = stated[-1] if stated else None
        require(row["target"] == target, f"{name}: the target of {doc} is not the data's")
        require(row["prediction"] == prediction, f"{name}: the prediction for {doc} is not what its response states")
        require(row["correct"] is (prediction == target), f"{name}: {doc} is not scored as its response deserves")
        kept.append(Row(doc, row["prompt"], row["response"], prediction == target))
    return kept


def _right_prompts(condition: str, rows: list[Row], docs: Docs) -> int:
    return sum(_bare(row.prompt) == _bare(_prompt(condition, docs[row.doc])) for row in rows)


def _prompt(condition: str, doc: dict[str, object]) -> str:
    problem = f"{doc['story']} {doc['question']}"
    readings = [f"Q: {problem}"] + [f"{PHRASE} {problem}"] * (condition == "reread")
    return "\n".join(
        [
            f"<|system|> {SYSTEM} <|end|>",
            "<|user|>",
            *readings,
            FORMAT,
            "<|end|>",
            f"<|assistant|> A: {TRIGGER}",
        ]
    )


def _check_table(artefacts: Path, logs: Logs) -> None:
    """The comparison table has to follow from the logs."""
    table = read_table(artefacts / "results" / "comparison.csv", COLUMNS)
    same_ids((row["subset"] for row in table), (*SUBSETS, "all"), "comparison.csv")
    for row in table:
        subset = row["subset"]
        parts = SUBSETS if subset == "all" else (subset,)
        once = [item.right for part in parts for item in logs["once"][part]]
        reread = [item.right for part in parts for item in logs["reread"][part]]
        only_once = sum(a and not b for a, b in zip(once, reread, strict=True))
        only_reread = sum(b and not a for a, b in zip(once, reread, strict=True))
        what = f"comparison.csv, {subset}"
        for column, count in (("n", len(once)), ("only_once", only_once), ("only_reread", only_reread)):
            require(as_integer(row[column], f"{what}, {column}") == count, f"{what}: {column} does not follow from the logs")
        shares = {"once": sum(once) / len(once), "reread": sum(reread) / len(once), "gain": (sum(reread) - sum(once)) / len(once)}
        for column, share in shares.items():
            near = abs(as_number(row[column], f"{what}, {column}") - share) <= 1e-6
            require(near, f"{what}: {column} does not follow from the logs")
        p = _sign_test(only_once, only_reread)
        near = math.isclose(as_number(row["p"], f"{what}, p", 0, 1), p, rel_tol=1e-5)
        require(near, f"{what}: p does not follow from the logs")


def _sign_test(first: int, second: int) -> float:
    total = first + second
    tail = sum(math.comb(total, k) for k in range(min(first, second) + 1))
    return min(1.0, 2 * tail / 2**total)


def _digest(rows: Iterable[Row]) -> str:
    lines = sorted(f"{row.doc}\t{_bare(row.response)}" for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _bare(text: str) -> str:
    """Without white space, which the tokenizer drops."""
    return "".join(text.split())
