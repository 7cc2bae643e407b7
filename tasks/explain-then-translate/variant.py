# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The task's data from a seed: Python sources with a named entry point, and the outcomes of stored translations of each.

A source is grown to a cyclomatic complexity that is chosen first: every statement maker is told how many decision points it
may spend and says how many it spent. So the outcomes can depend on the entry point's complexity, and the number itself is
written nowhere. The mix of source kinds and of complexities is the same for every seed; only their pairing, the code and the
outcomes differ. Every construct that the digest speaks of occurs in several entry points; a draw without is made again.
"""

import ast
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"

PAIRS = {"py-go": 0.55, "py-java": 0.75, "py-js": 1.05, "py-lua": 0.0, "py-rs": 0.2}
"""Target language and how well the model knows it, in logits at complexity 6."""

SAMPLES = 8
MOST_TRUNCATED = 2

COMPLEXITIES = {1: 5, 2: 9, 3: 12, 4: 15, 5: 16, 6: 18, 7: 15, 8: 13, 9: 10, 10: 8, 11: 7, 12: 5, 13: 4, 14: 4}
"""How many parsable problems have an entry point of this complexity."""

KINDS = {
    "single": 18,
    "helpers": 22,
    "closures": 16,
    "local_class": 9,
    "async": 16,
    "method": 20,
    "inner_method": 8,
    "overloaded": 8,
    "overloaded_method": 6,
    "larger_before": 3,
    "smaller_before": 3,
    "larger_method_before": 3,
    "smaller_method_before": 2,
    "class_replaced": 3,
    "outer_class_replaced": 2,
    "inner_class_replaced": 2,
}
"""How many parsable problems are of this kind; the sum is that of COMPLEXITIES."""

UNPARSABLE = 10
NO_TEXT = 3
"""How many of the unparsable hold what no text may hold: the parser raises no SyntaxError there, but another ValueError."""

VERBS = (
    "collect merge rank split count fold trace reduce match pick group weigh shift scan align pack score filter balance route "
    "encode clip sum join walk sort label bound chain trim"
).split()
NOUNS = (
    "orders tokens readings ledgers paths batches spans signals parcels tickets rows frames cells votes routes samples windows "
    "levels shards queues deltas blocks marks edges pulses grades tallies prices slots trips"
).split()
CLASS_HEADS = (
    "Order Token Reading Ledger Path Batch Span Signal Parcel Ticket Row Frame Cell Vote Route Sample Window Shard".split()
)
CLASS_TAILS = "Book Store Index Pool Log Tracker Board Table Counter Planner Buffer Registry".split()
LOCALS = "acc best carry depth edge found gap head last left mark offset peak rest score seen_at span step tail top width".split()
LISTS = "items parts queue chunk kept ordered pending window".split()
PURPOSES = (
    "Keep what the caller needs and forget the rest.",
    "Work through the input once, from left to right.",
    "The result is a plain number so that callers can compare it.",
    "Order of the input matters.",
    "Bad entries are skipped, never repaired.",
    "Used by the nightly report.",
    "Ties are broken by position.",
    "Callers look at the input again afterwards.",
)

Maker = Callable[["Scope", int, int], tuple[list[str], int]]


def make(seed: int, out_dir: Path) -> None:
    """Write data/ for `seed` into the empty folder `out_dir`."""
    for attempt in range(100):
        rng = random.Random(f"explain-then-translate/{seed}/{attempt}")
        problems = _problems(rng)
        missing = _missing(problems)
        if not missing:
            break
    else:
        raise ValueError(f"no draw in which every construct occurs: {missing}")
    sources = [{"problem_id": p.problem_id, "entry_point": p.entry_point, "source": p.source} for p in problems]
    _write_jsonl(out_dir / "sources.jsonl", sources)
    (out_dir / "completions").mkdir()
    for pair, skill in PAIRS.items():
        _write_jsonl(out_dir / "completions" / f"{pair}.jsonl", _outcomes(rng, problems, skill))
    (out_dir / "CANARY.txt").write_text(CANARY + "\n")
    (out_dir / "completions" / "CANARY.txt").write_text(CANARY + "\n")


def _write_jsonl(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))


OPERATOR = (ast.BoolOp, ast.IfExp, ast.comprehension)
LOOP = (ast.For, ast.AsyncFor, ast.While)
DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
DECISION = (*OPERATOR, *LOOP, ast.If, ast.ExceptHandler, ast.match_case, ast.Assert)
CONSTRUCTS: dict[str, Callable[[ast.AST], bool]] = {
    "elif": lambda n: isinstance(n, ast.If) and len(n.orelse) == 1 and isinstance(n.orelse[0], ast.If),
    "else of an if": lambda n: isinstance(n, ast.If) and bool(n.orelse) and not isinstance(n.orelse[0], ast.If),
    "conditional expression": lambda n: isinstance(n, ast.IfExp),
    "async for": lambda n: isinstance(n, ast.AsyncFor),
    "while": lambda n: isinstance(n, ast.While),
    "else of a loop": lambda n: isinstance(n, LOOP) and bool(n.orelse),
    "several except clauses": lambda n: isinstance(n, ast.Try) and len(n.handlers) > 1,
    "else of a try": lambda n: isinstance(n, ast.Try) and bool(n.orelse),
    "finally": lambda n: isinstance(n, ast.Try) and bool(n.finalbody),
    "operator of three": lambda n: isinstance(n, ast.BoolOp) and len(n.values) > 2,
    "two fors in a comprehension": lambda n: len(getattr(n, "generators", ())) > 1,
    "if in a comprehension": lambda n: isinstance(n, ast.comprehension) and bool(n.ifs),
    "async comprehension": lambda n: isinstance(n, ast.comprehension) and bool(n.is_async),
    "match without a catch-all": lambda n: isinstance(n, ast.Match) and not _catches(n, None, "other"),
    "match with _": lambda n: isinstance(n, ast.Match) and _catches(n, None),
    "match with a bare name": lambda n: isinstance(n, ast.Match) and _catches(n, "other"),
    "a guard at the only bare name": lambda n: isinstance(n, ast.Match) and _catch_alls(n) == [True],
    "a guarded bare name before the last": lambda n: isinstance(n, ast.Match) and _catch_alls(n) == [True, False],
    "plain guard": lambda n: isinstance(n, ast.match_case) and n.guard is not None and not _holds(n.guard, OPERATOR),
    "guard with an operator": lambda n: isinstance(n, ast.match_case) and n.guard is not None and _holds(n.guard, OPERATOR),
    "assert": lambda n: isinstance(n, ast.Assert),
    "operator in an assert": lambda n: isinstance(n, ast.Assert) and _holds(n, OPERATOR),
    "with": lambda n: isinstance(n, ast.With),
    "async with": lambda n: isinstance(n, ast.AsyncWith),
    "operator in a lambda": lambda n: isinstance(n, ast.Lambda) and _holds(n, OPERATOR),
    "decisions in a nested function": lambda n: isinstance(n, ast.FunctionDef) and _holds(n, (ast.If, *OPERATOR)),
    "decisions in a nested async function": lambda n: isinstance(n, ast.AsyncFunctionDef) and _holds(n, (ast.If, *OPERATOR)),
    "decisions in a nested class": lambda n: isinstance(n, ast.ClassDef) and _holds(n, (ast.If, *OPERATOR)),
    "operator in a nested default": lambda n: isinstance(n, DEFINITION[:2]) and _holds(n.args, OPERATOR),
    "operator in a nested decorator": lambda n: isinstance(n, DEFINITION) and any(_holds(d, OPERATOR) for d in n.decorator_list),
    "list comprehension": lambda n: isinstance(n, ast.ListComp),
    "set comprehension": lambda n: isinstance(n, ast.SetComp),
    "dict comprehension": lambda n: isinstance(n, ast.DictComp),
    "generator expression": lambda n: isinstance(n, ast.GeneratorExp),
}
PLACES: dict[str, tuple[type[ast.AST], str]] = {
    "what is returned": (ast.Return, "value"),
    "an expression that is a statement": (ast.Expr, "value"),
    "an assignment": (ast.Assign, "value"),
    "the target of an assignment": (ast.Assign, "targets"),
    "an augmented assignment": (ast.AugAssign, "value"),
    "an annotated assignment": (ast.AnnAssign, "value"),
    "an assignment expression": (ast.NamedExpr, "value"),
    "what is raised": (ast.Raise, "exc"),
    "what is deleted": (ast.Delete, "targets"),
    "the iterable of a for": (ast.For, "iter"),
    "the iterable of an async for": (ast.AsyncFor, "iter"),
    "the item of a with": (ast.With, "items"),
    "the item of an async with": (ast.AsyncWith, "items"),
    "the subject of a match": (ast.Match, "subject"),
    "the class of an except": (ast.ExceptHandler, "type"),
    "the test of an if": (ast.If, "test"),
    "the test of a while": (ast.While, "test"),
    "the test of a conditional expression": (ast.IfExp, "test"),
    "a branch of a conditional expression": (ast.IfExp, "orelse"),
    "an operand of a boolean operator": (ast.BoolOp, "values"),
    "a comparison": (ast.Compare, "left"),
    "what is awaited": (ast.Await, "value"),
    "a keyword argument": (ast.keyword, "value"),
    "an argument": (ast.Call, "args"),
    "an unpacked argument": (ast.Starred, "value"),
    "an index": (ast.Subscript, "slice"),
    "a formatted value": (ast.FormattedValue, "value"),
    "the iterable of a comprehension": (ast.comprehension, "iter"),
    "the condition of a comprehension": (ast.comprehension, "ifs"),
    "the element of a comprehension": (ast.ListComp, "elt"),
    "the body of a lambda": (ast.Lambda, "body"),
    "the body of an if": (ast.If, "body"),
    "the else of an if": (ast.If, "orelse"),
    "the body of a for": (ast.For, "body"),
    "the body of an async for": (ast.AsyncFor, "body"),
    "the body of a while": (ast.While, "body"),
    "the else of a for": (ast.For, "orelse"),
    "the body of a try": (ast.Try, "body"),
    "the body of an except": (ast.ExceptHandler, "body"),
    "the else of a try": (ast.Try, "orelse"),
    "the finally of a try": (ast.Try, "finalbody"),
    "the body of a case": (ast.match_case, "body"),
    "the body of a with": (ast.With, "body"),
    "the body of an async with": (ast.AsyncWith, "body"),
}
"""Where a decision may stand, so that one who looks for them must look everywhere."""
DEEP = {
    "a function nested in an if": (ast.If, DEFINITION[:2]),
    "a function nested in a loop": (LOOP, DEFINITION[:2]),
    "a function nested in a try or with": ((ast.Try, ast.With), DEFINITION[:2]),
    "a class nested in an if": (ast.If, (ast.ClassDef,)),
}
AROUND = ("operator in a decorator", "operator in a default")
WHICH = (
    "larger definition before",
    "smaller definition before",
    "larger method before",
    "smaller method before",
    "class replaced",
    "outer class replaced",
    "inner class replaced",
    "class of that name inside another, before",
    "class of that name inside another, after",
    "inner class of that name inside another, before",
    "inner class of that name inside another, after",
    "inner class of that name at the top level",
)
"""Other definitions than the one that counts, all of another complexity than its own."""
LEAST = 2
"""Entry points in which each of them must occur."""


def _holds(node: ast.AST, kinds: tuple[type, ...]) -> bool:
    return any(isinstance(inner, kinds) for inner in ast.walk(node))


def _catches(node: ast.Match, *names: str | None) -> bool:
    patterns = [case.pattern for case in node.cases]
    return any(isinstance(p, ast.MatchAs) and p.pattern is None and p.name in names for p in patterns)


def _catch_alls(node: ast.Match) -> list[bool]:
    """For each case that catches everything, whether it has a guard."""
    cases = [case for case in node.cases if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None]
    return [case.guard is not None for case in cases]


def _own(roots: list[ast.AST]) -> list[ast.AST]:
    """The nodes at and below the roots, none of which stands inside a definition or an assert below them."""
    found, stack = [], list(roots)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (*DEFINITION, ast.Assert)):
            stack += ast.iter_child_nodes(node)
    return found


def _field(node: ast.AST, name: str) -> list[ast.AST]:
    value = getattr(node, name)
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)]


def _constructs(problem: "Problem") -> set[str]:
    """Those of `CONSTRUCTS` that stand in the body of the entry point, none of which it shares with a definition inside."""
    scope: ast.AST = ast.parse(problem.source)
    for name in problem.entry_point.split("."):
        scope = [node for node in scope.body if isinstance(node, DEFINITION) and node.name == name][-1]  # type: ignore[attr-defined]
    assert isinstance(scope, DEFINITION[:2])
    found = set(problem.which)
    for node in _own(list(scope.body)):
        found |= {name for name, holds in CONSTRUCTS.items() if holds(node)}
        for name, (kind, part) in PLACES.items():
            # An if in the else of another is an elif.
            if isinstance(node, kind) and not (name == "the else of an if" and CONSTRUCTS["elif"](node)):
                below = _own(_field(node, part)) if name not in found else []
                if any(isinstance(inner, DECISION) for inner in below):
                    found.add(name)
        for name, (outer, inner_kind) in DEEP.items():
            if isinstance(node, outer):
                nested = [inner for inner in _own([node]) if isinstance(inner, inner_kind)]
                if any(_holds(inner, (ast.If, *OPERATOR)) for inner in nested):
                    found.add(name)
    if any(_holds(node, OPERATOR) for node in scope.decorator_list):
        found.add(AROUND[0])
    if _holds(scope.args, OPERATOR):
        found.add(AROUND[1])
    return found


def _missing(problems: list["Problem"]) -> list[str]:
    found = [name for problem in problems if not problem.broken for name in _constructs(problem)]
    return [name for name in (*CONSTRUCTS, *PLACES, *DEEP, *AROUND, *WHICH) if found.count(name) < LEAST]


@dataclass(frozen=True)
class Problem:
    problem_id: str
    entry_point: str
    source: str
    complexity: int
    hardness: float
    broken: bool
    """Whether the source does not parse."""
    which: frozenset[str] = frozenset()
    """Those of `WHICH` that it shows."""


def _problems(rng: random.Random) -> list[Problem]:
    complexities = [value for value, count in COMPLEXITIES.items() for _ in range(count)]
    kinds = [kind for kind, count in KINDS.items() for _ in range(count)]
    assert len(complexities) == len(kinds)
    rng.shuffle(complexities)
    rng.shuffle(kinds)
    # An overloaded stub has complexity 1, and what is replaced by something larger has less than that: the definition that counts
    # has to be told apart from it. What only an async function may hold needs decisions to spend.
    for at, kind in enumerate(kinds):
        least = 4 if kind == "async" else 3 if kind.startswith(("overloaded", "smaller")) else 1
        if complexities[at] < least:
            other = next(
                i for i, k in enumerate(kinds) if k in ("single", "closures", "helpers", "method") and complexities[i] >= 4
            )
            complexities[at], complexities[other] = complexities[other], complexities[at]
    plans = [(kind, value, -1) for kind, value in zip(kinds, complexities, strict=True)]
    plans += [(rng.choice(["single", "helpers", "method"]), rng.randint(2, 12), at) for at in range(UNPARSABLE)]
    rng.shuffle(plans)
    names = [f"{verb}_{noun}" for verb in VERBS for noun in NOUNS]
    rng.shuffle(names)
    problems = []
    planted: dict[str, int] = dict.fromkeys(PLANTS, 0)
    for at, (kind, complexity, damage) in enumerate(plans):
        grower = Grower(rng)
        fitting = [plant for plant in PLANTS if PLANTS[plant][0] < complexity and plant.startswith("async") == (kind == "async")]
        if fitting and damage < 0:
            grower.plant = min(fitting, key=lambda plant: (planted[plant], rng.random()))
            planted[grower.plant] += 1
        entry_point, blocks = ASSEMBLERS[kind](grower, names[at], complexity)
        source = _module(rng, blocks)
        if damage >= 0:
            source = _break(rng, source) if damage >= NO_TEXT else _garble(rng, source)
        which = frozenset(grower.which)
        problems.append(
            Problem(f"ETT_{at:03d}_{names[at]}", entry_point, source, complexity, rng.gauss(0, 0.5), damage >= 0, which)
        )
    return problems


def _outcomes(rng: random.Random, problems: list[Problem], skill: float) -> list[dict]:
    """Both arms of every problem that has a test suite in the target language, in the order of the problems."""
    rows = []
    for problem in problems:
        if rng.random() < 0.04:
            continue
        direct = skill - 0.28 * (problem.complexity - 6) + problem.hardness + rng.gauss(0, 0.3)
        explained = direct + 1.3 * math.tanh((problem.complexity - 5.5) / 2.5) + rng.gauss(0, 0.25)
        for arm, logit, truncation in (("direct", direct, 0.03), ("explained", explained, 0.07)):
            completions = _arm(rng, 1 / (1 + math.exp(-logit)), truncation)
            rows.append({"problem_id": problem.problem_id, "arm": arm, "completions": completions})
    return rows


def _arm(rng: random.Random, rate: float, truncation: float) -> list[dict]:
    completions, truncated = [], 0
    for _ in range(SAMPLES):
        finish = "stop"
        if truncated < MOST_TRUNCATED and rng.random() < truncation:
            finish, truncated = "length", truncated + 1
        if rng.random() < (rate if finish == "stop" else 0.3):
            # Some test programs announce success and then die while shutting down.
            exit_code = 0 if rng.random() > 0.02 else rng.choice([101, 134, 139])
            status = "OK"
        else:
            status, exit_code = rng.choice([("Exception", 1), ("Exception", 1), ("SyntaxError", 2), ("Timeout", -1)])
        completions.append({"status": status, "exit_code": exit_code, "finish": finish})
    return completions


PLANTS: dict[str, tuple[int, str]] = {
    "return": (2, "if {test}:\n    return {either} + {a}"),
    "expression": (1, "{xs}.append({either})"),
    "target": (1, "{xs}[{either} % {n}] = {plain}"),
    "augmented": (1, "{target} += {either}"),
    "annotated": (1, "{name}: int = {either}"),
    "walrus": (2, "if ({name} := {either}) > {n}:\n    {target} += {name}"),
    "raise": (2, "if {test}:\n    raise ValueError({either})"),
    "delete": (1, "del {xs}[{either} :]"),
    "iterable": (2, "for {each} in range({either}):\n    {target} += {each}"),
    "iterables": (3, "for {each} in [v for v in {xs} if v > {a}]:\n    {target} -= {each}"),
    "with item": (1, "with contextlib.suppress(ValueError if {test} else KeyError):\n    {target} = {a}"),
    "subject": (2, "match {either}:\n    case {n}:\n        {target} += 1\n    case _:\n        {target} -= 1"),
    "except class": (2, "try:\n    {name} = {plain}\nexcept (KeyError if DEBUG else ValueError):\n    {target} = {a}"),
    "if test": (2, "if any(v > {a} for v in {xs}):\n    {target} = {a}"),
    "while test": (2, "while {either} > {target}:\n    {target} += {n}"),
    "conditional test": (2, "{name} = {a} if {test} and {another_test} else {n}"),
    "comparison": (3, "if len([v for v in {xs} if v != {a}]) > {n}:\n    {target} = {a}"),
    "keyword": (1, "{name} = max({xs}, default={either})"),
    "unpacked": (1, "{name} = max({a}, *({xs} if {test} else [{n}]))"),
    "index": (1, "{name} = {xs}[{either} % {n}]"),
    "formatted": (1, '{name} = len(f"{{{either}}} of {{{target}}}")'),
    "comprehension iterable": (2, "{name} = sum(v for v in ({xs} if {test} else [{a}, {n}]))"),
    "dict comprehension": (1, "{name} = len({{v: v % {n} for v in {xs}}})"),
    "set comprehension": (1, "{name} = len({{v // {n} for v in {xs}}})"),
    "comprehension element": (2, "{name} = sum([v if v > {a} else {n} for v in {xs}])"),
    "three operands": (3, "if {test} and {another_test} and {another_test}:\n    {target} = {a}"),
    "and within or": (3, "if {test} and {another_test} or {another_test}:\n    {target} = {a}"),
    "branch": (2, "{name} = {a} if {test} else {n} if {another_test} else {target}"),
    "except body": (2, "try:\n    {name} = {plain}\nexcept (TypeError, KeyError):\n    {body}"),
    "try else body": (3, "try:\n    {name} = {plain}\nexcept IndexError:\n    {target} = {a}\nelse:\n    {body}"),
    "finally body": (1, "try:\n    {name} = {plain}\nfinally:\n    {body}"),
    "with body": (1, "with contextlib.nullcontext():\n    {body}"),
    "case body": (2, "match {target} % {n}:\n    case 0 | 1:\n        {body}\n    case _:\n        {target} = {a}"),
    "for else body": (3, "for {each} in {xs}:\n    {target} += {each}\nelse:\n    {body}"),
    "while body": (2, "while {test}:\n    {body}"),
    "guarded name": (
        1,
        "match {target} % {n}:\n    case 0:\n        {target} = {plain}\n    case {rest_or_any} if {test}:\n        {target} = {a}",
    ),
    "guarded name and last": (
        2,
        "match {target} % {n}:\n    case 0:\n        {target} = {plain}\n    case rest if {test}:\n        {target} = {a}\n"
        "    case {any_or_rest}:\n        {target} -= 1",
    ),
    "function in an if": (1, "if {test}:\n    {function}\nelse:\n    {target} = {a}"),
    "function in a loop": (1, "for {each} in {xs}:\n    {function}"),
    "function in a try": (1, "try:\n    {function}\nexcept ValueError:\n    {target} = {a}"),
    "class in an if": (1, "if {test}:\n    {class}\n    {target} = {a}"),
    "async iterable": (3, "async for {each} in stream([v for v in {xs} if v > {a}]):\n    {target} += {each}"),
    "async comprehension": (1, "{name} = len([v async for v in stream({xs})])"),
    "async body": (2, "async for {each} in stream({xs}):\n    {body_of_loop}"),
    "async with item": (1, "async with asyncio.timeout({either}):\n    {target} = {a}"),
    "async with body": (1, "async with asyncio.Lock():\n    {body}"),
    "async await": (1, "await asyncio.sleep({either})"),
    "async function": (1, "if {test}:\n    {async_function}"),
}
"""Statements that the generator would make too seldom: the least that each spends, and its text for `Grower.planted`. One stands in
every entry point that has the decisions for it, those of async functions in these alone."""


class Drawn(dict[str, Callable[[], str]]):
    """What a text's places are filled with: each is drawn when it is come to."""

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name)()


@dataclass(frozen=True)
class Scope:
    """What a statement may mention, and where it stands."""

    numbers: tuple[str, ...]
    lists: tuple[str, ...]
    is_async: bool = False
    in_loop: bool = False


def indent(lines: list[str]) -> list[str]:
    return ["    " + line if line else line for line in lines]


@dataclass
class Grower:
    """Grows code that spends exactly the decision points it is given."""

    rng: random.Random
    used: dict[str, int] = field(default_factory=dict)
    plant: str = ""
    """One of `PLANTS` that the next function shall hold, and no later one."""
    which: set[str] = field(default_factory=set)
    """Those of `WHICH` that the source shows."""

    def fresh(self, pool: list[str]) -> str:
        stem = self.rng.choice(pool)
        count = self.used[stem] = self.used.get(stem, 0) + 1
        return stem if count == 1 else f"{stem}{count}"

    def flip(self, chance: float) -> bool:
        return self.rng.random() < chance

    def other_than(self, complexity: int) -> int:
        return self.rng.choice([value for value in range(1, 12) if value != complexity])

    def class_name(self) -> str:
        return self.fresh([head + tail for head in CLASS_HEADS for tail in CLASS_TAILS])

    def helper_name(self, not_this: str) -> str:
        while True:
            name = "_" * self.flip(0.4) + f"{self.rng.choice(VERBS)}_{self.rng.choice(NOUNS)}"
            if name.strip("_") != not_this and name not in self.used:
                self.used[name] = 1
                return name

    # Expressions that decide nothing.

    def atom(self, scope: Scope) -> str:
        return self.rng.choice([*scope.numbers, *scope.numbers, str(self.rng.randint(0, 40))])

    def plain_number(self, scope: Scope) -> str:
        a, b, xs = self.atom(scope), self.atom(scope), self.rng.choice(scope.lists)
        n = self.rng.randint(2, 9)
        return self.rng.choice(
            [
                f"{a} + {b}",
                f"{a} - {n}",
                f"{a} * {n}",
                f"{a} % {n}",
                f"len({xs})",
                f"sum({xs})",
                f"max({a}, {b})",
                f"abs({a} - {b})",
            ]
            + [f"{xs}.count({a})", f"int({a} / {n})", f"{a} // {n} + {b}", f"min({a}, {n})", f"sum(map(abs, {xs}))"]
        )

    def plain_test(self, scope: Scope) -> str:
        a, b, xs = self.rng.choice(scope.numbers), self.atom(scope), self.rng.choice(scope.lists)
        n = self.rng.randint(2, 9)
        return self.rng.choice(
            [f"{a} > {b}", f"{a} <= {b}", f"{a} % {n} == {self.rng.randint(0, n - 1)}", f"{a} in {xs}", f"not {xs}", f"{a} != {b}"]
            + [f"0 <= {a} < {n * 7}", f"len({xs}) > {n}", f"{a} is not None", f"isinstance({a}, int)", f"not {a} < {b}"]
        )

    # Expressions that may spend: text and what it cost, at most `spare`.

    def test(self, scope: Scope, spare: int) -> tuple[str, int]:
        cost = min(spare, self.rng.choice([0, 0, 0, 1, 1, 2]))
        first, second, third = (self.plain_test(scope) for _ in range(3))
        if cost == 0:
            return first, 0
        if cost == 1:
            return self.rng.choice([f"{first} and {second}", f"{first} or {second}", f"not ({first} or {second})"]), 1
        return self.rng.choice(
            [f"{first} and {second} and {third}", f"{first} and {second} or {third}", f"({first} or {second}) and {third}"]
        ), 2

    def costly_number(self, scope: Scope, spare: int) -> tuple[str, int]:
        """A number that spends between 1 and `spare`."""
        a, b, c = (self.atom(scope) for _ in range(3))
        xs, test = self.rng.choice(scope.lists), self.plain_test(scope)
        n = self.rng.randint(2, 9)
        options = [
            (f"{a} if {test} else {b}", 1),
            (f"sum(v * {n} for v in {xs})", 1),
            (f"len({{v % {n} for v in {xs}}})", 1),
            (f"max([v - {a} for v in {xs}], default={c})", 1),
            (f"(lambda v: v - {n} if v > {a} else v + {b})({c})", 1),
            (f"int({test} or {a} == {b})", 1),
        ]
        if spare >= 2:
            options += [
                (f"sum(v for v in {xs} if v > {a})", 2),
                (f"len([v for v in {xs} if v % {n}]) + {a}", 2),
                (f"{a} if {test} else {b} if {c} else {n}", 2),
                (f"sum(v * w for v in {xs} for w in range({n}))", 2),
                (f"len({{v: k for k, v in enumerate({xs}) if k != {a}}})", 2),
                (f"max({xs}, key=lambda v: v if v > {a} and v != {b} else {c}, default=0)", 2),
            ]
        if spare >= 3:
            options += [
                (f"sum(v - w for v in {xs} if v for w in {xs} if w)", 4),
                (f"len([v for v in {xs} if v > {a} if v < {b} + 60])", 3),
                (f"len([v if v > {n} else {c} for v in {xs} if v])", 3),
                (f"sum(1 for v in {xs} if v > {a} or v == {b})", 3),
            ]
        if scope.is_async and spare >= 2:
            options += [(f"len([v async for v in stream({xs}) if v > {a}])", 2)] * 12
        return self.rng.choice([option for option in options if option[1] <= spare])

    # Statements that decide nothing.

    def filler(self, scope: Scope) -> tuple[list[str], Scope]:
        """One or two plain statements, and the scope after them."""
        xs = self.rng.choice(scope.lists)
        choice = 9 if scope.is_async and self.flip(0.3) else self.rng.randint(0, 9)
        if choice <= 3:
            name = self.fresh(LOCALS)
            return [f"{name} = {self.plain_number(scope)}"], replace(scope, numbers=(*scope.numbers, name))
        if choice == 4:
            return [f"{scope.numbers[-1]} += {self.plain_number(scope)}"], scope
        if choice == 5:
            name = self.fresh(LISTS)
            ordering = self.rng.choice(
                [f"sorted({xs}, key=lambda v: -v)", f"list(reversed({xs}))", f"list(map(abs, {xs}))", f"{xs}[:]"]
            )
            return [f"{name} = {ordering}"], replace(scope, lists=(*scope.lists, name))
        if choice == 6:
            manager = self.rng.choice(["contextlib.suppress(ValueError)", "contextlib.nullcontext()", "decimal.localcontext()"])
            return [f"with {manager}:", f"    {scope.numbers[-1]} = {self.plain_number(scope)}"], scope
        if choice == 7:
            return [
                "try:",
                f"    {scope.numbers[-1]} -= {self.plain_number(scope)}",
                "finally:",
                f"    {xs}.append({self.atom(scope)})",
            ], scope
        if choice == 8:
            name = self.fresh(LOCALS)
            return [f"{name} = (lambda v, w={self.atom(scope)}: v * w)({self.atom(scope)})"], replace(
                scope, numbers=(*scope.numbers, name)
            )
        if scope.is_async:
            return self.rng.choice(
                [["await asyncio.sleep(0)"], ["async with asyncio.Lock():", f"    {xs}.append({self.atom(scope)})"]]
            ), scope
        return [f"{xs}.append({self.plain_number(scope)})"], scope

    def body(self, scope: Scope, budget: int, depth: int) -> list[str]:
        """Statements that together spend exactly `budget`."""
        return self.grow(scope, budget, depth)[0]

    def grow(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], Scope]:
        lines: list[str] = []
        while budget > 0:
            if self.flip(0.45):
                added, scope = self.filler(scope)
                lines += added
            if self.flip(0.3):
                name = self.fresh(LOCALS)
                text, spent = self.costly_number(scope, budget)
                lines.append(f"{name} = {text}")
                scope = replace(scope, numbers=(*scope.numbers, name))
            else:
                added, spent = self.rng.choice(self.makers(scope, budget, depth))(scope, budget, depth)
                lines += added
            assert 0 < spent <= budget
            budget -= spent
        if not lines or self.flip(0.25):
            added, scope = self.filler(scope)
            lines += added
        return lines, scope

    # Statement makers: lines and what they spent, between 1 and `budget`.

    def makers(self, scope: Scope, budget: int, depth: int) -> list[Maker]:
        makers = [self.assertion]
        if depth < 3:
            makers += [
                self.branch,
                self.branch,
                self.branch,
                self.for_loop,
                self.for_loop,
                self.while_loop,
                self.attempt,
                self.matching,
            ]
        else:
            makers += [self.guard, self.guard]
        return makers

    def inner(self, scope: Scope, spare: int, depth: int) -> tuple[list[str], int]:
        budget = self.rng.randint(0, min(spare, 3)) if self.flip(0.7) else 0
        return indent(self.body(scope, budget, depth + 1)), budget

    def guard(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        test, cost = self.test(scope, budget - 1)
        return [f"if {test}:", f"    {scope.numbers[-1]} += {self.atom(scope)}"], 1 + cost

    def assertion(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        # radon does not look inside an assert: its boolean operators and comprehensions are free.
        test = self.rng.choice(
            [
                self.plain_test(scope),
                f"{self.plain_test(scope)} or {self.plain_test(scope)}",
                f"all(v is not None for v in {scope.lists[0]})",
            ]
        )
        return [f"assert {test}" + self.rng.choice(["", ', "broken input"'])], 1

    def branch(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        lines, spent, keyword = [], 0, "if"
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            if spent == budget:
                break
            test, cost = self.test(scope, budget - spent - 1)
            spent += 1 + cost
            block, cost = self.inner(scope, budget - spent, depth)
            spent += cost
            lines += [f"{keyword} {test}:", *block]
            keyword = "elif"
        if self.flip(0.45):
            block, cost = self.inner(scope, budget - spent, depth)
            spent += cost
            lines += ["else:", *block]
        return lines, spent

    def for_loop(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        name, xs = self.fresh(["value", "entry", "cell", "token", "index"]), self.rng.choice(scope.lists)
        looped = replace(scope, numbers=(*scope.numbers, name), in_loop=True)
        if scope.is_async and self.flip(0.8):
            head = f"async for {name} in stream({xs}):"
        else:
            head = f"for {name} in {self.rng.choice([xs, f'range({self.atom(scope)})', f'reversed({xs})', f'{xs}[1:]'])}:"
        return self.looping(head, scope, looped, budget, depth)

    def while_loop(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        test, cost = self.test(scope, budget - 1)
        lines, spent = self.looping(f"while {test}:", scope, replace(scope, in_loop=True), budget - cost, depth)
        return lines, spent + cost

    def looping(self, head: str, scope: Scope, looped: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        spent = 1
        block, cost = self.inner(looped, budget - spent, depth)
        spent += cost
        lines = [head, *block]
        if self.flip(0.3):
            lines.append(f"    {self.rng.choice(['break', 'continue'])}")
        if spent < budget and self.flip(0.3):
            spent += 1
            block, cost = self.inner(scope, budget - spent, depth)
            spent += cost
            lines += ["else:", *block]
        return lines, spent

    def attempt(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        spent = 1
        block, cost = self.inner(scope, budget - spent, depth)
        spent += cost
        lines = ["try:", *block]
        errors = ["ValueError", "(TypeError, KeyError)", "ZeroDivisionError", "IndexError"]
        self.rng.shuffle(errors)
        for at in range(self.rng.choice([1, 2, 2])):
            if at and spent == budget:
                break
            spent += at
            name = " as error" if self.flip(0.3) else ""
            lines += [f"except {errors[at]}{name}:", f"    {scope.numbers[-1]} = {self.atom(scope)}"]
        if spent < budget and self.flip(0.4):
            spent += 1
            lines += ["else:", f"    {scope.numbers[-1]} += {self.atom(scope)}"]
        if self.flip(0.35):
            block, cost = self.inner(scope, budget - spent, depth)
            spent += cost
            lines += ["finally:", *block]
        return lines, spent

    def matching(self, scope: Scope, budget: int, depth: int) -> tuple[list[str], int]:
        a, target = self.rng.choice(scope.numbers), scope.numbers[-1]
        sequence = self.flip(0.4)
        subject = f"{self.rng.choice(scope.lists)}[:2]" if sequence else f"{a} % {self.rng.randint(4, 9)}"
        patterns = ["[]", "[_]", "[0, _]", "[_, 0 | 1]"] if sequence else ["0", "1 | 2", "3", "int() as code"]
        lines, spent = [f"match {subject}:"], 0
        for pattern in patterns[: self.rng.randint(1, len(patterns))]:
            if spent == budget:
                break
            spent += 1
            guard = ""
            if self.flip(0.25):
                text, cost = self.test(scope, budget - spent)
                guard, spent = f" if {text}", spent + cost
            lines += [f"    case {pattern}{guard}:", f"        {target} = {self.plain_number(scope)}"]
        if self.flip(0.65):
            lines += [f"    case {self.rng.choice(['_', '_', 'other'])}:", f"        {target} -= 1"]
        return lines, spent

    # Statements with a decision at one place.

    def choice_of_two(self, scope: Scope) -> str:
        """A conditional expression in brackets, without quotes or braces: one decision that may stand anywhere."""
        return f"({self.atom(scope)} if {self.plain_test(scope)} else {self.atom(scope)})"

    def planted(self, scope: Scope, budget: int) -> tuple[list[str], int]:
        """The statement of `PLANTS` that is due here, if any, and what it spends."""
        kind, self.plant = self.plant, ""
        if not kind:
            return [], 0
        least, text = PLANTS[kind]
        spare = budget - least
        either, test, plain = self.choice_of_two(scope), self.plain_test(scope), self.plain_number(scope)
        xs, target, a, n = self.rng.choice(scope.lists), scope.numbers[-1], self.atom(scope), str(self.rng.randint(2, 9))
        name, each = self.fresh(LOCALS), self.fresh(["value", "entry", "cell", "token", "index"])
        loop = replace(scope, numbers=(*scope.numbers, each), in_loop=True)
        fixed = {
            "either": either,
            "test": test,
            "plain": plain,
            "xs": xs,
            "target": target,
            "a": a,
            "n": n,
            "name": name,
            "each": each,
        }

        def body(scope: Scope) -> list[str]:
            """A body that spends one decision, which the plant's price holds, and part of what is spare."""
            nonlocal spare
            more = self.rng.randint(0, min(spare, 2))
            spare -= more
            return self.body(scope, 1 + more, 1)

        places = Drawn({place: lambda value=value: value for place, value in fixed.items()})
        places["another_test"] = lambda: self.plain_test(scope)
        places["rest_or_any"] = lambda: self.rng.choice(["rest", "_"])
        places["any_or_rest"] = lambda: self.rng.choice(["_", "rest"])
        blocks: dict[str, Callable[[], list[str]]] = {
            "{body}": lambda: body(scope),
            "{body_of_loop}": lambda: body(loop),
            "{function}": lambda: self.busy_closure(scope),
            "{async_function}": lambda: self.busy_closure(scope, is_async=True),
            "{class}": lambda: self.class_block(self.class_name(), [self.helper_name("")]),
        }
        lines: list[str] = []
        for line in text.split("\n"):
            block = blocks.get(line.strip())
            margin = line[: len(line) - len(line.lstrip())]
            lines += [margin + part if part else part for part in block()] if block else [line.format_map(places)]
        return lines, budget - spare

    def busy_closure(self, scope: Scope, is_async: bool = False) -> list[str]:
        """A nested function with decisions of its own."""
        name = self.fresh(["inner", "visit", "update", "emit", "relax"])
        own = Scope(("v", "limit"), (scope.lists[0],))
        lines = [f"if {self.plain_test(own)}:", *self.inner(own, 3, 1)[0], f"return v if v else {self.rng.randint(1, 9)}"]
        head = f"{'async ' * is_async}def {name}(v: int, bound: int = 7 if DEBUG else 70) -> int:"
        return [head, *indent(lines), f"total += {'await ' * is_async}{name}(limit)"]

    # Definitions.

    def docstring(self, name: str) -> list[str]:
        words = name.strip("_").replace("_", " ").capitalize()
        extra = self.rng.sample(PURPOSES, self.rng.randint(0, 2))
        if not extra:
            return [f'"""{words}."""']
        return [f'"""{words}.', "", *extra, '"""']

    def decorators(self) -> list[str]:
        return self.rng.choice(
            [
                [],
                [],
                [],
                [],
                ["@traced"],
                ["@functools.lru_cache(maxsize=None if DEBUG else 64)"],
                ["@retry(on=[E for E in (ValueError, KeyError) if E], times=3)"],
                ["@traced", "@retry(times=2 if DEBUG else 5)"],
            ]
        )

    def function(
        self,
        name: str,
        complexity: int,
        *,
        owner: str | None = None,
        is_async: bool = False,
        closures: int = 0,
        local_class: bool = False,
        decorate: bool = True,
    ) -> list[str]:
        """A definition whose own complexity is `complexity`, whatever its closures, local classes, defaults and decorators hold."""
        params = ["values: list[int]"]
        params += [self.rng.choice(["limit: int = 10", "limit: int = 5 if DEBUG else 50", "limit: int = DEBUG and 3 or 12"])]
        numbers, lists = ["limit", "total"], ["values"]
        lead = ["total = 0"]
        receiver = [] if owner is None else ["self"]
        if owner is not None and self.flip(0.6):
            lead.append(self.rng.choice(["base = self.size", "base = self.floor + len(values)"]))
            numbers.append("base")
        scope = Scope(tuple(numbers), tuple(lists), is_async)
        budget = complexity - 1
        planted, spent = self.planted(scope, budget)
        budget -= spent
        first = self.rng.randint(0, budget) if closures or local_class else budget
        lines = self.docstring(name) if self.flip(0.7) else []
        lines += lead
        early = self.flip(0.5)
        if early:
            lines += planted
        grown, scope = self.grow(scope, first, 0)
        lines += grown
        for _ in range(closures):
            lines += self.closure(scope)
        if local_class:
            lines += ["", *self.class_block(self.class_name(), [self.helper_name(name)]), ""]
        if budget > first or not grown:
            grown, scope = self.grow(scope, budget - first, 0)
            lines += grown
        if not early:
            lines += planted
        lines += self.rng.choice(
            [["return total"], [f"return {self.plain_number(scope)}"], [f"total += {scope.numbers[-1]}", "return total"]]
        )
        head = f"{'async ' * is_async}def {name}({', '.join(receiver + params)}) -> int:"
        return [*(self.decorators() if decorate else []), head, *indent(lines)]

    def closure(self, scope: Scope) -> list[str]:
        """A nested function, one time in four with one of its own inside, and a use of it."""
        name = self.fresh(["inner", "visit", "update", "emit", "relax"])
        is_async = scope.is_async and self.flip(0.4)
        own = Scope(("v", "limit"), (scope.lists[0],), is_async)
        nested = self.closure(own) if self.flip(0.25) else []
        lines = [*nested, *self.body(own, self.rng.randint(0, 6), 1), f"return v + {self.rng.randint(1, 9)}"]
        params = self.rng.choice(["v: int", "v: int", "v: int, bound: int = 7 if DEBUG else 70"])
        decorator = self.rng.choice([[], [], ["@traced"], ["@retry(times=2 if DEBUG else 5)"]])
        head = f"{'async ' * is_async}def {name}({params}) -> int:"
        return [*decorator, head, *indent(lines), f"total += {'await ' * is_async}{name}(limit)"]

    def class_block(self, name: str, methods: list[str], *, inside: list[str] | None = None) -> list[str]:
        """A class with an initialiser and helper methods of any complexity; `inside` stands among them."""
        blocks = [
            ["def __init__(self, size: int = 4) -> None:", *indent(["self.size = size", "self.floor = size if size > 0 else 0"])]
        ]
        blocks += [self.function(method, self.rng.randint(1, 11), owner=name, decorate=False) for method in methods]
        if self.flip(0.3):
            getter = ["@property", "def floor_size(self) -> int:", "    return self.floor or self.size"]
            blocks.append(getter)
        if inside is not None:
            blocks.insert(self.rng.randint(1, len(blocks)), inside)
        lines: list[str] = []
        for block in blocks:
            lines += [*block, ""]
        return [f"class {name}:", *indent(lines[:-1])]


Blocks = list[list[str]]


def _single(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    return name, [grower.function(name, complexity)]


def _helpers(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    blocks = [grower.function(name, complexity)]
    for _ in range(grower.rng.randint(1, 3)):
        if grower.flip(0.2):
            block = grower.class_block(grower.class_name(), [grower.helper_name(name)])
        elif grower.flip(0.15):
            # A closure elsewhere that bears the entry point's name.
            holder = ["total = 0", *grower.function(name, grower.rng.randint(1, 9), decorate=False), f"return {name}([limit])"]
            block = [f"def {grower.helper_name(name)}(limit: int = 3) -> int:", *indent(holder)]
        else:
            block = grower.function(grower.helper_name(name), grower.rng.randint(1, 12))
        blocks.insert(grower.rng.randint(0, len(blocks)), block)
    return name, blocks


def _closures(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    blocks = [grower.function(name, complexity, closures=grower.rng.randint(1, 3))]
    if grower.flip(0.3):
        blocks.insert(grower.rng.randint(0, 1), grower.function(grower.helper_name(name), grower.rng.randint(1, 10)))
    return name, blocks


def _local_class(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    return name, [grower.function(name, complexity, local_class=True)]


def _async(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    blocks = [grower.function(name, complexity, is_async=True, closures=int(grower.flip(0.2)))]
    if grower.flip(0.5):
        helper = grower.function(grower.helper_name(name), grower.rng.randint(1, 10), is_async=grower.flip(0.5))
        blocks.insert(grower.rng.randint(0, 1), helper)
    return name, blocks


def _method(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    owner = grower.class_name()
    entry = grower.function(name, complexity, owner=owner, is_async=grower.flip(0.15), closures=int(grower.flip(0.2)))
    blocks = [grower.class_block(owner, [grower.helper_name(name) for _ in range(grower.rng.randint(0, 3))], inside=entry)]
    blocks += _namesakes(grower, name, [0.65, 0.5])
    grower.rng.shuffle(blocks)
    if grower.flip(0.6):
        _beside(grower, blocks, owner, name, complexity, "class")
    return f"{owner}.{name}", blocks


def _inner_method(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    outer, inner = grower.class_name(), grower.class_name()
    entry = grower.function(name, complexity, owner=inner)
    inner_block = grower.class_block(inner, [grower.helper_name(name)] * grower.flip(0.5), inside=entry)
    methods = [name] if grower.flip(0.5) else [grower.helper_name(name)]
    blocks = [grower.class_block(outer, methods, inside=inner_block)]
    blocks += _namesakes(grower, name, [0.5, 0.4])
    grower.rng.shuffle(blocks)
    if grower.flip(0.5):
        blocks.insert(grower.rng.randint(0, len(blocks)), _other_class(grower, inner, name, complexity))
        grower.which.add("inner class of that name at the top level")
    _beside(grower, blocks, inner, name, complexity, "inner class")
    return f"{outer}.{inner}.{name}", blocks


def _other_class(grower: Grower, owner: str, name: str, complexity: int) -> list[str]:
    """A class of that name whose method of that name has another complexity."""
    return grower.class_block(owner, [], inside=grower.function(name, grower.other_than(complexity), owner=owner, decorate=False))


def _beside(grower: Grower, blocks: Blocks, owner: str, name: str, complexity: int, what: str) -> None:
    """Put a class of the same name and with the same method inside another class, before or after all the rest."""
    block = grower.class_block(grower.class_name(), [], inside=_other_class(grower, owner, name, complexity))
    after = grower.flip(0.5)
    blocks.insert(len(blocks) if after else 0, block)
    grower.which.add(f"{what} of that name inside another, {'after' if after else 'before'}")


def _namesakes(grower: Grower, name: str, chances: list[float]) -> Blocks:
    """A function and another class's method with the entry point's last name, each with its chance."""
    blocks = []
    if grower.flip(chances[0]):
        blocks.append(grower.function(name, grower.rng.randint(1, 11)))
    if grower.flip(chances[1]):
        blocks.append(grower.class_block(grower.class_name(), [name]))
    return blocks


def _stubs(grower: Grower, name: str, receiver: str) -> list[str]:
    lines = []
    for kind in grower.rng.sample(["list[int]", "tuple[int, ...]", "range"], 2):
        lines += ["@overload", f"def {name}({receiver}values: {kind}, limit: int = ...) -> int: ...", ""]
    return lines


def _overloaded(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    blocks = [[*_stubs(grower, name, ""), *grower.function(name, complexity)]]
    if grower.flip(0.4):
        blocks.insert(grower.rng.randint(0, 1), grower.function(grower.helper_name(name), grower.rng.randint(1, 10)))
    return name, blocks


def _overloaded_method(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    owner = grower.class_name()
    entry = [*_stubs(grower, name, "self, "), *grower.function(name, complexity, owner=owner)]
    return f"{owner}.{name}", [grower.class_block(owner, [grower.helper_name(name)], inside=entry)]


Assembler = Callable[[Grower, str, int], tuple[str, Blocks]]


def _earlier(grower: Grower, complexity: int, larger: bool) -> int:
    """The complexity of a definition that a later one of `complexity` replaces."""
    return complexity + grower.rng.randint(1, 5) if larger else grower.rng.randint(1, complexity - 1)


def _redefined(larger: bool) -> Assembler:
    def assemble(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
        last = grower.function(name, complexity)
        blocks = [grower.function(name, _earlier(grower, complexity, larger)), last]
        grower.which.add(f"{'larger' if larger else 'smaller'} definition before")
        if grower.flip(0.5):
            blocks.insert(grower.rng.randint(0, 2), grower.function(grower.helper_name(name), grower.rng.randint(1, 10)))
        return name, blocks

    return assemble


def _redefined_method(larger: bool) -> Assembler:
    def assemble(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
        owner = grower.class_name()
        last = grower.function(name, complexity, owner=owner)
        first = grower.function(name, _earlier(grower, complexity, larger), owner=owner)
        grower.which.add(f"{'larger' if larger else 'smaller'} method before")
        return f"{owner}.{name}", [grower.class_block(owner, [grower.helper_name(name)], inside=[*first, "", *last])]

    return assemble


def _replaced(what: str) -> Assembler:
    """A class on the path is defined again further down, and the method in both."""

    def assemble(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
        outer, owner = grower.class_name(), grower.class_name()
        entry = grower.function(name, complexity, owner=owner)
        last = grower.class_block(owner, [grower.helper_name(name)] * grower.flip(0.5), inside=entry)
        first = _other_class(grower, owner, name, complexity)
        grower.which.add(f"{what} replaced")
        if what == "class":
            return f"{owner}.{name}", [first, last]
        if what == "outer class":
            return f"{outer}.{owner}.{name}", [grower.class_block(outer, [], inside=block) for block in (first, last)]
        return f"{outer}.{owner}.{name}", [grower.class_block(outer, [], inside=[*first, "", *last])]

    return assemble


ASSEMBLERS = {
    "single": _single,
    "helpers": _helpers,
    "closures": _closures,
    "local_class": _local_class,
    "async": _async,
    "method": _method,
    "inner_method": _inner_method,
    "overloaded": _overloaded,
    "overloaded_method": _overloaded_method,
    "larger_before": _redefined(larger=True),
    "smaller_before": _redefined(larger=False),
    "larger_method_before": _redefined_method(larger=True),
    "smaller_method_before": _redefined_method(larger=False),
    "class_replaced": _replaced("class"),
    "outer_class_replaced": _replaced("outer class"),
    "inner_class_replaced": _replaced("inner class"),
}

DEFINITIONS = {
    "traced": ["def traced(function):", "    return function"],
    "retry": ["def retry(times=1, on=(Exception,)):", "    return lambda function: function"],
    "stream": ["async def stream(values):", "    for value in values:", "        yield value"],
}
MODULES = ["asyncio", "contextlib", "decimal", "functools"]


def _module(rng: random.Random, blocks: Blocks) -> str:
    """One source text: the imports and small definitions that its blocks mention, then the blocks."""
    text = "\n".join(line for block in blocks for line in block)
    head = [f"import {module}" for module in MODULES if f"{module}." in text]
    if "@overload" in text:
        head.append("from typing import overload")
    if "DEBUG" in text:
        head += ["", f"DEBUG = {rng.choice(['False', 'True'])}"]
    definitions = [lines for name, lines in DEFINITIONS.items() if re.search(rf"@{name}\b|\b{name}\(", text)]
    parts = ["\n".join(head).lstrip("\n")] if head else []
    parts += ["\n".join(block).rstrip() for block in [*definitions, *blocks]]
    return "\n\n\n".join(parts) + "\n"


def _garble(rng: random.Random, source: str) -> str:
    """The same source with a remark in an old encoding, read as UTF-8 all the same: its bytes became halves of characters."""
    lines = source.rstrip("\n").split("\n")
    at = rng.choice([at for at, line in enumerate(lines) if line.lstrip().startswith("return ")])
    lines[at] += "  # " + rng.choice(["r\udce9sultat", "L\udce4nge", "a\udcf1o", "d\udce9j\udce0 vu"])
    return "\n".join(lines) + "\n"


def _break(rng: random.Random, source: str) -> str:
    """The same source as it looks when it cannot be parsed: cut off, or written for Python 2."""
    lines = source.rstrip("\n").split("\n")
    colons = [
        at for at, line in enumerate(lines) if line.endswith(":") and line.lstrip().startswith(("def ", "for ", "if ", "while "))
    ]
    returns = [at for at, line in enumerate(lines) if line.lstrip().startswith("return ") and not lines[at - 1].endswith(":")]
    at = rng.choice(returns)
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    how = rng.randint(0, 4)
    if how == 0:
        lines.insert(at, margin + 'print "total so far", total')
    elif how == 1:
        at = rng.choice(colons)
        lines[at] = lines[at][:-1]
    elif how == 2:
        lines = [*lines[:at], margin + "return sum(values, max(limit,"]
    elif how == 3:
        lines[at] = margin + "if total <> limit: return `total`"
    else:
        lines[at] = margin + "  " + lines[at].lstrip()
    return "\n".join(lines) + "\n"
