# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The data folder from a seed: queries, checks and pools of demonstrations for five bases. No answers are written.

Pools are raw on purpose: they hold queries, queries with the operands swapped, and items that a counterfactual base drops. What
is promised is only that every query and check has enough admissible candidates.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
BASES = (8, 9, 10, 11, 16)
SYMBOLS = "0123456789ABCDEF"
QUERIES, POOL, CANDIDATES = 170, 300, 32
CHECKS, NUMBERS = 24, 120
LEAKED, SWAPPED, ASKED = 30, 30, 24
"""Pool entries that are queries, that are queries the other way round, and number-pool entries that are check numbers."""
ENOUGH = 12
"""Admissible candidates that every list has at least."""

Pair = tuple[int, int]


def numeral(value: int, base: int) -> str:
    text = ""
    while value or not text:
        text, value = SYMBOLS[value % base] + text, value // base
    return text


def same_in_base_ten(pair: Pair, base: int) -> bool:
    """Whether the expression can be read in base ten and then has a sum that is written alike."""
    left, right = (numeral(value, base) for value in pair)
    return (left + right).isdigit() and str(int(left) + int(right)) == numeral(sum(pair), base)


def make(seed: int, out_dir: Path) -> None:
    (out_dir / "CANARY.txt").write_text(CANARY + "\n")
    for base in BASES:
        rng = np.random.default_rng([seed, base])
        _additions(rng, base, out_dir)
        _checks(rng, base, out_dir)


def _additions(rng: np.random.Generator, base: int, out_dir: Path) -> None:
    def fresh(taken: set[Pair]) -> Pair:
        while True:
            pair = (int(rng.integers(base, base * base)), int(rng.integers(base, base * base)))
            if pair not in taken:
                return pair

    queries: list[Pair] = []
    while len(queries) < QUERIES:
        queries.append(fresh(set(queries)))
    asked = {tuple(sorted(pair)) for pair in queries}
    order = [queries[at] for at in rng.permutation(QUERIES)]
    pool = order[:LEAKED]
    for left, right in order[LEAKED:]:
        if len(pool) < LEAKED + SWAPPED and (right, left) not in pool and (right, left) not in queries:
            pool.append((right, left))
    while len(pool) < POOL:
        pool.append(fresh(set(pool)))
    pool = [pool[at] for at in rng.permutation(POOL)]

    def admissible(at: int) -> bool:
        return tuple(sorted(pool[at])) not in asked and (base == 10 or not same_in_base_ten(pool[at], base))

    rows = []
    for at, pair in enumerate(queries):
        candidates = _candidates(rng, POOL, admissible)
        own = [place for place, other in enumerate(pool) if sorted(other) == sorted(pair) and place not in candidates]
        if own and rng.random() < 0.5:
            # A list drawn at random seldom holds its own query; where one does, the answer is there to be copied.
            candidates[int(rng.integers(4))] = own[0]
            if sum(map(admissible, candidates)) < ENOUGH:
                candidates = _candidates(rng, POOL, admissible)
        rows.append({"id": f"q{base}-{at:03d}", **_written(pair, base), "candidates": [f"p{place:03d}" for place in candidates]})
    _write(out_dir / "queries" / f"base{base}.jsonl", rows)
    _write(
        out_dir / "pools" / f"sum_base{base}.jsonl", [{"id": f"p{at:03d}", **_written(pair, base)} for at, pair in enumerate(pool)]
    )


def _checks(rng: np.random.Generator, base: int, out_dir: Path) -> None:
    prefixes = [int(value) for value in rng.choice(np.arange(1, base * base), size=CHECKS, replace=False)]
    asked = {prefix * base + last for prefix in prefixes for last in (0, base - 1)}
    pool = [int(value) for value in rng.choice(sorted(asked), size=ASKED, replace=False)]
    while len(pool) < NUMBERS:
        value = int(rng.integers(base, base**3))
        if value not in pool:
            pool.append(value)
    pool = [pool[at] for at in rng.permutation(NUMBERS)]
    rows = []
    for at, prefix in enumerate(prefixes):
        candidates = _candidates(rng, NUMBERS, lambda place: pool[place] not in asked)
        listed = [f"n{place:03d}" for place in candidates]
        rows.append({"id": f"c{base}-{at:02d}", "prefix": numeral(prefix, base), "candidates": listed})
    _write(out_dir / "checks" / f"base{base}.jsonl", rows)
    _write(
        out_dir / "pools" / f"next_base{base}.jsonl",
        [{"id": f"n{at:03d}", "number": numeral(v, base)} for at, v in enumerate(pool)],
    )


def _candidates(rng: np.random.Generator, size: int, admissible: Callable[[int], bool]) -> list[int]:
    while True:
        candidates = [int(at) for at in rng.choice(size, size=CANDIDATES, replace=False)]
        if sum(map(admissible, candidates)) >= ENOUGH:
            return candidates


def _written(pair: Pair, base: int) -> dict[str, str]:
    return {"left": numeral(pair[0], base), "right": numeral(pair[1], base)}


def _write(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    canary = path.parent / "CANARY.txt"
    canary.write_text(CANARY + "\n")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
