"""Is a task fit to judge with? Lint, gold, alternatives, near misses, the unchanged code and cheats, over held-out variants."""

from dataclasses import dataclass, replace
from typing import Literal

from rexbench.evaluation.controls import generic_attacks, unchanged
from rexbench.evaluation.evaluate import live_gold
from rexbench.evaluation.execute import Bench
from rexbench.evaluation.parallel import Work
from rexbench.record.model import Evaluation, Execution
from rexbench.task.folder import Task

Kind = Literal["gold", "alternative", "near miss", "unchanged", "nop", "attack", "other seed"]
MUST_PASS: frozenset[Kind] = frozenset({"gold", "alternative", "other seed"})
LEAST_ACCEPTED_SEEDS = 0.95


@dataclass(frozen=True)
class Candidate:
    """A patch of the task's own, and what must become of it."""

    kind: Kind
    name: str
    patch: bytes

    @property
    def must_pass(self) -> bool:
        return self.kind in MUST_PASS


@dataclass(frozen=True)
class CheckRow:
    """One candidate over all variants."""

    kind: Kind
    name: str
    expected: str
    """"all" or "none" of the evaluations accepted."""
    accepted: int
    evaluations: int
    outcomes: dict[str, int]
    seconds: float
    """Slowest run."""
    passed: bool


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


def candidates(task: Task, bench: Bench) -> list[Candidate]:
    """Everything that the task is tried with; runs gold once on the public variant to arm the attacks."""
    vault = task.vault
    public = live_gold(task, 0, bench)
    attacks = generic_attacks(task, bench.store.execution_folder(public.key) / "artefacts")
    return [
        Candidate("gold", "gold", vault.gold),
        *(Candidate("alternative", name, patch) for name, patch in vault.alternatives.items()),
        *(Candidate("near miss", name, patch) for name, patch in vault.near_misses.items()),
        Candidate("unchanged", "unchanged", unchanged(task)),
        Candidate("nop", "nop", b""),
        *(Candidate("attack", name, patch) for name, patch in attacks.items()),
    ]


def plan(task: Task, tried: list[Candidate], seeds: list[int], training_seeds: int, base: Work) -> list[Work]:
    """The evaluations to make: gold's references first, since every other one waits for them."""
    works = [replace(base, label=f"reference on {seed}", patch=None, seed=seed) for seed in seeds]
    for candidate in tried:
        works += [replace(base, label=candidate.name, patch=candidate.patch, seed=seed) for seed in seeds]
    if training_seeds and task.spec.experiment.seed_variable:
        gold = task.vault.gold
        works += [
            replace(base, label="other seed", patch=gold, seed=seeds[0], training_seed=1000 + at) for at in range(training_seeds)
        ]
    return works


def summarise_check(tried: list[Candidate], works: list[Work], results: list[Evaluation | Execution]) -> list[CheckRow]:
    """One row per candidate, in their order, then gold under other training seeds."""
    made: dict[str, list[Evaluation]] = {}
    for work, result in zip(works, results, strict=True):
        if isinstance(result, Evaluation):
            made.setdefault(work.label, []).append(result)
    rows = [_row(candidate.kind, candidate.name, made[candidate.name]) for candidate in tried]
    if "other seed" in made:
        rows.append(_row("other seed", "gold, other training seeds", made["other seed"]))
    return rows


def determinism(task: Task, works: list[Work], results: list[Evaluation | Execution]) -> Determinism:
    """How often gold handed in gave exactly live gold's metrics."""
    golds = [result for work, result in zip(works, results, strict=True) if work.label == "gold" and isinstance(result, Evaluation)]
    identical = sum(bool(run.metrics) and all(metric.value == metric.gold for metric in run.metrics) for run in golds)
    return Determinism(identical, len(golds), any(metric.kind == "noisy" for metric in task.spec.metrics))


def _row(kind: Kind, name: str, evaluations: list[Evaluation]) -> CheckRow:
    accepted = sum(evaluation.outcome == "success" for evaluation in evaluations)
    outcomes: dict[str, int] = {}
    for evaluation in evaluations:
        outcomes[evaluation.outcome] = outcomes.get(evaluation.outcome, 0) + 1
    if kind == "other seed":
        passed = accepted >= LEAST_ACCEPTED_SEEDS * len(evaluations)
    elif kind in MUST_PASS:
        passed = accepted == len(evaluations)
    else:
        passed = accepted == 0 and "system_fault" not in outcomes
    expected = "all" if kind in MUST_PASS else "none"
    slowest = max((evaluation.seconds for evaluation in evaluations), default=0.0)
    return CheckRow(kind, name, expected, accepted, len(evaluations), outcomes, slowest, passed and bool(evaluations))
