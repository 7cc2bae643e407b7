# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recompute, from the states that the student chose, how far its choices agree with the teacher's.

Which games count as solved is the experiment's claim, told by the games that it has choices for; the metrics carry it as a
digest, so that another subset differs from gold. Options, teacher's choices, precision and chance are worked out here from the log. The
precision of every row and the whole summary are held against this and never enter a metric; a disagreement breaks the contract.
"""

import hashlib
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from rexbench.evaluation.reading import (
    BrokenContract,
    as_integer,
    as_number,
    read_jsonl,
    read_table,
    require,
    same_ids,
)

VOTES = (1, 3)
BREADTHS = (1, 3, 5)
CONDITIONS = tuple((votes, breadth) for votes in VOTES for breadth in BREADTHS)
TARGET = 24
TOLERANCE = 2e-6
WORTH = {"sure": 20 * 1024, "likely": 1024, "impossible": 1}

_NUMBER = r"-?[0-9]{1,6}(?:/[0-9]{1,6})?"
_NUMBERS = re.compile(rf"{_NUMBER}(?: {_NUMBER})*")
_STEP = re.compile(rf"({_NUMBER}) ([-+*/]) ({_NUMBER}) = ({_NUMBER}) \(left: ({_NUMBER}(?: {_NUMBER})*)\)")

State = tuple[Fraction, ...]


class Game:
    """The first step of a game in the teacher's log: what it was and what was kept, as sets of numbers left."""

    def __init__(self, record: dict[str, Any]):
        self.numbers = _state(record["input"])
        first = record["steps"][0]
        lines = [line for call in first["calls"] for line in call["completion"].split("\n")]
        self.options = {state for line in lines if (state := self._legal(line)) is not None}
        self.kept = {state for line in first["selected"] if (state := self._legal(line)) is not None}
        best = max(record["outputs"], key=lambda output: sum(WORTH[label] for label in output["votes"]))
        self.solved = _is_right(best["answer"], self.numbers)

    def _legal(self, line: str) -> State | None:
        match = _STEP.fullmatch(line.strip())
        if match is None:
            return None
        a, b, result = (Fraction(match[at]) for at in (1, 3, 4))
        rest = Counter(self.numbers)
        rest.subtract([a, b])
        left = _state(match[5])
        if min(rest.values()) < 0 or _calculate(a, match[2], b) != result:
            return None
        return left if Counter(left) == +rest + Counter([result]) else None

    def precision(self, chosen: set[State]) -> float:
        return len(chosen & self.kept) / len(chosen)

    def chance(self) -> float:
        return len(self.options & self.kept) / len(self.options)


Chosen = dict[tuple[int, int], dict[int, set[State]]]


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    games = _games(data)
    chosen = _choices(artefacts, games)
    _check_summary(artefacts, games, chosen)
    treated = sorted(chosen[CONDITIONS[0]])
    result: dict[str, int | float | str] = {
        "solved_games": len(treated),
        "solved_digest": _digest([str(idx) for idx in treated]),
    }
    for votes in VOTES:
        rows = [
            f"{breadth} {idx}: {'; '.join(' '.join(map(str, state)) for state in sorted(chosen[votes, breadth][idx]))}"
            for breadth in BREADTHS
            for idx in treated
        ]
        result[f"choices_digest_{_named(votes)}"] = _digest(rows)
        for breadth in BREADTHS:
            result[f"precision_{_named(votes)}_breadth_{breadth}"] = _mean_precision(games, chosen[votes, breadth])
    result["chance"] = _mean_chance(games, treated)
    return result


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    games = _games(data)
    reached = dict.fromkeys(("choices_complete", "solved_games_right", "one_vote_differs_from_three", "summary_agrees"), False)
    try:
        chosen = _choices(artefacts, games)
    except BrokenContract:
        return reached
    reached["choices_complete"] = True
    reached["solved_games_right"] = set(chosen[CONDITIONS[0]]) == {idx for idx, game in games.items() if game.solved}
    reached["one_vote_differs_from_three"] = any(chosen[1, breadth] != chosen[3, breadth] for breadth in BREADTHS)
    try:
        _check_summary(artefacts, games, chosen)
    except BrokenContract:
        return reached
    reached["summary_agrees"] = True
    return reached


def _games(data: Path) -> dict[int, Game]:
    """By index; a game that was run again counts with its last complete record."""
    records = {record["idx"]: record for record in read_jsonl(data / "teacher_log.jsonl") if record["status"] == "complete"}
    return {idx: Game(record) for idx, record in records.items()}


def _choices(artefacts: Path, games: dict[int, Game]) -> Chosen:
    name = "choices.jsonl"
    chosen: Chosen = {condition: {} for condition in CONDITIONS}
    for at, row in enumerate(read_jsonl(artefacts / "results" / "agreement" / name), 1):
        where = f"{name} row {at}"
        require(isinstance(row, dict), f"{where}: not an object")
        missing = [key for key in ("idx", "votes", "breadth", "chosen", "precision") if key not in row]
        require(not missing, f"{where}: no {', '.join(missing)}")
        idx = as_integer(row["idx"], f"{where} idx")
        condition = (as_integer(row["votes"], f"{where} votes"), as_integer(row["breadth"], f"{where} breadth"))
        require(idx in games, f"{where}: no game {idx} in the log")
        require(condition in chosen, f"{where}: no condition with {condition[0]} votes and breadth {condition[1]}")
        require(idx not in chosen[condition], f"{where}: game {idx} occurs twice under one condition")
        states = _chosen_states(row["chosen"], where)
        require(1 <= len(states) <= condition[1], f"{where}: {len(states)} states chosen with breadth {condition[1]}")
        require(set(states) <= games[idx].options, f"{where}: a chosen state is none that the teacher's legal first steps lead to")
        precision = as_number(row["precision"], f"{where} precision", 0.0, 1.0)
        expected = games[idx].precision(set(states))
        require(
            abs(precision - expected) <= TOLERANCE, f"{where}: precision {precision}, but the chosen states give {expected:.6f}"
        )
        chosen[condition][idx] = set(states)
    require(bool(chosen[CONDITIONS[0]]), f"{name}: no choices")
    for votes, breadth in CONDITIONS:
        same_ids(chosen[votes, breadth], chosen[CONDITIONS[0]], f"{name}: games with {votes} votes and breadth {breadth}")
    return chosen


def _chosen_states(value: object, where: str) -> list[State]:
    if not isinstance(value, list):
        raise BrokenContract(f"{where}: chosen is not a list")
    states = []
    for text in value:
        if not isinstance(text, str) or _NUMBERS.fullmatch(text) is None or re.search(r"/0+\b", text):
            raise BrokenContract(f"{where}: {text!r:.60} is no list of numbers")
        states.append(_state(text))
    require(len(set(states)) == len(states), f"{where}: a state is chosen twice")
    return states


def _check_summary(artefacts: Path, games: dict[int, Game], chosen: Chosen) -> None:
    name = "summary.csv"
    table = read_table(artefacts / "results" / "agreement" / name, ("votes", "breadth", "games", "precision", "chance"))
    found = [(as_integer(row["votes"], f"{name} votes"), as_integer(row["breadth"], f"{name} breadth")) for row in table]
    same_ids(found, CONDITIONS, name)
    for condition, row in zip(found, table, strict=True):
        what = f"{name}: {condition[0]} votes, breadth {condition[1]}"
        count = as_integer(row["games"], f"{what}: games")
        require(count == len(chosen[condition]), f"{what}: {count} games, but {len(chosen[condition])} have choices")
        for column, expected in (
            ("precision", _mean_precision(games, chosen[condition])),
            ("chance", _mean_chance(games, sorted(chosen[condition]))),
        ):
            value = as_number(row[column], f"{what}: {column}", 0.0, 1.0)
            require(abs(value - expected) <= TOLERANCE, f"{what}: {column} is {value}, but the choices give {expected:.6f}")


def _mean_precision(games: dict[int, Game], chosen: dict[int, set[State]]) -> float:
    exact = sum(Fraction(len(states & games[idx].kept), len(states)) for idx, states in chosen.items())
    return float(exact / len(chosen))


def _mean_chance(games: dict[int, Game], treated: list[int]) -> float:
    exact = sum(Fraction(len(games[idx].options & games[idx].kept), len(games[idx].options)) for idx in treated)
    return float(exact / len(treated))


def _state(text: str) -> State:
    return tuple(sorted(Fraction(token) for token in text.split()))


def _calculate(a: Fraction, operator: str, b: Fraction) -> Fraction | None:
    if operator == "/":
        return a / b if b else None
    return a + b if operator == "+" else a - b if operator == "-" else a * b


def _is_right(answer: str, numbers: State) -> bool:
    """By precedence climbing over the tokens left of the equals sign, in exact arithmetic."""
    made = answer.split("=")[0]
    tokens = re.findall(r"[0-9]+|\*\*|//|\S", made)
    used = sorted(Fraction(token) for token in tokens if token.isdigit())
    place = 0

    def term(level: int) -> Fraction | None:
        nonlocal place
        if level == 2:
            token = tokens[place] if place < len(tokens) else ""
            place += 1
            if token == "(":
                value = term(0)
                closed = place < len(tokens) and tokens[place] == ")"
                place += 1
                return value if closed else None
            return Fraction(token) if token.isdigit() else None
        value = term(level + 1)
        while value is not None and place < len(tokens) and tokens[place] in (("+", "-"), ("*", "/"))[level]:
            operator = tokens[place]
            place += 1
            other = term(level + 1)
            value = None if other is None else _calculate(value, operator, other)
        return value

    value = term(0)
    return value == TARGET and place == len(tokens) and used == sorted(numbers)


def _named(votes: int) -> str:
    return "1_vote" if votes == 1 else f"{votes}_votes"


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
