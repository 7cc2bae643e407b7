# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recompute win rates from the responses of the three ablations, and digest their texts and token sequences.

Win rates alone would not tell a response that came out of decoding from one that was written by other means, nor one mistake in the
rules from another. Greedy decoding in double precision is deterministic and does not depend on batching, so the sequences
themselves are compared with gold's, by digest, and so are the texts. The models are not at hand here: which sequence is right is
known from the live gold run only.
"""

import hashlib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rexbench.evaluation.reading import BrokenContract, as_integer, read_jsonl, require, same_ids

ABLATIONS = ("all_rules", "two_rules", "no_rules")
VOCABULARY = 512
MOST_TOKENS = 64
STEEPNESS = 8.0
REDUNDANCY_WEIGHT = 0.5
LENGTH_WEIGHT = 1.0

Point = tuple[str, str]


@dataclass(frozen=True)
class Item:
    points: list[Point]
    reference: str


@dataclass(frozen=True)
class Response:
    text: str
    tokens: tuple[int, ...]
    finish: str


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    items = _items(truth)
    result: dict[str, int | float | str] = {}
    for ablation in ABLATIONS:
        responses = _responses(artefacts, ablation, items)
        result[f"win_rate_{ablation}"] = _win_rate(responses, items)
        result[f"tokens_{ablation}"] = sum(len(response.tokens) for response in responses.values())
        result[f"ended_{ablation}"] = sum(response.finish == "eos" for response in responses.values())
        result[f"sequences_{ablation}"] = _digest(f"{at} {' '.join(map(str, r.tokens))} {r.finish}" for at, r in responses.items())
        result[f"texts_{ablation}"] = _digest(f"{at} {r.text!r}" for at, r in responses.items())
    return result


def landmarks(artefacts: Path, data: Path, truth: Path) -> dict[str, bool]:
    """How far a patch got: all files in order, responses that end, and each set of rules better than the one below."""
    items = _items(truth)
    found: dict[str, dict[str, Response]] = {}
    for ablation in ABLATIONS:
        try:
            found[ablation] = _responses(artefacts, ablation, items)
        except BrokenContract:
            continue
    complete = len(found) == len(ABLATIONS)
    rates = {ablation: _win_rate(responses, items) for ablation, responses in found.items()}
    every = found.get("all_rules", {})
    return {
        "every_ablation_in_order": complete,
        "without_rules_responses_run_on": complete
        and sum(r.finish == "length" for r in found["no_rules"].values()) > len(items) / 2,
        "with_rules_responses_end": bool(every) and sum(r.finish == "eos" for r in every.values()) > len(items) / 2,
        "rules_raise_the_win_rate": complete and rates["no_rules"] < rates["two_rules"] < rates["all_rules"],
    }


def _items(truth: Path) -> dict[str, Item]:
    points = {row["id"]: [(point[0], point[1]) for point in row["points"]] for row in read_jsonl(truth / "rubrics.jsonl")}
    return {row["id"]: Item(points[row["id"]], row["response"]) for row in read_jsonl(truth / "references.jsonl")}


def _responses(artefacts: Path, ablation: str, items: dict[str, Item]) -> dict[str, Response]:
    name = f"{ablation}/responses.jsonl"
    rows = read_jsonl(artefacts / "results" / "model_b" / ablation / "responses.jsonl")
    require(all(isinstance(row, dict) for row in rows), f"{name}: a line is not a JSON object")
    for key in ("id", "response", "tokens", "finish"):
        require(all(key in row for row in rows), f"{name}: a line has no {key!r}")
    require(all(isinstance(row["id"], str) for row in rows), f"{name}: an id is not text")
    same_ids([row["id"] for row in rows], items, name)
    by_id = {row["id"]: _response(row, f"{name}: {row['id']}") for row in rows}
    return {at: by_id[at] for at in sorted(by_id)}


def _response(row: dict, what: str) -> Response:
    text, tokens, finish = row["response"], row["tokens"], row["finish"]
    require(isinstance(text, str) and len(text) <= 20 * MOST_TOKENS, f"{what}: response is not text of a possible length")
    require(isinstance(tokens, list) and len(tokens) <= MOST_TOKENS, f"{what}: tokens is not a list of at most {MOST_TOKENS}")
    require(finish in ("eos", "length"), f"{what}: finish is {finish!r:.40}")
    require(finish == "eos" or len(tokens) == MOST_TOKENS, f"{what}: cut for length at {len(tokens)} tokens")
    ids = tuple(as_integer(token, f"{what}: token", 0, VOCABULARY - 1) for token in tokens)
    return Response(text, ids, finish)


def _sentences(text: str) -> list[list[str]]:
    return [words for words in (re.findall("[a-z]+", part) for part in re.split("[.?!]", text.lower())) if words]


def _quality(sentences: list[list[str]], points: list[Point]) -> float:
    if not sentences:
        return -1.0
    left = set(points)
    redundant = 0
    for words in sentences:
        made = {point for point in left if set(point) <= set(words)}
        redundant += not made
        left -= made
    return (len(points) - len(left)) / len(points) - REDUNDANCY_WEIGHT * redundant / len(sentences)


def _win_rate(responses: dict[str, Response], items: dict[str, Item]) -> float:
    preferences = []
    for at, response in responses.items():
        own, other = _sentences(response.text), _sentences(items[at].reference)
        gain = _quality(own, items[at].points) - _quality(other, items[at].points)
        excess = max(0.0, math.log(max(1, sum(map(len, own))) / sum(map(len, other))))
        preferences.append(1 / (1 + math.exp(LENGTH_WEIGHT * excess - STEEPNESS * gain)))
    return 100 * math.fsum(preferences) / len(preferences)


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
