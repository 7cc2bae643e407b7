"""Is a task fit to judge with? Lint, gold, alternatives, near misses, the unchanged code and cheats, over held-out variants."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rexbench.campaign.trials import Wanted, references
from rexbench.evaluation.controls import generic_attacks, unchanged
from rexbench.evaluation.evaluate import live_gold
from rexbench.evaluation.guards import mute_guards
from rexbench.record.model import Evaluation, Execution
from rexbench.record.store import Store
from rexbench.task.clauses import read_clauses
from rexbench.task.folder import Task
from rexbench.task.lint import Finding
from rexbench.workbench import Workbench

Kind = Literal["gold", "alternative", "near miss", "idea", "unchanged", "nop", "attack", "other seed"]
Tier = Literal["replication", "scored"]
MUST_PASS: frozenset[Kind] = frozenset({"gold", "alternative", "other seed"})
MANY: dict[Tier, tuple[Kind, ...]] = {"replication": ("near miss",), "scored": ("idea", "alternative")}
"""Kinds of which a sample may do. Alternatives of a scored task only have to run, which can take minutes each."""
LEAST_ACCEPTED_SEEDS = 0.95
OTHER_SEED = "other seed"
MOST_FOR_NOTHING = 0.02
"""What a cheat or the unchanged code may score: base itself, but for noise."""


@dataclass(frozen=True)
class Candidate:
    """A patch of the task's own, and what must become of it."""

    kind: Kind
    name: str
    patch: bytes


@dataclass(frozen=True)
class CheckRow:
    """One candidate over all variants."""

    kind: Kind
    name: str
    expected: str
    """"all" or "none" of the evaluations accepted; "run" where only the score is wanted."""
    accepted: int
    evaluations: int
    outcomes: dict[str, int]
    seconds: float
    """Slowest run."""
    passed: bool
    score: float | None = None
    """Mean over variants, of a scored task."""


@dataclass(frozen=True)
class Determinism:
    """Gold run twice on the same variant."""

    identical: int
    variants: int
    noisy: bool
    """Whether a difference is allowed at all."""

    @property
    def passed(self) -> bool:
        return self.identical == self.variants


@dataclass(frozen=True)
class Checked:
    """What a check of one task found."""

    task: str
    findings: tuple[Finding, ...]
    rows: tuple[CheckRow, ...]
    determinism: Determinism
    clauses: int
    """What the task's texts demand, requests left aside."""
    held: int
    """Those of which every near miss was tried and refused, on all variants."""

    @property
    def passed(self) -> bool:
        errors = any(finding.level == "error" for finding in self.findings)
        return not errors and all(row.passed for row in self.rows) and self.determinism.passed


def candidates(task: Task, bench: Workbench, fresh: bool = False) -> list[Candidate]:
    """Everything that the task is tried with; runs gold once on the public variant to arm the attacks."""
    vault = task.vault
    public = live_gold(task, 0, bench, fresh)
    attacks = generic_attacks(task, bench.store.execution_folder(public.key) / "artefacts", bench.home)
    return [
        Candidate("gold", "gold", vault.gold),
        *(Candidate("alternative", name, patch) for name, patch in vault.alternatives.items()),
        *(Candidate("near miss", name, patch) for name, patch in vault.near_misses.items()),
        *(Candidate("idea", name, patch) for name, patch in vault.ideas.items()),
        Candidate("unchanged", "unchanged", unchanged(bench.home)),
        Candidate("nop", "nop", b""),
        *(Candidate("attack", name, patch) for name, patch in vault.attacks.items()),
        *(Candidate("attack", name, patch) for name, patch in attacks.items()),
    ]


@dataclass(frozen=True)
class Sample:
    """All patches but those of which there are many, and so many of each kind of these."""

    count: int


def sampled(tier: Tier, tried: Sequence[Candidate], count: int, seeds: Sequence[int]) -> list[Candidate]:
    """A sample, drawn by the variants' seeds: a home draws the same one again."""
    left_out: set[Candidate] = set()
    for kind in MANY[tier]:
        of_kind = [candidate for candidate in tried if candidate.kind == kind]
        kept = random.Random(repr(list(seeds))).sample(of_kind, min(count, len(of_kind)))
        left_out |= set(of_kind) - set(kept)
    return [candidate for candidate in tried if candidate not in left_out]


def plan_check(task: Task, tried: Sequence[Candidate], seeds: Sequence[int], training_seeds: int) -> list[Wanted]:
    """The trials to make: gold's references first, since every other one waits for them."""
    wanted = references("reference", task, seeds)
    for candidate in tried:
        wanted += [Wanted(candidate.name, task, seed, candidate.patch) for seed in seeds]
    if training_seeds and task.spec.experiment.seed_variable:
        others = range(1000, 1000 + training_seeds)
        wanted += [Wanted(OTHER_SEED, task, seeds[0], task.vault.gold, training_seed=other) for other in others]
    return wanted


def mute_guard_findings(results: Sequence[Evaluation | Execution], store: Store) -> list[Finding]:
    """What guards of live gold and of the unchanged repository wrote that no mistake of a patch could change."""
    runs = [result for result in results if isinstance(result, Execution)]
    found = {sentence for run in runs for sentence in mute_guards(run, store.execution_folder(run.key))}
    return [Finding("error", "task.toml", sentence) for sentence in sorted(found)]


def check(
    task: Task,
    tried: Sequence[Candidate],
    findings: Sequence[Finding],
    wanted: Sequence[Wanted],
    results: Sequence[Evaluation | Execution],
) -> Checked:
    """What the results of a check say: one row per candidate, in their order, then gold under other training seeds."""
    made: dict[str, list[Evaluation]] = {}
    for one, result in zip(wanted, results, strict=True):
        if isinstance(result, Evaluation):
            made.setdefault(one.label, []).append(result)
    rows = [_row(candidate.kind, candidate.name, made.get(candidate.name, [])) for candidate in tried]
    if OTHER_SEED in made:
        rows.append(_row("other seed", "gold, other training seeds", made[OTHER_SEED]))
    golds = made.get("gold", [])
    identical = sum(_repeats(run) for run in golds)
    noisy = any(metric.kind == "noisy" for metric in task.spec.metrics)
    clauses = [clause for clause in read_clauses(task.vault.notes) if clause.judged]
    refused = {row.name for row in rows if row.kind == "near miss" and row.passed}
    held = sum(bool(clause.near_misses) and refused.issuperset(clause.near_misses) for clause in clauses)
    return Checked(task.id, tuple(findings), tuple(rows), Determinism(identical, len(golds), noisy), len(clauses), held)


def _repeats(gold: Evaluation) -> bool:
    """Whether gold handed in gave exactly live gold's numbers."""
    if gold.figure:
        return gold.figure.value == gold.figure.gold
    judged = [metric for metric in gold.metrics if metric.kind != "agreement"]
    return bool(judged) and all(metric.value == metric.gold for metric in judged)


def _row(kind: Kind, name: str, evaluations: list[Evaluation]) -> CheckRow:
    accepted = sum(evaluation.outcome == "success" for evaluation in evaluations)
    outcomes = dict(Counter(str(evaluation.outcome) for evaluation in evaluations))
    scores = [evaluation.score for evaluation in evaluations if evaluation.score is not None]
    score = sum(scores) / len(scores) if scores else None
    expected = "all" if kind in MUST_PASS else "none"
    if score is not None and kind in ("alternative", "idea"):
        expected, passed = "run", set(outcomes) <= {"success", "below_gold"}
    elif kind == "other seed":
        passed = accepted >= LEAST_ACCEPTED_SEEDS * len(evaluations)
    elif kind in MUST_PASS:
        passed = accepted == len(evaluations)
    else:
        passed = accepted == 0 and "system_fault" not in outcomes and (score is None or score <= MOST_FOR_NOTHING)
    slowest = max((evaluation.seconds for evaluation in evaluations), default=0.0)
    return CheckRow(kind, name, expected, accepted, len(evaluations), outcomes, slowest, passed and bool(evaluations), score)
