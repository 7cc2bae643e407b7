# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Rerank explanations by mean token log-probability. Does not run: the log-probabilities were never stored for this model.

Kept because the reviewers may ask. The idea: take the explanation that the model finds most likely, translate from that one.
"""

import json
import sys
from pathlib import Path


def best_explanation(candidates: list[dict]) -> dict:
    return max(candidates, key=lambda c: sum(c["logprobs"]) / max(1, len(c["logprobs"])))


def main(folder: Path) -> None:
    for path in sorted(folder.glob("*.explanations.jsonl")):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        if not all("logprobs" in c for row in rows for c in row["candidates"]):
            sys.exit(f"{path}: no log-probabilities stored")
        print(path.stem, [best_explanation(row["candidates"])["id"] for row in rows][:5])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "explanations"))
