# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Result files: posthoc_results/<heuristic>/<pair>.json."""

import json
from pathlib import Path

from ett.selection import Choice, Selection

RESULTS = Path("posthoc_results")


def result_path(heuristic: str, pair: str) -> Path:
    return RESULTS / heuristic / f"{pair}.json"


def write_selection(selection: Selection, ks: tuple[int, ...]) -> Path:
    path = result_path(selection.heuristic, selection.pair)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "pair": selection.pair,
        "heuristic": selection.heuristic,
        "threshold": selection.threshold,
        "dropped": len(selection.dropped),
        "rates": {f"pass@{k}": selection.rates(k) for k in ks},
        "problems": [_row(choice) for choice in selection.choices],
    }
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path


def _row(choice: Choice) -> dict:
    return {"id": choice.problem.problem_id, "score": choice.score, "arm": choice.arm, "n": choice.tally.n, "c": choice.tally.c}
