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
    "single": 28,
    "helpers": 30,
    "closures": 20,
    "local_class": 9,
    "async": 12,
    "method": 22,
    "inner_method": 6,
    "overloaded": 8,
    "overloaded_method": 6,
}
"""How many parsable problems are of this kind; the sum is that of COMPLEXITIES."""

UNPARSABLE = 10

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
    "plain guard": lambda n: isinstance(n, ast.match_case) and n.guard is not None and not _holds(n.guard, OPERATOR),
    "guard with an operator": lambda n: isinstance(n, ast.match_case) and n.guard is not None and _holds(n.guard, OPERATOR),
    "assert": lambda n: isinstance(n, ast.Assert),
    "operator in an assert": lambda n: isinstance(n, ast.Assert) and _holds(n, OPERATOR),
    "with": lambda n: isinstance(n, ast.With),
    "async with": lambda n: isinstance(n, ast.AsyncWith),
    "operator in a lambda": lambda n: isinstance(n, ast.Lambda) and _holds(n, OPERATOR),
    "decisions in a nested function": lambda n: isinstance(n, DEFINITION[:2]) and _holds(n, (ast.If, *OPERATOR)),
    "decisions in a nested class": lambda n: isinstance(n, ast.ClassDef) and _holds(n, (ast.If, *OPERATOR)),
}
AROUND = ("operator in a decorator", "operator in a default")
LEAST = 2
"""Entry points in which each of them must occur."""


def _holds(node: ast.AST, kinds: tuple[type, ...]) -> bool:
    return any(isinstance(inner, kinds) for inner in ast.walk(node))


def _catches(node: ast.Match, *names: str | None) -> bool:
    patterns = [case.pattern for case in node.cases]
    return any(isinstance(p, ast.MatchAs) and p.pattern is None and p.name in names for p in patterns)


def _constructs(problem: "Problem") -> set[str]:
    """Those of `CONSTRUCTS` that stand in the body of the entry point, none of which it shares with a definition inside."""
    scope: ast.AST = ast.parse(problem.source)
    for name in problem.entry_point.split("."):
        scope = [node for node in scope.body if isinstance(node, DEFINITION) and node.name == name][-1]  # type: ignore[attr-defined]
    assert isinstance(scope, DEFINITION[:2])
    found: set[str] = set()
    stack: list[ast.AST] = list(scope.body)
    while stack:
        node = stack.pop()
        found |= {name for name, holds in CONSTRUCTS.items() if holds(node)}
        if not isinstance(node, (*DEFINITION, ast.Assert)):
            stack += ast.iter_child_nodes(node)
    if any(_holds(node, OPERATOR) for node in scope.decorator_list):
        found.add(AROUND[0])
    if _holds(scope.args, OPERATOR):
        found.add(AROUND[1])
    return found


def _missing(problems: list["Problem"]) -> list[str]:
    found = [name for problem in problems if not problem.broken for name in _constructs(problem)]
    return [name for name in (*CONSTRUCTS, *AROUND) if found.count(name) < LEAST]


@dataclass(frozen=True)
class Problem:
    problem_id: str
    entry_point: str
    source: str
    complexity: int
    hardness: float
    broken: bool
    """Whether the source does not parse."""


def _problems(rng: random.Random) -> list[Problem]:
    complexities = [value for value, count in COMPLEXITIES.items() for _ in range(count)]
    kinds = [kind for kind, count in KINDS.items() for _ in range(count)]
    assert len(complexities) == len(kinds)
    rng.shuffle(complexities)
    rng.shuffle(kinds)
    # An overloaded stub has complexity 1, so its implementation has to be told apart from it.
    for at, kind in enumerate(kinds):
        if kind.startswith("overloaded") and complexities[at] < 3:
            other = next(i for i, k in enumerate(kinds) if not k.startswith("overloaded") and complexities[i] >= 3)
            complexities[at], complexities[other] = complexities[other], complexities[at]
    plans = [(kind, value, False) for kind, value in zip(kinds, complexities, strict=True)]
    plans += [(rng.choice(["single", "helpers", "method"]), rng.randint(2, 12), True) for _ in range(UNPARSABLE)]
    rng.shuffle(plans)
    names = [f"{verb}_{noun}" for verb in VERBS for noun in NOUNS]
    rng.shuffle(names)
    problems = []
    for at, (kind, complexity, broken) in enumerate(plans):
        grower = Grower(rng)
        entry_point, blocks = ASSEMBLERS[kind](grower, names[at], complexity)
        source = _module(rng, blocks)
        if broken:
            source = _break(rng, source)
        problems.append(Problem(f"ETT_{at:03d}_{names[at]}", entry_point, source, complexity, rng.gauss(0, 0.5), broken))
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

    def fresh(self, pool: list[str]) -> str:
        stem = self.rng.choice(pool)
        count = self.used[stem] = self.used.get(stem, 0) + 1
        return stem if count == 1 else f"{stem}{count}"

    def flip(self, chance: float) -> bool:
        return self.rng.random() < chance

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
        first = self.rng.randint(0, budget) if closures or local_class else budget
        lines = self.docstring(name) if self.flip(0.7) else []
        lines += lead
        grown, scope = self.grow(scope, first, 0)
        lines += grown
        for _ in range(closures):
            lines += self.closure(scope)
        if local_class:
            lines += ["", *self.class_block(self.class_name(), [self.helper_name(name)]), ""]
        if budget > first or not grown:
            grown, scope = self.grow(scope, budget - first, 0)
            lines += grown
        lines += self.rng.choice(
            [["return total"], [f"return {self.plain_number(scope)}"], [f"total += {scope.numbers[-1]}", "return total"]]
        )
        head = f"{'async ' * is_async}def {name}({', '.join(receiver + params)}) -> int:"
        return [*(self.decorators() if decorate else []), head, *indent(lines)]

    def closure(self, scope: Scope) -> list[str]:
        """A nested function, one time in four with one of its own inside, and a use of it."""
        name = self.fresh(["inner", "visit", "update", "emit", "relax"])
        own = Scope(("v", "limit"), (scope.lists[0],))
        nested = self.closure(own) if self.flip(0.25) else []
        lines = [*nested, *self.body(own, self.rng.randint(0, 6), 1), f"return v + {self.rng.randint(1, 9)}"]
        return [f"def {name}(v: int) -> int:", *indent(lines), f"total += {name}(limit)"]

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
    return f"{owner}.{name}", blocks


def _inner_method(grower: Grower, name: str, complexity: int) -> tuple[str, Blocks]:
    outer, inner = grower.class_name(), grower.class_name()
    entry = grower.function(name, complexity, owner=inner)
    inner_block = grower.class_block(inner, [grower.helper_name(name)] * grower.flip(0.5), inside=entry)
    methods = [name] if grower.flip(0.5) else [grower.helper_name(name)]
    blocks = [grower.class_block(outer, methods, inside=inner_block)]
    blocks += _namesakes(grower, name, [0.5, 0.4])
    grower.rng.shuffle(blocks)
    return f"{outer}.{inner}.{name}", blocks


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
