# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recompute every figure from the logged prompts and outputs; trust neither the logged verdicts nor the summary.

The right answer of a row is worked out from its item in the data, never from the prompt. Which items were asked and how goes into
digests, which the live gold run settles. Outputs and log-probabilities are compared row by row by the core, as tables.
"""

import hashlib
import math
import re
from dataclasses import dataclass
from pathlib import Path

from rexbench.evaluation.reading import BrokenContract, as_integer, as_number, read_jsonl, read_table, require

BASES = (10, 9, 11)
SHOTS = (0, 1, 4, 8)
DEFAULT = 10
SYMBOLS = "0123456789ABCDEF"
LINE = re.compile(r"([0-9A-F]+)\+([0-9A-F]+)=[0-9A-F]*;")


@dataclass(frozen=True)
class Row:
    prompt: str
    output: str
    logprob: float
    said: bool
    """Right or wrong, as logged."""
    right: bool
    """Right or wrong, as worked out here."""
    readable: bool
    """Whether the question has no letter, so that it could be one of base ten."""


Log = dict[str, Row]
Condition = tuple[str, int, int]
"""Test, base, number of demonstrations."""


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    folder = artefacts / "results" / "few_shot"
    logs = {key: _read_log(folder, data, key) for key in _conditions()}
    found: dict[str, int | float | str] = {
        "items_digest": _digest([f"{key}\t{row_id}" for key in _conditions() for row_id in sorted(logs[key])]),
        "prompts_digest": _digest([f"{key}\t{at}\t{logs[key][at].prompt}" for key in _conditions() for at in sorted(logs[key])]),
        "leaked_demonstrations": sum(_leaks(logs[key], data, key[1]) for key in _conditions() if key[0] == "sum"),
        "wrong_verdicts": sum(row.said != row.right for log in logs.values() for row in log.values()),
        "summary_disagreements": _summary_disagreements(folder, logs),
    }
    for base in BASES:
        for shots in SHOTS:
            found[f"sum_right_base{base}_k{shots}"] = sum(row.right for row in logs["sum", base, shots].values())
            found[f"checks_passed_base{base}_k{shots}"] = len(_passed(logs["next", base, shots]))
    for test in ("sum", "next"):
        scores = [row.logprob for key, log in logs.items() if key[0] == test for row in log.values()]
        found[f"mean_logprob_{test}"] = math.fsum(scores) / len(scores)
    return found


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """How far a patch got."""
    folder = artefacts / "results" / "few_shot"
    logs: dict[Condition, Log] = {}
    for key in _conditions():
        try:
            logs[key] = _read_log(folder, data, key)
        except BrokenContract:
            continue
    complete = len(logs) == len(_conditions())
    try:
        agrees = complete and _summary_disagreements(folder, logs) == 0
    except BrokenContract:
        agrees = False
    return {
        "every condition logged": complete,
        "every demonstration clean": complete
        and all(_leaks(log, data, key[1]) == 0 for key, log in logs.items() if key[0] == "sum"),
        "verdicts right": complete and all(row.said == row.right for log in logs.values() for row in log.values()),
        "summary follows from the logs": agrees,
    }


def _conditions() -> list[Condition]:
    return [(test, base, shots) for test in ("sum", "next") for base in BASES for shots in SHOTS]


def _read_log(folder: Path, data: Path, key: Condition) -> Log:
    test, base, shots = key
    name = f"{test}_base{base}_k{shots}.jsonl"
    expected = _sums(data, base) if test == "sum" else _successors(data, base)
    log: Log = {}
    for row in read_jsonl(folder / name):
        require(isinstance(row, dict), f"{name}: a row is not an object")
        for field in ("id", "prompt", "output", "logprob", "correct"):
            require(field in row, f"{name}: a row has no {field!r}")
        row_id = row["id"]
        require(isinstance(row_id, str) and row_id in expected, f"{name}: {row_id!r:.80} is not an item of the data")
        require(row_id not in log, f"{name}: {row_id} occurs more than once")
        for field in ("prompt", "output"):
            text = row[field]
            require(isinstance(text, str) and len(text) < 1000, f"{name}: {row_id}: {field} is not a short text")
        question, answer = expected[row_id]
        require(row["prompt"].endswith(question), f"{name}: {row_id}: the prompt does not end with the item's question")
        require(isinstance(row["correct"], bool), f"{name}: {row_id}: correct is not true or false")
        score = as_number(row["logprob"], f"{name}: {row_id}: logprob", -1000, 1e-9)
        readable = not any(symbol in SYMBOLS[10:] for symbol in question)
        log[row_id] = Row(row["prompt"], row["output"], score, row["correct"], row["output"] == answer + ";", readable)
    require(bool(log), f"{name}: empty")
    if test == "next":
        require(len(log) == len(expected), f"{name}: {len(log)} rows for {len(expected)} numbers")
    return log


def _sums(data: Path, base: int) -> dict[str, tuple[str, str]]:
    """Query id to question and answer; the answer has its ones digit first."""
    items = {}
    for row in read_jsonl(data / "queries" / f"base{base}.jsonl"):
        left, right = row["left"], row["right"]
        items[row["id"]] = f"{left}+{right}=", _numeral(int(left, base) + int(right, base), base)[::-1]
    return items


def _successors(data: Path, base: int) -> dict[str, tuple[str, str]]:
    """Row id to question and answer, both in reading order."""
    items = {}
    for row in read_jsonl(data / "checks" / f"base{base}.jsonl"):
        prefix, value = row["prefix"], int(row["prefix"], base)
        items[f"{row['id']}/low"] = f"{prefix}0>", _numeral(value * base + 1, base)
        items[f"{row['id']}/high"] = f"{prefix}{SYMBOLS[base - 1]}>", _numeral((value + 1) * base, base)
    return items


def _numeral(value: int, base: int) -> str:
    return (_numeral(value // base, base) if value >= base else "") + SYMBOLS[value % base]


def _leaks(log: Log, data: Path, base: int) -> int:
    """Demonstrations, over all prompts, that ask a query of the base, the operands in either order."""
    asked = {frozenset((row["left"], row["right"])) for row in read_jsonl(data / "queries" / f"base{base}.jsonl")}
    return sum(frozenset(pair) in asked for row in log.values() for pair in LINE.findall(row.prompt))


def _passed(log: Log) -> set[str]:
    """Checks with both numbers right."""
    checks = {row_id.split("/")[0] for row_id in log}
    return {check for check in checks if log[f"{check}/low"].right and log[f"{check}/high"].right}


def _passed_share(log: Log) -> float:
    return len(_passed(log)) / (len(log) / 2)


def _summary_disagreements(folder: Path, logs: dict[Condition, Log]) -> int:
    """Cells of the summary that do not follow from the logged outputs."""
    name, columns = "summary.csv", ("base", "k", "n", "accuracy", "ccc", "gap")
    stated = {}
    for row in read_table(folder / name, columns):
        key = as_integer(row["base"], f"{name}: base"), as_integer(row["k"], f"{name}: k")
        require(key not in stated, f"{name}: base {key[0]}, k {key[1]} occurs more than once")
        stated[key] = row
    require(set(stated) == {(base, shots) for base in BASES for shots in SHOTS}, f"{name}: not one row for each base and k")
    differ = 0
    for (base, shots), row in stated.items():
        where = f"{name}: base {base}, k {shots}"
        sums, checks = logs["sum", base, shots], logs["next", base, shots]
        accuracy = _accuracy(sums)
        due = {"accuracy": accuracy, "ccc": _passed_share(checks)}
        if base == DEFAULT:
            require(row["gap"] == "", f"{where}: the default base has no gap")
        else:
            default = _accuracy(logs["sum", DEFAULT, shots])
            readable = {row_id: item for row_id, item in sums.items() if item.readable}
            require(default > 0 and bool(readable), f"{where}: without right answers in base ten there is no gap")
            due["gap"] = (default - _accuracy(readable)) / default
        differ += as_integer(row["n"], f"{where}: n") != len(sums)
        for column, value in due.items():
            differ += not math.isclose(as_number(row[column], f"{where}: {column}"), value, rel_tol=0, abs_tol=1e-6)
    return differ


def _accuracy(log: Log) -> float:
    return sum(row.right for row in log.values()) / len(log)


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
