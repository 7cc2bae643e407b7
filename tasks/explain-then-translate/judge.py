# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recompute what the choices are worth from the stored outcomes; trust nothing but problem, complexity and choice.

The judge does not compute complexities itself: it takes a digest of those reported, and the live gold run says which digest is
right. Everything that follows from a choice and the data (n, c, the three rates) is recomputed, and a file that says otherwise
is a broken contract.
"""

import hashlib
import math
import re
from dataclasses import dataclass
from pathlib import Path

from rexbench.evaluation.reading import BrokenContract, as_integer, as_number, read_json, read_jsonl, read_text, require, same_ids

PAIRS = ("py-go", "py-java", "py-js", "py-lua", "py-rs")
ARMS = ("direct", "explained")
THRESHOLD = 6

SOURCE = re.compile(r'^\{"problem_id":"([^"\\]+)","entry_point":"([^"\\]+)","source":"', re.MULTILINE)
"""How a row of sources.jsonl begins. A few go on with halves of characters, which no reader here lets pass."""

Counts = dict[str, dict[str, tuple[int, int]]]
"""Problem id, arm, then completions that count and those of them that pass."""


@dataclass(frozen=True)
class Chosen:
    problem: str
    complexity: float
    arm: str


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    """All metrics of task.toml; raises BrokenContract where a file is not what the instructions ask for."""
    entry_points = _entry_points(data)
    complexity_lines, choice_lines, rates = [], [], {}
    explained = 0
    for pair in PAIRS:
        counts = _counts(data, pair)
        chosen = _read_pair(artefacts, pair, counts, entry_points)
        rates[f"pass_at_1_{pair.removeprefix('py-')}"] = _rate([counts[c.problem][c.arm] for c in chosen])
        for c in sorted(chosen, key=lambda c: c.problem):
            complexity_lines.append(f"{pair}\t{c.problem}\t{c.complexity:.6g}")
            choice_lines.append(f"{pair}\t{c.problem}\t{c.arm}")
            explained += c.arm == "explained"
    return {
        "complexity_digest": _digest(complexity_lines),
        "choice_digest": _digest(choice_lines),
        "kept": len(choice_lines),
        "explained": explained,
        **rates,
    }


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """How far a patch got: files in order, gate at the threshold, one complexity per problem, unparsable sources dropped."""
    entry_points = _entry_points(data)
    by_pair: dict[str, list[Chosen]] = {}
    kept_all = True
    for pair in PAIRS:
        counts = _counts(data, pair)
        try:
            by_pair[pair] = _read_pair(artefacts, pair, counts, entry_points)
        except BrokenContract:
            continue
        kept_all &= len(by_pair[pair]) == len(counts)
    values: dict[str, set[float]] = {}
    for chosen in by_pair.values():
        for c in chosen:
            values.setdefault(c.problem, set()).add(c.complexity)
    complete = len(by_pair) == len(PAIRS)
    return {
        "every_pair_in_order": complete,
        "gate_at_or_above_six": complete
        and all((c.complexity >= THRESHOLD) == (c.arm == "explained") for cs in by_pair.values() for c in cs),
        "one_complexity_per_problem": complete and all(len(found) == 1 for found in values.values()),
        "unparsable_sources_dropped": complete and not kept_all,
    }


def _read_pair(artefacts: Path, pair: str, counts: Counts, entry_points: dict[str, str]) -> list[Chosen]:
    name = f"{pair}.json"
    content = read_json(artefacts / "translation_results" / name)
    require(isinstance(content, dict), f"{name}: not a JSON object")
    for key in ("pair", "heuristic", "threshold", "dropped", "pass@1", "problems"):
        require(key in content, f"{name}: no key {key!r}")
    require(content["pair"] == pair, f"{name}: pair is {content['pair']!r}")
    require(content["heuristic"] == "cc", f"{name}: heuristic is {content['heuristic']!r}")
    require(
        as_number(content["threshold"], f"{name}: threshold") == THRESHOLD, f"{name}: threshold is {content['threshold']!r:.40}"
    )
    rows, dropped = content["problems"], content["dropped"]
    require(isinstance(rows, list) and all(isinstance(row, dict) for row in rows), f"{name}: problems is not a list of objects")
    require(isinstance(dropped, list) and all(isinstance(d, str) for d in dropped), f"{name}: dropped is not a list of ids")
    require(bool(rows), f"{name}: no problem was kept")
    chosen = [_read_row(row, name, counts, entry_points) for row in rows]
    same_ids([c.problem for c in chosen] + dropped, counts, f"{name}: problems and dropped together")
    expected = {arm: _rate([counts[c.problem][arm] for c in chosen]) for arm in ARMS}
    expected["selected"] = _rate([counts[c.problem][c.arm] for c in chosen])
    stated = content["pass@1"]
    require(isinstance(stated, dict), f"{name}: pass@1 is not an object")
    for policy, value in expected.items():
        found = as_number(stated.get(policy), f"{name}: pass@1 {policy}", 0, 1)
        require(math.isclose(found, value, rel_tol=0, abs_tol=1e-6), f"{name}: pass@1 {policy} is {found}, the data say {value}")
    return chosen


def _read_row(row: dict, name: str, counts: Counts, entry_points: dict[str, str]) -> Chosen:
    for key in ("problem_id", "entry_point", "complexity", "choice", "n", "c"):
        require(key in row, f"{name}: a problem has no {key!r}")
    problem, arm = row["problem_id"], row["choice"]
    require(isinstance(problem, str) and problem in counts, f"{name}: {problem!r:.80} has no completions for this pair")
    require(isinstance(arm, str) and arm in ARMS, f"{name}: {problem}: choice {arm!r:.80}")
    require(row["entry_point"] == entry_points[problem], f"{name}: {problem}: entry point {row['entry_point']!r:.80}")
    complexity = as_number(row["complexity"], f"{name}: {problem}: complexity", 0, 10_000)
    require(complexity == int(complexity), f"{name}: {problem}: complexity {complexity} is no integer")
    n, c = counts[problem][arm]
    require(as_integer(row["n"], f"{name}: {problem}: n") == n, f"{name}: {problem}: n is {row['n']}, the {arm} arm has {n}")
    require(as_integer(row["c"], f"{name}: {problem}: c") == c, f"{name}: {problem}: c is {row['c']}, the {arm} arm has {c}")
    return Chosen(problem, complexity, arm)


def _entry_points(data: Path) -> dict[str, str]:
    return dict(SOURCE.findall(read_text(data / "sources.jsonl")))


def _counts(data: Path, pair: str) -> Counts:
    found: Counts = {}
    for row in read_jsonl(data / "completions" / f"{pair}.jsonl"):
        whole = [one for one in row["completions"] if one["finish"] == "stop"]
        good = sum(one["status"] == "OK" and one["exit_code"] == 0 for one in whole)
        found.setdefault(row["problem_id"], {})[row["arm"]] = (len(whole), good)
    return found


def _rate(counts: list[tuple[int, int]]) -> float:
    """Mean pass@1; with k = 1 the unbiased estimator is the share of passing completions."""
    return math.fsum(c / n for n, c in counts) / len(counts)


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
