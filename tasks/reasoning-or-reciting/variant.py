# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The data folder from a seed: queries, checks and pools of demonstrations for five bases. No answers are written.

Pools are raw on purpose: they hold queries, queries with the operands swapped, and items that a counterfactual base drops. What
is promised is that every query and check has enough admissible candidates, and that every rule of the experiment is at work: a few
questions are put in that the checkpoint is known to get wrong, and the rest is counted.
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
TWINS = 16
"""Pool entries that are others of the pool, which no query asks, the other way round: a prompt may have to show both."""
ENOUGH = 12
"""Admissible candidates that every list has at least."""

EVALUATED, MOST_SHOWN = 100, 8

MISSED = (
    "10+80 10+90 11+18 11+28 11+38 11+48 11+58 11+88 11+98 20+80 20+90 21+48 21+58 21+98 31+90 40+10 40+20 40+30 40+50 40+60 "
    "40+70 50+30 50+40 50+80 50+90 58+93 60+30 60+40 60+50 60+70 60+80 60+90 68+83 69+82 70+40 70+80 70+90 80+10 80+20 80+30"
)
"""Additions that the checkpoint gets wrong in base ten without demonstrations: where it makes no error, a gap in points is the gap."""
ENDLESS = "22+89 22+99 32+79 72+49 72+79 72+89 82+29 82+79 87+2A 92+19 92+29 92+49 92+69 92+79 A0+1A"
"""Additions in base eleven that it answers without a stop: only there the limit on new tokens shows."""
HALF_PASSED: dict[int, tuple[str, ...]] = {10: ("2", "7", "30", "40", "70", "90"), 9: ("2", "40"), 11: ("2", "3", "7", "40", "90")}
"""Prefixes of which, after any one of `MISLEADING`, one number is answered right and the other wrong: checks differ from numbers."""
MISLEADING = ("11", "12", "13", "14", "15", "16", "17", "21", "22", "23")
PLANTED = {10: (MISSED, 4), 11: (ENDLESS, 2)}

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

    known, count = PLANTED.get(base, ("", 0))
    planted = [_read(text, base) for text in rng.permutation(known.split())[:count]]
    queries: list[Pair] = list(planted)
    while len(queries) < QUERIES:
        queries.append(fresh(set(queries)))
    queries = [queries[at] for at in (*rng.permutation(EVALUATED), *range(EVALUATED, QUERIES))]
    asked = {tuple(sorted(pair)) for pair in queries}
    order = [queries[at] for at in rng.permutation(QUERIES)]
    pool = order[:LEAKED]
    for left, right in order[LEAKED:]:
        if len(pool) < LEAKED + SWAPPED and (right, left) not in pool and (right, left) not in queries:
            pool.append((right, left))

    def may_be_shown(pair: Pair) -> bool:
        return tuple(sorted(pair)) not in asked and (base == 10 or not same_in_base_ten(pair, base))

    twins: list[tuple[Pair, Pair]] = []
    while len(twins) < TWINS:
        left, right = fresh({turned for known in pool for turned in (known, known[::-1])})
        if left != right and may_be_shown((left, right)):
            twins.append(((left, right), (right, left)))
            pool += twins[-1]
    while len(pool) < POOL:
        pool.append(fresh(set(pool)))
    pool = [pool[at] for at in rng.permutation(POOL)]

    def admissible(at: int) -> bool:
        return may_be_shown(pool[at])

    rows, lists = [], []
    for at, pair in enumerate(queries):
        candidates = _candidates(rng, POOL, admissible)
        if rng.random() < 0.2:
            # Two of one question seldom meet among the first eight by chance.
            one, other = (pool.index(twin) for twin in twins[int(rng.integers(TWINS))])
            if one not in candidates and other not in candidates:
                first, second = rng.choice(MOST_SHOWN, size=2, replace=False)
                candidates[first], candidates[second] = one, other
        own = [place for place, other in enumerate(pool) if sorted(other) == sorted(pair) and place not in candidates]
        if own and rng.random() < 0.5:
            # A list drawn at random seldom holds its own query; where one does, the answer is there to be copied.
            candidates[int(rng.integers(4))] = own[0]
            if sum(map(admissible, candidates)) < ENOUGH:
                candidates = _candidates(rng, POOL, admissible)
        rows.append({"id": f"q{base}-{at:03d}", **_written(pair, base), "candidates": [f"p{place:03d}" for place in candidates]})
        lists.append([pool[place] for place in candidates])
    if base in HALF_PASSED:
        _require_work(base, queries, lists)
    _write(out_dir / "queries" / f"base{base}.jsonl", rows)
    _write(
        out_dir / "pools" / f"sum_base{base}.jsonl", [{"id": f"p{at:03d}", **_written(pair, base)} for at, pair in enumerate(pool)]
    )


def _require_work(base: int, queries: list[Pair], lists: list[list[Pair]]) -> None:
    """Every rule on queries and demonstrations changes what is asked or shown, often enough to be seen."""
    counting = [at for at, pair in enumerate(queries) if base == 10 or not same_in_base_ten(pair, base)]
    evaluated = {tuple(sorted(queries[at])) for at in counting[:EVALUATED]}
    everything = {tuple(sorted(pair)) for pair in queries}
    seen = {"same": 0, "turned": 0, "not evaluated": 0, "evaluated": 0, "dropped": 0}
    twice = 0
    for at in counting[:EVALUATED]:
        shown: list[tuple[int, ...]] = []
        for pair in lists[at]:
            question = tuple(sorted(pair))
            if question in everything:
                seen["same" if pair in queries else "turned"] += 1
                seen["evaluated" if question in evaluated else "not evaluated"] += 1
            elif base != 10 and same_in_base_ten(pair, base):
                seen["dropped"] += 1
            else:
                shown.append(question)
                if len(shown) == MOST_SHOWN:
                    break
        twice += len(set(shown)) < len(shown)
    if base == 10:
        seen.pop("dropped")
    lettered = [at for at in counting[:EVALUATED] if not all(numeral(value, base).isdigit() for value in queries[at])]
    if len(counting) < EVALUATED or min(seen.values()) < 20 or twice < 4 or (base == 11 and not 10 <= len(lettered) <= 90):
        raise ValueError(
            f"base {base}: {len(counting)} queries count, {len(lettered)} with letters, {twice} show a question twice, "
            f"and passed over are {seen}"
        )


def _checks(rng: np.random.Generator, base: int, out_dir: Path) -> None:
    halves = [int(text, base) for text in rng.permutation(HALF_PASSED.get(base, ()))[:2]]
    others = [value for value in range(1, base * base) if value not in halves]
    prefixes = halves + [int(value) for value in rng.choice(others, size=CHECKS - len(halves), replace=False)]
    prefixes = [prefixes[at] for at in rng.permutation(CHECKS)]
    misleading = [int(text, base) for text in rng.permutation(MISLEADING)[: len(halves)]]
    asked = {prefix * base + last for prefix in prefixes for last in (0, base - 1)}
    pool = [int(value) for value in rng.choice(sorted(asked), size=ASKED, replace=False)] + misleading
    while len(pool) < NUMBERS:
        value = int(rng.integers(base, base**3))
        if value not in pool:
            pool.append(value)
    pool = [pool[at] for at in rng.permutation(NUMBERS)]
    rows = []
    for at, prefix in enumerate(prefixes):
        candidates = _candidates(rng, NUMBERS, lambda place: pool[place] not in asked)
        if prefix in halves:
            first = pool.index(misleading[halves.index(prefix)])
            candidates = [first, *(place for place in candidates if place != first)][:CANDIDATES]
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


def _read(text: str, base: int) -> Pair:
    left, right = text.split("+")
    return int(left, base), int(right, base)


def _written(pair: Pair, base: int) -> dict[str, str]:
    return {"left": numeral(pair[0], base), "right": numeral(pair[1], base)}


def _write(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    canary = path.parent / "CANARY.txt"
    canary.write_text(CANARY + "\n")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
