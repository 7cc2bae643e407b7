# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score the states that two models predicted, against end states worked out here from the scenarios.

The comparison that the experiment writes is held against this recomputation; it never enters a metric.
"""

import hashlib
from pathlib import Path
from typing import Any

from rexbench.evaluation.reading import BrokenContract, as_integer, as_number, read_jsonl, read_table, require, same_ids

MODELS = ("boxes-gpt", "boxes-vlm")
GROUPS = ("0", "1", "2", "3plus")
MOST_OBJECTS, LONGEST_NAME = 200, 1000
"""Far beyond what a model can write in its answer."""

Key = tuple[str, int]


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    truth, counts = _truth(data)
    found: dict[str, int | float | str] = {}
    tracked: dict[str, tuple[int, int]] = {}
    for model in MODELS:
        rows = _predictions(artefacts, model, counts)
        short = model.removeprefix("boxes-")
        right = {key: row["predicted"] is not None and frozenset(row["predicted"]) == truth[key] for key, row in rows.items()}
        for at, group in enumerate(GROUPS):
            found[f"{short}_right_{group}"] = sum(hit for key, hit in right.items() if min(counts[key], 3) == at)
        chosen = [hit for key, hit in right.items() if counts[key] >= 1]
        tracked[model] = (sum(chosen), len(chosen))
        found[f"{short}_accuracy"] = sum(chosen) / len(chosen)
        found[f"{short}_states"] = _digest(_shown(row["predicted"]) for _, row in sorted(rows.items()))
        found[f"{short}_prompts"] = _digest(f"{row['demonstrations']} {row['prompt_tokens']}" for _, row in sorted(rows.items()))
    _check_comparison(artefacts, tracked)
    return found


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """What a solution got right even where its numbers are wrong."""
    truth, counts = _truth(data)
    reached = {"second model predicted": False, "answers of the second model readable": False, "second model tracks": False}
    try:
        rows = _predictions(artefacts, MODELS[1], counts)
    except BrokenContract:
        return reached
    reached["second model predicted"] = True
    readable = sum(row["predicted"] is not None for row in rows.values())
    reached["answers of the second model readable"] = readable >= 0.9 * len(rows)
    hits = [
        row["predicted"] is not None and frozenset(row["predicted"]) == truth[key] for key, row in rows.items() if counts[key] >= 1
    ]
    reached["second model tracks"] = 0.4 * len(hits) < sum(hits) < len(hits)
    return reached


def _truth(data: Path) -> tuple[dict[Key, frozenset[str]], dict[Key, int]]:
    """The objects of each box at the end, and how many operations affect the box."""
    truth: dict[Key, frozenset[str]] = {}
    counts: dict[Key, int] = {}
    for scenario in read_jsonl(data / "scenarios.jsonl"):
        place = {thing: box for box, things in enumerate(scenario["boxes"]) for thing in things}
        touched = [0] * len(scenario["boxes"])
        for kind, thing, *boxes in scenario["operations"]:
            for box in boxes:
                touched[box] += 1
            if kind == "remove":
                del place[thing]
            else:
                place[thing] = boxes[-1]
        for box, count in enumerate(touched):
            truth[scenario["id"], box] = frozenset(thing for thing, where in place.items() if where == box)
            counts[scenario["id"], box] = count
    return truth, counts


def _predictions(artefacts: Path, model: str, counts: dict[Key, int]) -> dict[Key, dict[str, Any]]:
    name = f"{model}/predictions.jsonl"
    rows = read_jsonl(artefacts / "output" / model / "predictions.jsonl")
    require(len(rows) == len(counts), f"{name}: {len(rows)} rows, should be {len(counts)}")
    found = []
    for at, row in enumerate(rows, 1):
        require(isinstance(row, dict), f"{name} line {at}: not an object")
        require(isinstance(row.get("scenario"), str), f"{name} line {at}: no scenario")
        key = (row["scenario"], as_integer(row.get("box"), f"{name} line {at}: box"))
        said = as_integer(row.get("operations"), f"{name} line {at}: operations")
        require(counts.get(key, said) == said, f"{name} line {at}: {said} operations where {counts.get(key)} affect the box")
        require("predicted" in row, f"{name} line {at}: no predicted")
        predicted = row["predicted"]
        require(predicted is None or isinstance(predicted, list), f"{name} line {at}: predicted is neither a list nor null")
        things = predicted or []
        require(len(things) <= MOST_OBJECTS, f"{name} line {at}: {len(things)} objects")
        require(
            all(isinstance(thing, str) and len(thing) <= LONGEST_NAME for thing in things),
            f"{name} line {at}: objects are not names",
        )
        shown = {
            "predicted": predicted,
            "demonstrations": as_integer(row.get("demonstrations"), f"{name} line {at}: demonstrations", 0, 2),
            "prompt_tokens": as_integer(row.get("prompt_tokens"), f"{name} line {at}: prompt_tokens", 1, 10_000),
        }
        found.append((key, shown))
    same_ids([key for key, _ in found], counts, name)
    return dict(found)


def _shown(predicted: list[str] | None) -> str:
    return "?" if predicted is None else "|".join(sorted(set(predicted)))


def _digest(lines: Any) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _check_comparison(artefacts: Path, tracked: dict[str, tuple[int, int]]) -> None:
    name = "comparison.csv"
    table = read_table(artefacts / "output" / name, ("model", "boxes", "right", "accuracy"))
    same_ids([row["model"] for row in table], MODELS, name)
    for row in table:
        right, boxes = tracked[row["model"]]
        said = as_integer(row["boxes"], f"{name}: boxes of {row['model']}")
        require(said == boxes, f"{name}: {said} boxes of {row['model']}, but {boxes} are affected by an operation")
        said = as_integer(row["right"], f"{name}: right of {row['model']}")
        require(said == right, f"{name}: {said} right of {row['model']}, but the predictions give {right}")
        accuracy = as_number(row["accuracy"], f"{name}: accuracy of {row['model']}", 0.0, 1.0)
        require(
            abs(accuracy - right / boxes) <= 1e-4,
            f"{name}: accuracy {accuracy} of {row['model']}, but the predictions give {right / boxes:.6f}",
        )
