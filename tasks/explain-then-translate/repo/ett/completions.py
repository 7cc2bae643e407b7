# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The target side: outcomes of the stored completions, one file per language pair.

The texts of the completions are not kept here (several GB); the runner's verdict on each is all that the analysis needs.
"""

import json
from dataclasses import dataclass
from pathlib import Path

ARMS = ("direct", "explained")


@dataclass(frozen=True)
class Tally:
    n: int
    """Completions that count."""
    c: int
    """Those among them that pass the unit tests."""


def counts(completion: dict) -> bool:
    """Completions cut off by the token limit are no sample of the model's answer, whatever the runner made of them."""
    return completion["finish"] != "length"


def passed(completion: dict) -> bool:
    # Both: some test programs print OK and then die on the way out.
    return completion["status"] == "OK" and completion["exit_code"] == 0


def tally(completions: list[dict]) -> Tally:
    kept = [c for c in completions if counts(c)]
    return Tally(len(kept), sum(passed(c) for c in kept))


def load_raw(data_dir: Path, pair: str) -> dict[str, dict[str, list[dict]]]:
    """problem id -> arm -> completions in sampling order."""
    raw: dict[str, dict[str, list[dict]]] = {}
    with open(data_dir / "completions" / f"{pair}.jsonl") as f:
        for line in f:
            row = json.loads(line)
            raw.setdefault(row["problem_id"], {})[row["arm"]] = row["completions"]
    return raw


def load_tallies(data_dir: Path, pair: str) -> dict[str, dict[str, Tally]]:
    """problem id -> arm -> tally. Not every problem has a test suite in every target language."""
    return {pid: {arm: tally(arms[arm]) for arm in ARMS} for pid, arms in load_raw(data_dir, pair).items()}


def list_pairs(data_dir: Path) -> list[str]:
    return sorted(path.stem for path in (data_dir / "completions").glob("*.jsonl"))
