# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a model said about the sentences of a test split, on disk and as one number. Free of torch, so that tables are made fast."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Score:
    id: str
    tokens: int
    """How many tokens were predicted: the sentence's and the end mark."""
    logprob: float
    """Natural logarithm of the probability of all of them."""


def perplexity(scores: list[Score]) -> float:
    """Geometric mean over sentences of the sentence's perplexity."""
    return math.exp(sum(-one.logprob / one.tokens for one in scores) / len(scores))


def write_scores(scores: list[Score], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{one.id}\t{one.tokens}\t{one.logprob:.6f}" for one in scores]
    path.write_text("id\ttokens\tlogprob\n" + "\n".join(rows) + "\n", encoding="utf-8")


def read_scores(path: Path) -> list[Score]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Score(row["id"], int(row["tokens"]), float(row["logprob"])) for row in csv.DictReader(file, delimiter="\t")]
