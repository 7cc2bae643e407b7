# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The task's data from a seed: 100 games of 24 and the logs of a teacher's tree search over them.

The teacher is a solver with noise. It knows which numbers can still reach 24, lists first steps (some twice, some wrong), votes on
each with errors, keeps five, and goes on to an answer. On top of that, fixed numbers of games get an answer that looks right and is
not, a verdict that is wrong, or a second record, so that every variant holds the same kinds of difficulty in the same numbers.
"""

import csv
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"

GAMES = 100
FIRST_INDEX = 901
TARGET = 24
LARGEST = 13
SOLVABLE_SHARE = (0.05, 0.42)
"""Of the first steps of a game, how many may keep 24 in reach; below and above, a game is too hard or too easy."""

VOTES = 3
BREADTH = 5
WORTH = {"sure": 20.0, "likely": 1.0, "impossible": 1 / 1024}
LABELS = tuple(WORTH)
HABITS = {"reachable": (0.74, 0.22, 0.04), "near": (0.05, 0.60, 0.35), "far": (0.01, 0.24, 0.75)}
"""How often the teacher calls numbers sure, likely or impossible, by what is true of them."""

PROPOSALS = (12, 17)
SHORT_GAMES = 8
"""Games whose first completion was cut short: three or four different legal steps."""

ALSO_LEGAL = 0.3
NOT_LEGAL = 0.4
"""How often an illegal first step leaves what a legal one leaves that is proposed as well, or that is not."""

QUICK_CHECK_FOOLED = 6
FOREIGN_NUMBER = 3
WRONG_ARITHMETIC = 3
WITH_POWER = 2
WITH_WHOLE_DIVISION = 2
WITH_SIGN = 2
WITH_DECIMAL = 2
CLAIMED_OTHERWISE = 3
"""Right expressions with another number after the equals sign."""
MISJUDGED = 6
RIGHT_BUT_NOT_BEST = 5
RIGHT_BUT_NOT_FIRST = 5
SHARED_RIGHT_FIRST = 3
SHARED_WRONG_FIRST = 3
"""Games in which a right and a wrong answer share the highest value, by which of them comes first."""
CLOSE_CALLS = (
    (("sure", "sure", "likely"), ("sure", "sure", "impossible")),
    (("sure", "impossible", "impossible"), ("likely", "likely", "likely")),
)
CLOSE_CALLS_OF_A_KIND = 2
"""Games, for each pair and each of right and wrong, whose best answer has the first votes while one before it has the second ones:
their order is the weights' and neither that of the votes for sure, nor that of most votes, nor that of ranks."""
INEXACT_FLOAT = 5
INEXACT_DRAWN = 16
INEXACT_GAMES = (
    "1 2 3 8, 1 2 11 12, 1 2 12 13, 1 3 4 8, 1 3 5 9, 1 4 5 6, 1 4 6 7, 1 4 6 8, 1 4 10 12, 1 5 10 12, 1 6 8 8, 1 6 8 9, "
    "1 6 9 10, 1 7 10 12, 1 8 8 12, 1 8 9 12, 2 3 5 8, 2 3 7 8, 2 4 6 11, 2 4 6 13, 2 5 6 10, 2 6 8 10, 3 3 8 8, 3 3 8 10, "
    "3 4 4 9, 3 4 5 10, 3 4 8 11, 3 4 8 13, 3 7 9 13, 4 5 10 12, 4 6 8 9, 4 9 9 12, 5 6 8 10"
).split(", ")
"""Games with a right answer that double precision misses by a last digit; from authoring/inexact_games.py."""

ABORTED_THEN_COMPLETE = 5
COMPLETE_THEN_ABORTED = 3
COMPLETE_TWICE = 5

LEAST_SHORT = 5
LEAST_OF_A_KIND = 4
"""Solved games, at least, with few options; and with each kind of illegal first step, each way in which one that leaves a legal
state could matter, and one state reached by two operations."""
ATTEMPTS = 100

Numbers = tuple[Fraction, ...]


def make(seed: int, out_dir: Path) -> None:
    """Write data/ for `seed` into the empty folder `out_dir`; data in which some rule is hardly used are drawn again."""
    for attempt in range(ATTEMPTS):
        rng = random.Random(f"tree-of-thoughts/{seed}/{attempt}")
        puzzles = _puzzles(rng)
        short = set(rng.sample([at for at, puzzle in enumerate(puzzles) if text(puzzle) not in INEXACT_GAMES], SHORT_GAMES))
        runs = [_run(rng, FIRST_INDEX + at, puzzle, at in short) for at, puzzle in enumerate(puzzles)]
        try:
            _disturb(rng, runs)
        except TooFew:
            continue
        log = _log(rng, runs, puzzles)
        if _every_rule_is_used([run for run in runs if _solved(run)]):
            break
    else:
        raise ValueError(f"seed {seed}: none of {ATTEMPTS} draws uses every rule often enough")

    with (out_dir / "puzzles.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("idx", "numbers"))
        table.writerows((FIRST_INDEX + at, text(puzzle)) for at, puzzle in enumerate(puzzles))
    lines = [json.dumps(record) for record in log]
    (out_dir / "teacher_log.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (out_dir / "value_cache.json").write_text(json.dumps(_cache(runs), indent=0) + "\n", encoding="utf-8")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")


class TooFew(ValueError):
    """Not enough solved games to be disturbed in every way."""


def text(numbers: Numbers) -> str:
    return " ".join(str(number) for number in numbers)


def kind(numbers: Numbers) -> str:
    """Whether 24 can be made of the numbers ("reachable"), or something within 1 of it ("near"), or neither ("far")."""
    return _kind(tuple(sorted(float(number) for number in numbers)))


@cache
def _kind(numbers: tuple[float, ...]) -> str:
    gap = min(abs(value - TARGET) for value in _ends(numbers))
    return "reachable" if gap < 1e-7 else "near" if gap <= 1 + 1e-7 else "far"


def _ends(numbers: tuple[float, ...]) -> list[float]:
    if len(numbers) == 1:
        return list(numbers)
    if len(numbers) == 2:
        return _results(*numbers)
    a, b, c = numbers
    return [end for x, y, z in ((a, b, c), (a, c, b), (b, c, a)) for result in _results(x, y) for end in _results(result, z)]


def _results(a: float, b: float) -> list[float]:
    found = [a + b, a - b, b - a, a * b]
    if b:
        found.append(a / b)
    if a:
        found.append(b / a)
    return found


def combine(a: Fraction, operator: str, b: Fraction) -> Fraction | None:
    if operator == "/":
        return a / b if b else None
    return {"+": a + b, "-": a - b, "*": a * b}[operator]


@dataclass(frozen=True)
class Step:
    """One line of a completion, as the teacher claims it."""

    a: Fraction
    operator: str
    b: Fraction
    result: Fraction
    left: Numbers

    def line(self) -> str:
        return f"{self.a} {self.operator} {self.b} = {self.result} (left: {text(self.left)})"


@dataclass
class Run:
    """A record of the log before it is written."""

    index: int
    puzzle: Numbers
    short: bool
    steps: list[dict[str, Any]] = field(default_factory=list)
    outputs: list[dict[str, Any]] = field(default_factory=list)
    verdict: int = 0
    seen: dict[str, float] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """The completion that proposed the first steps."""
        return str(self.steps[0]["calls"][0]["completion"])

    def best(self) -> int:
        worth = [sum(WORTH[label] for label in output["votes"]) for output in self.outputs]
        return worth.index(max(worth))

    def record(self) -> dict[str, Any]:
        head = {"idx": self.index, "input": text(self.puzzle), "status": "complete"}
        return {**head, "steps": self.steps, "outputs": self.outputs, "r": self.verdict}


@cache
def legal_steps(numbers: Numbers) -> tuple[Step, ...]:
    """Every legal step, sums and products in one order only; what is left in ascending order."""
    found: dict[tuple[Fraction, str, Fraction], Step] = {}
    for i, j in combinations(range(len(numbers)), 2):
        rest = [n for at, n in enumerate(numbers) if at not in (i, j)]
        a, b = sorted((numbers[i], numbers[j]))
        for x, operator, y in ((a, "+", b), (a, "*", b), (b, "-", a), (a, "-", b), (b, "/", a), (a, "/", b)):
            result = combine(x, operator, y)
            if result is not None:
                found.setdefault((x, operator, y), Step(x, operator, y, result, tuple(sorted([*rest, result]))))
    return tuple(found.values())


def _puzzles(rng: random.Random) -> list[Numbers]:
    found = {tuple(map(int, game.split())) for game in rng.sample(INEXACT_GAMES, INEXACT_DRAWN)}
    while len(found) < GAMES:
        numbers = tuple(sorted(rng.randint(1, LARGEST) for _ in range(4)))
        if numbers in found:
            continue
        if admitted(tuple(map(Fraction, numbers))):
            found.add(numbers)
    chosen = sorted(found)
    rng.shuffle(chosen)
    return [tuple(map(Fraction, numbers)) for numbers in chosen]


def admitted(puzzle: Numbers) -> bool:
    """True if the game is neither too easy nor too hard."""
    states = {step.left for step in legal_steps(puzzle)}
    share = sum(kind(state) == "reachable" for state in states) / len(states)
    return SOLVABLE_SHARE[0] <= share <= SOLVABLE_SHARE[1]


def _weight(step: Step) -> float:
    weight = 3.0 if kind(step.left) == "reachable" else 1.0
    if step.result < 0:
        weight *= 0.15
    if step.result.denominator > 1:
        weight *= 0.35
    return weight


def _draw(rng: random.Random, numbers: Numbers, count: int) -> list[Step]:
    """Different legal steps in random order, likelier ones more often."""
    pool = legal_steps(numbers)
    keyed = sorted(pool, key=lambda step: -(rng.random() ** (1 / _weight(step))))[:count]
    rng.shuffle(keyed)
    return [_reworded(rng, step) for step in keyed]


def _reworded(rng: random.Random, step: Step) -> Step:
    a, b, left = step.a, step.b, list(step.left)
    if step.operator in "+*" and rng.random() < 0.5:
        a, b = b, a
    if rng.random() < 0.4:
        rng.shuffle(left)
    return Step(a, step.operator, b, step.result, tuple(left))


def _repeated(rng: random.Random, step: Step) -> Step:
    """The same numbers left, mostly in other words."""
    a, b, left = step.a, step.b, list(step.left)
    if step.operator in "+*":
        a, b = b, a
    if step.operator in "-/" or rng.random() < 0.6:
        left = left[1:] + left[:1]
    return Step(a, step.operator, b, step.result, tuple(left))


def _illegal(rng: random.Random, puzzle: Numbers) -> Step:
    """A step with one error, which leaves numbers that no legal step leaves."""
    pool = legal_steps(puzzle)
    reachable = {step.left for step in pool}
    while True:
        step = _spoilt(rng, puzzle, rng.choice(pool))
        if step.left not in reachable:
            return _reworded(rng, step) if step.operator in "+*" else step


def _spoilt(rng: random.Random, puzzle: Numbers, step: Step) -> Step:
    """An error in the result, in what is left, in a number that is not there, or in one that is used twice."""
    rest = list(step.left)
    rest.remove(step.result)
    error = rng.choice(("result", "left", "operand", "twice"))
    if error == "twice" and puzzle.count(step.a) == 1:
        operator = rng.choice("+*")
        result = combine(step.a, operator, step.a)
        assert result is not None
        return Step(step.a, operator, step.a, result, tuple(sorted([*rest, result])))
    if error == "left":
        return Step(step.a, step.operator, step.b, step.result, tuple(sorted([rest[0], step.b, step.result])))
    if error == "operand":
        wrong = rng.choice([Fraction(n) for n in range(1, LARGEST + 1) if n not in puzzle])
        result = combine(wrong, step.operator, step.b)
        assert result is not None
        return Step(wrong, step.operator, step.b, result, tuple(sorted([*rest, result])))
    result = step.result + rng.choice((-2, -1, 1, 2))
    return Step(step.a, step.operator, step.b, result, tuple(sorted([*rest, result])))


def _first_steps(rng: random.Random, puzzle: Numbers, short: bool) -> list[Step]:
    steps = _draw(rng, puzzle, rng.randint(*PROPOSALS))
    if short:
        different: dict[Numbers, Step] = {}
        for step in steps:
            different.setdefault(tuple(sorted(step.left)), step)
        # A game without a good first step would not be solved, and short games are wanted among the solved ones.
        steps = sorted(different.values(), key=lambda step: kind(step.left) != "reachable")[: rng.randint(3, 4)]
        rng.shuffle(steps)
    for _ in range(rng.randint(2, 3)):
        again = _repeated(rng, rng.choice(steps))
        steps.insert(rng.randint(len(steps) // 2, len(steps)), again)
    for _ in range(rng.randint(1, 3)):
        steps.insert(rng.randint(0, len(steps)), _illegal(rng, puzzle))
    proposed = {tuple(sorted(step.left)) for step in steps if not _error(step, puzzle)}
    elsewhere = [step for step in legal_steps(puzzle) if step.left not in proposed]
    which = rng.random()
    if which < ALSO_LEGAL:
        # Good and named before the legal step, so that the teacher may keep it by the illegal one alone.
        good = [at for at, step in enumerate(steps) if not _error(step, puzzle) and kind(step.left) == "reachable"]
        place = rng.choice(good or [at for at, step in enumerate(steps) if not _error(step, puzzle)])
        steps.insert(rng.randint(0, place), _lookalike(rng, puzzle, steps[place]))
    elif which < ALSO_LEGAL + NOT_LEGAL and elsewhere:
        steps.insert(rng.randint(0, len(steps)), _lookalike(rng, puzzle, rng.choice(elsewhere)))
    return steps


def _lookalike(rng: random.Random, puzzle: Numbers, step: Step) -> Step:
    """An illegal step that states as left what `step` leaves: with another result, by other numbers or by foreign ones."""
    error = rng.choice(("result", "left", "operand", "operand"))
    if error == "left":
        other = rng.choice([other for other in legal_steps(puzzle) if sorted(other.left) != sorted(step.left)])
        return Step(other.a, other.operator, other.b, other.result, step.left)
    if error == "operand":
        foreign = [Fraction(number) for number in range(1, LARGEST + 1) if number not in puzzle]
        pairs = [(a, "+", step.result - a) for a in foreign] + [(a, "-", a - step.result) for a in foreign]
        pairs = [pair for pair in pairs if pair[2] > 0 and pair[2].denominator == 1]
        if pairs:
            return Step(*rng.choice(pairs), step.result, step.left)
    return Step(step.a, step.operator, step.b, step.result + rng.choice((-2, -1, 1, 2)), step.left)


def _every_rule_is_used(solved: list[Run]) -> bool:
    kinds = dict.fromkeys(("operand", "twice", "result", "left", "two operations"), 0)
    # A legal state that nothing but an error in the result, in what is left or in a number leads to; one that the teacher
    # kept by an illegal step alone; and one that an illegal step names before the legal one does.
    kinds |= dict.fromkeys(("only by result", "only by left", "only by operand", "kept by error", "named by error"), 0)
    short = 0
    for run in solved:
        thoughts = [step for line in run.first.split("\n") if (step := _read(line)) is not None]
        errors = [_error(step, run.puzzle) for step in thoughts]
        legal = [step for step, error in zip(thoughts, errors, strict=True) if not error]
        ways: dict[Numbers, set[str]] = {}
        for step in legal:
            ways.setdefault(tuple(sorted(step.left)), set()).add(step.operator)
        found = {*errors, "two operations" if any(len(signs) > 1 for signs in ways.values()) else ""}
        reachable = {tuple(sorted(step.left)) for step in legal_steps(run.puzzle)}
        kept: dict[Numbers, bool] = {}
        for step in map(_read, run.steps[0]["selected"]):
            assert step is not None
            state = tuple(sorted(step.left))
            kept[state] = kept.get(state, False) or not _error(step, run.puzzle)
        if any(state in ways and not legally for state, legally in kept.items()):
            found.add("kept by error")
        named: set[Numbers] = set()
        for step, error in zip(thoughts, errors, strict=True):
            state = tuple(sorted(step.left))
            if error and state in reachable and state not in ways:
                found.add(f"only by {error}")
            elif error and state not in named and state in ways:
                found.add("named by error")
            named.add(state)
        for name in found & kinds.keys():
            kinds[name] += 1
        short += len(ways) < BREADTH
    return short >= LEAST_SHORT and min(kinds.values()) >= LEAST_OF_A_KIND


def _read(line: str) -> Step | None:
    made, found, left = line.removesuffix(")").partition(" (left: ")
    parts = made.split(" ")
    if not found or not line.endswith(")"):
        return None
    a, operator, b, _, result = parts
    return Step(Fraction(a), operator, Fraction(b), Fraction(result), tuple(map(Fraction, left.split())))


def _error(step: Step, puzzle: Numbers) -> str:
    """What is wrong with a first step; nothing if it is legal."""
    rest = list(puzzle)
    for operand in (step.a, step.b):
        if operand not in rest:
            return "twice" if operand in puzzle else "operand"
        rest.remove(operand)
    if combine(step.a, step.operator, step.b) != step.result:
        return "result"
    return "" if sorted([*rest, step.result]) == sorted(step.left) else "left"


def _completion(rng: random.Random, steps: list[Step]) -> str:
    lines = [step.line() for step in steps]
    if rng.random() < 0.5:
        lines.insert(0, "Possible next steps:")
    if rng.random() < 0.3:
        lines.insert(rng.randint(1, len(lines)), "")
    if rng.random() < 0.4:
        lines.append(steps[0].line()[: rng.randint(5, 14)])
    return "\n".join(lines)


def _vote(rng: random.Random, numbers: Numbers) -> list[str]:
    return rng.choices(LABELS, HABITS[kind(numbers)], k=VOTES)


@dataclass(frozen=True)
class _Branch:
    """A partial solution: the lines so far and, for every number left, the expression that made it."""

    lines: tuple[str, ...]
    parts: tuple[tuple[Fraction, str], ...]

    def numbers(self) -> Numbers:
        return tuple(number for number, _ in self.parts)

    def extended(self, step: Step) -> "_Branch":
        rest = list(self.parts)

        def take(number: Fraction) -> str:
            for part in rest:
                if part[0] == number:
                    rest.remove(part)
                    return part[1]
            return _out_of_nowhere(number)

        made = f"({take(step.a)} {step.operator} {take(step.b)})"
        # With a slip in the stated result alone, the thought goes on with what it should have said.
        result = step.result if step.result in step.left else combine(step.a, step.operator, step.b)
        parts = []
        for number in step.left:
            if number == result and made:
                parts.append((number, made))
                made = ""
            else:
                parts.append((number, take(number)))
        return _Branch((*self.lines, step.line()), tuple(parts))


def _out_of_nowhere(number: Fraction) -> str:
    """A number that nothing led to, written as an answer may hold it."""
    if number < 0:
        return f"(0 - {_out_of_nowhere(-number)})"
    return str(number) if number.denominator == 1 else f"({number.numerator} / {number.denominator})"


def _run(rng: random.Random, index: int, puzzle: Numbers, short: bool) -> Run:
    run = Run(index, puzzle, short)
    frontier = [_Branch((), tuple((number, str(number)) for number in puzzle))]
    for depth in range(3):
        calls, candidates, votes, worth = [], [], [], []
        asked: set[str] = set()
        for branch in frontier:
            numbers = branch.numbers()
            steps = _first_steps(rng, puzzle, short) if depth == 0 else _draw(rng, numbers, 9 if depth == 1 else 4)
            calls.append({"numbers": text(numbers), "completion": _completion(rng, steps)})
            for step in steps:
                candidates.append(branch.extended(step))
                left = text(step.left)
                # Asked once per step: a prompt that comes back word by word in the same step is worth nothing.
                votes.append([] if left in asked else _vote(rng, step.left))
                worth.append(sum(WORTH[label] for label in votes[-1]))
                if left not in asked and depth == 0:
                    run.seen[left] = worth[-1]
                asked.add(left)
        kept = sorted(range(len(candidates)), key=lambda at: -worth[at])[:BREADTH]
        frontier = [candidates[at] for at in kept]
        selected = ["\n".join(branch.lines) for branch in frontier]
        run.steps.append({"step": depth, "calls": calls, "votes": votes, "selected": selected})
    rng.shuffle(frontier)
    for branch in frontier:
        number, made = branch.parts[0]
        answer = f"{made[1:-1]} = {number}"
        run.outputs.append({"answer": answer, "votes": _vote(rng, (number,)) if number != TARGET else ["sure"] * VOTES})
    run.verdict = int(any(output["votes"].count("sure") >= 2 for output in run.outputs))
    return run


def expressions(numbers: Numbers, foreign: str = "") -> Iterator[tuple[str, float]]:
    """Every way to make 24 of the numbers, written out, and what double precision makes of it; also by `foreign`, `**` or `//`."""
    yield from _written(tuple((float(number), str(number)) for number in numbers), foreign)


def _written(parts: tuple[tuple[float, str], ...], foreign: str) -> Iterator[tuple[str, float]]:
    if len(parts) == 1:
        value, made = parts[0]
        if abs(value - TARGET) < 1e-9:
            yield made[1:-1], value
        return
    for i, j in combinations(range(len(parts)), 2):
        rest = tuple(part for at, part in enumerate(parts) if at not in (i, j))
        for (a, left), (b, right) in ((parts[i], parts[j]), (parts[j], parts[i])):
            made = [(a + b, "+"), (a * b, "*")] if left == parts[i][1] else []
            made += [(a - b, "-"), (a / b, "/")] if b else [(a - b, "-")]
            if foreign == "**" and a in range(2, 14) and b in (2, 3, 4):
                made.append((a**b, "**"))
            if foreign == "//" and a in range(3, 200) and b in range(2, 14) and a % b and a > b:
                made.append((a // b, "//"))
            for result, operator in made:
                yield from _written((*rest, (result, f"({left} {operator} {right})")), foreign)


def _solved(run: Run) -> bool:
    """True if the best output is right."""
    return _right(run.outputs[run.best()]["answer"], run.puzzle)


def _right(answer: str, puzzle: Numbers) -> bool:
    made = answer.split("=")[0]
    tokens = made.replace("(", " ( ").replace(")", " ) ").split()
    used = sorted(Fraction(token) for token in tokens if token.isdigit())
    return used == sorted(puzzle) and _value(tokens) == TARGET


def _value(tokens: list[str]) -> Fraction | None:
    """Of an expression in which all but the outermost operation stands in parentheses; None for anything else."""
    stack: list[list[Any]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        else:
            if token == ")":
                token = _operation(stack.pop())  # type: ignore[assignment]
                if token is None:
                    return None
            elif token.isdigit():
                token = Fraction(token)  # type: ignore[assignment]
            stack[-1].append(token)
    return _operation(stack[0])


def _operation(parts: list[Any]) -> Fraction | None:
    if len(parts) != 3 or parts[1] not in tuple("+-*/") or not isinstance(parts[0], Fraction) or not isinstance(parts[2], Fraction):
        return None
    return combine(*parts)


def _disturb(rng: random.Random, runs: list[Run]) -> None:
    """Give fixed numbers of solved games an answer or a verdict that a careless reader would misjudge."""
    free = [run for run in runs if _solved(run) and not run.short]
    rng.shuffle(free)

    def take(count: int, answer: Any) -> Iterator[tuple[Run, str]]:
        """The next free games for which `answer` finds something."""
        done = 0
        for run in list(free):
            if done == count:
                return
            made = answer(run)
            if made is not None:
                free.remove(run)
                done += 1
                yield run, made
        if done < count:
            raise TooFew(f"only {done} of {count} games can be disturbed in this way")

    def correct(run: Run) -> str:
        return str(run.outputs[run.best()]["answer"])

    for run, answer in take(INEXACT_FLOAT, _inexact):
        _put_best(rng, run, f"{answer} = 24")
    for count, sign in ((WITH_POWER, "**"), (WITH_WHOLE_DIVISION, "//")):
        for run, answer in take(count, lambda run, sign=sign: _with_foreign(run, sign)):
            _put_best(rng, run, f"{answer} = 24")
    for run, answer in take(QUICK_CHECK_FOOLED, lambda run: _misusing(rng, run.puzzle, run.puzzle)):
        _put_best(rng, run, f"{answer} = 24")
    every = tuple(Fraction(n) for n in range(1, LARGEST + 1))
    for run, answer in take(FOREIGN_NUMBER, lambda run: _misusing(rng, run.puzzle, every)):
        _put_best(rng, run, f"{answer} = 24")
    for run, answer in take(WRONG_ARITHMETIC, lambda run: _miscalculated(rng, correct(run))):
        _put_best(rng, run, answer)
    for count, rewritten in ((WITH_SIGN, _with_sign), (WITH_DECIMAL, _with_decimal)):
        for run, answer in take(count, lambda run, rewritten=rewritten: rewritten(rng, correct(run))):
            _put_best(rng, run, answer)
    for run, _ in take(CLAIMED_OTHERWISE, lambda run: ""):
        _put_best(rng, run, f"{correct(run).split(' = ')[0]} = {rng.choice((0, 4, 23, 25, 42))}")
    for votes in CLOSE_CALLS:
        for right_best in (True, False):
            for run, answer in take(CLOSE_CALLS_OF_A_KIND, lambda run: _miscalculated(rng, correct(run))):
                _let_win(rng, run, (correct(run), answer) if right_best else (answer, correct(run)), votes)
    for run, answer in take(RIGHT_BUT_NOT_BEST, lambda run: _miscalculated(rng, correct(run))):
        right = correct(run)
        best = _put_best(rng, run, answer)
        other = rng.choice([at for at in range(len(run.outputs)) if at != best])
        run.outputs[other] = {"answer": right, "votes": ["sure", "sure", "likely"]}
    for run, answer in take(RIGHT_BUT_NOT_FIRST, lambda run: _miscalculated(rng, correct(run))):
        _put_best(rng, run, correct(run), first=False)
        run.outputs[0] = {"answer": answer, "votes": ["sure", "likely", "sure"]}
    for count, right_first in ((SHARED_RIGHT_FIRST, True), (SHARED_WRONG_FIRST, False)):
        for run, answer in take(count, lambda run: _miscalculated(rng, correct(run))):
            right = _put_best(rng, run, correct(run))
            wrong = rng.choice([at for at in range(len(run.outputs)) if at != right])
            run.outputs[wrong] = {"answer": answer, "votes": ["sure"] * VOTES}
            if (right < wrong) != right_first:
                run.outputs[right], run.outputs[wrong] = run.outputs[wrong], run.outputs[right]
    for run, _ in take(MISJUDGED, lambda run: ""):
        run.verdict = 0


def _put_best(rng: random.Random, run: Run, answer: str, first: bool = True) -> int:
    """Make `answer` the one output that all votes call sure, and say where it stands."""
    place = rng.randrange(0 if first else 1, len(run.outputs))
    for at, output in enumerate(run.outputs):
        if at == place:
            output.update(answer=answer, votes=["sure"] * VOTES)
        elif output["votes"] == ["sure"] * VOTES:
            output["votes"] = rng.sample(["sure", "sure", "likely"], k=VOTES)
            output["answer"] = _miscalculated(rng, output["answer"]) or "no answer found"
    run.verdict = 1
    return place


def _let_win(rng: random.Random, run: Run, answers: tuple[str, str], votes: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    """Of two answers, let the first win by its votes, though the other stands before it; nothing else comes near."""
    before, behind = sorted(rng.sample(range(len(run.outputs)), k=2))
    for output in run.outputs:
        output["votes"] = ["impossible"] * VOTES
    for at, place in enumerate((behind, before)):
        run.outputs[place] = {"answer": answers[at], "votes": list(votes[at])}
    run.verdict = int(votes[0].count("sure") >= 2)


def _inexact(run: Run) -> str | None:
    """A right answer that double precision does not bring to 24."""
    if text(run.puzzle) not in INEXACT_GAMES:
        return None
    return next(answer for answer, value in expressions(run.puzzle) if value != TARGET)


def _with_foreign(run: Run, sign: str) -> str | None:
    """24 made with an operation that is none of the four."""
    return next((answer for answer, _ in expressions(run.puzzle, sign) if sign in answer), None)


def _with_sign(rng: random.Random, answer: str) -> str | None:
    """The answer with one difference written as a sum with a sign: `8 + -2` or `-2 + 8`."""
    made = answer.split(" = ")[0]
    places = [at for at, sign in enumerate(made) if made[at - 1 : at + 2] == " - "]
    if not places:
        return None
    at = rng.choice(places)
    a, b = _operand(made[: at - 1][::-1], ")(")[::-1], _operand(made[at + 2 :], "()")
    signed = rng.choice((f"{a} + -{b}", f"-{b} + {a}"))
    return f"{made[: at - 1 - len(a)]}{signed}{made[at + 2 + len(b) :]} = 24"


def _operand(made: str, brackets: str) -> str:
    """What stands at the beginning: a number or what a pair of brackets holds."""
    depth = 0
    for at, sign in enumerate(made):
        depth += (sign == brackets[0]) - (sign == brackets[1])
        if depth < 0 or (depth == 0 and sign == " "):
            return made[:at]
        if depth == 0 and sign == brackets[1]:
            return made[: at + 1]
    return made


def _with_decimal(rng: random.Random, answer: str) -> str:
    """The answer with one of its numbers written as `8.0`."""
    numbers = list(re.finditer("[0-9]+", answer.split(" = ")[0]))
    end = rng.choice(numbers).end()
    return f"{answer[:end]}.0{answer[end:]}"


def _misusing(rng: random.Random, puzzle: Numbers, pool: Numbers) -> str | None:
    """24 made with one number of the puzzle replaced by one of `pool`; with the puzzle as pool, no number is foreign to it."""
    places = list(range(4))
    rng.shuffle(places)
    for place in places:
        others = sorted({number for number in pool if number != puzzle[place] and (pool is puzzle or number not in puzzle)})
        rng.shuffle(others)
        for other in others:
            changed = (*puzzle[:place], other, *puzzle[place + 1 :])
            if all(kind(step.left) != "reachable" for step in legal_steps(changed)):
                continue
            return next(expressions(changed))[0]
    return None


def _miscalculated(rng: random.Random, answer: str) -> str | None:
    """The answer with one operator changed, still claiming 24."""
    made = answer.split(" = ")[0]
    places = [at for at, sign in enumerate(made) if sign in "+-*/" and made[at - 1 : at + 2] == f" {sign} "]
    rng.shuffle(places)
    for place in places:
        for sign in rng.sample("+-*/", k=4):
            changed = made[:place] + sign + made[place + 1 :]
            if sign != made[place] and _value(changed.replace("(", " ( ").replace(")", " ) ").split()) not in (TARGET, None):
                return f"{changed} = 24"
    return None


def _log(rng: random.Random, runs: list[Run], puzzles: list[Numbers]) -> list[dict[str, Any]]:
    """Records in the order of running: a game that was run again stands in the log twice."""
    first = [run.record() for run in runs]
    solved = [at for at, run in enumerate(runs) if _solved(run)]
    places = rng.sample(solved, ABORTED_THEN_COMPLETE + COMPLETE_THEN_ABORTED + COMPLETE_TWICE)
    later = []
    for at, place in enumerate(places):
        counted = first[place]
        other = _run(rng, FIRST_INDEX + place, puzzles[place], False).record()
        if at < ABORTED_THEN_COMPLETE + COMPLETE_THEN_ABORTED:
            other["status"] = "aborted"
            other["steps"] = other["steps"][: rng.randint(1, 2)]
            del other["outputs"], other["r"]
        if ABORTED_THEN_COMPLETE <= at < ABORTED_THEN_COMPLETE + COMPLETE_THEN_ABORTED:
            later.append(other)
        else:
            first[place] = other
            later.append(counted)
    rng.shuffle(later)
    return first + later


def _cache(runs: list[Run]) -> dict[str, float]:
    """The teacher's values of what was left after a first step, by the numbers as they stood in the prompt."""
    return dict(sorted(item for run in runs for item in run.seen.items()))
