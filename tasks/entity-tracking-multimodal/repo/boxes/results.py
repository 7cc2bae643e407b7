# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Predictions on disk, and accuracy by the number of operations that affect a box."""

import json
from pathlib import Path

from boxes.scenarios import Scenario

GROUPS = ("0", "1", "2", "3+")


def prediction_rows(scenario: Scenario, predicted: list[list[str] | None], demonstrations: int, prompt_tokens: int) -> list[dict]:
    """One row per box. `predicted` is null where the answer could not be read."""
    return [
        {
            "scenario": scenario.id,
            "box": box,
            "operations": count,
            "predicted": predicted[box],
            "demonstrations": demonstrations,
            "prompt_tokens": prompt_tokens,
        }
        for box, count in enumerate(scenario.operation_counts())
    ]


def write_predictions(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def is_right(row: dict, truth: dict[str, list[list[str]]]) -> bool:
    """Whether the prediction has exactly the box's objects, in any order."""
    return row["predicted"] is not None and set(row["predicted"]) == set(truth[row["scenario"]][row["box"]])


def accuracy_table(rows: list[dict], scenarios: list[Scenario]) -> dict[str, tuple[int, int]]:
    """Right predictions and boxes, per group of GROUPS and for all boxes together."""
    truth = {scenario.id: scenario.end() for scenario in scenarios}
    table = {group: (0, 0) for group in (*GROUPS, "all")}
    for row in rows:
        for group in (GROUPS[min(row["operations"], 3)], "all"):
            right, boxes = table[group]
            table[group] = (right + is_right(row, truth), boxes + 1)
    return table


def print_table(name: str, table: dict[str, tuple[int, int]]) -> None:
    print(f"{name:12s}" + "".join(f"{group:>8s}" for group in table))
    print(f"{'accuracy':12s}" + "".join(f"{right / max(boxes, 1):8.3f}" for right, boxes in table.values()))
    print(f"{'boxes':12s}" + "".join(f"{boxes:8d}" for _, boxes in table.values()))
