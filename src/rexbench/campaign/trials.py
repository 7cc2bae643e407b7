"""A list of trials as an undertaking: patches run on variants, with or without a verdict, and nothing of agents.

Evaluating a patch, the demo, a task's check and its calibration are such lists. Results are in the home's store as ever; the list
has a folder of its own, named by all that determines it, from which workers and nodes read what to do and into which they put
what came out. It is gone once everything is done; where the program was killed it is found again by the next one.

    plans/<digest>/trials.json, patches/<digest>.diff, results/<n>.json
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from rexbench.campaign.conduct import Observe, conduct
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.needs import evaluation_needs, largest, looked_at_anew
from rexbench.campaign.undertaking import Left, Needs, Standing, Step
from rexbench.digest import digest_bytes, digest_value
from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import evaluate, live_base, live_gold, system_fault
from rexbench.evaluation.execute import Trial, execute, program_digest
from rexbench.places import remove_tree
from rexbench.record.model import Evaluation, Execution, StepFault
from rexbench.task.folder import Task
from rexbench.task.verified import state_digest
from rexbench.workbench import Workbench

TRIALS = "trials.json"
Kind = Literal["evaluation", "execution", "reference", "base"]
Result = Evaluation | Execution


class TrialSpec(BaseModel):
    """One trial, as it travels."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    label: str
    """What progress and tables call it; several trials may share one."""
    task: str
    """What leads the suite to the task."""
    seed: int
    kind: Kind = "evaluation"
    """evaluation: judged against live gold; execution: run alone; reference: live gold itself; base: the unchanged repository."""
    patch: str = ""
    """Digest of the patch; empty for references."""
    training_seed: int | None = None


_RESULT: TypeAdapter[Result] = TypeAdapter(Evaluation | Execution)
_SPECS = TypeAdapter(tuple[TrialSpec, ...])


class Trials:
    """Trials that are made together."""

    retries = 2
    budget_usd = None

    def __init__(self, folder: Path, specs: Sequence[TrialSpec], fresh: bool) -> None:
        self.folder, self.specs, self.fresh = folder, tuple(specs), fresh

    def lay_down(self, patches: Sequence[bytes]) -> None:
        """Write the list where workers find it; results of a killed program that are there stay."""
        for part in ("patches", "results"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        for patch in patches:
            (self.folder / "patches" / f"{_patch_key(patch)}.diff").write_bytes(patch)
        content = {"fresh": self.fresh, "trials": [spec.model_dump() for spec in self.specs]}
        (self.folder / TRIALS).write_text(json.dumps(content), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> "Trials":
        told = json.loads((folder / TRIALS).read_bytes())
        return cls(folder, _SPECS.validate_python(told["trials"]), told["fresh"])

    @contextmanager
    def held(self) -> Iterator[None]:
        yield  # `make_trials` holds it from before the list is laid down until it is gone

    def sweep(self) -> None:
        pass

    def standing(self) -> Standing:
        found = {at: self.result(at) for at in range(len(self.specs))}
        missing = [self._step(at) for at, result in found.items() if result is None]
        return Standing(len(self.specs), missing, [Left(outcome=_outcome(result)) for result in found.values() if result])

    def left_by(self, step: Step) -> Left:
        result = self.result(step.number - 1)
        return Left(outcome=_outcome(result)) if result else Left(fault="the trial left no record")

    def again(self, step: Step) -> Step:
        return step

    def keep_fault(self, step: Step, fault: StepFault) -> None:
        pass  # told by whoever conducts; the list itself does not outlive its work

    def is_recorded(self, step: Step) -> bool:
        target = self._result(step.number - 1)
        return looked_at_anew(self.folder, target.parent) and target.exists()

    def needs(self, step: Step, bench: Workbench) -> Needs:
        return evaluation_needs(bench.suite.load(self.specs[step.number - 1].task), 1)

    def most_needed(self, bench: Workbench) -> Needs:
        return largest([evaluation_needs(bench.suite.load(name), 1) for name in {spec.task for spec in self.specs}])

    def perform(self, step: Step, bench: Workbench) -> None:
        at = step.number - 1
        if self.result(at) is not None:
            return
        spec = self.specs[at]
        task = bench.suite.load(spec.task)
        result = self._perform(spec, task, bench)
        if isinstance(result, Evaluation) and result.outcome == "system_fault":
            raise SystemFault(result.detail)
        draft = self._result(at).with_suffix(".new")
        draft.write_bytes(_RESULT.dump_json(result))
        draft.rename(self._result(at))

    def result(self, at: int) -> Result | None:
        """What came out of a trial; None while nothing has."""
        try:
            return _RESULT.validate_json(self._result(at).read_bytes())
        except FileNotFoundError:
            return None

    def results(self, given_up: dict[str, str], bench: Workbench) -> list[Result]:
        """What came out of each trial; a fault of ours where nothing did."""
        found: list[Result] = []
        for at, spec in enumerate(self.specs):
            result = self.result(at)
            if result is None:
                told = SystemFault(given_up.get(self._step(at).name, "it was not run"))
                result = system_fault(bench.suite.load(spec.task).id, spec.seed, told)
            found.append(result)
        return found

    def _perform(self, spec: TrialSpec, task: Task, bench: Workbench) -> Result:
        if spec.kind in ("reference", "base"):
            return (live_gold if spec.kind == "reference" else live_base)(task, spec.seed, bench, self.fresh)
        patch = (self.folder / "patches" / f"{spec.patch}.diff").read_bytes()
        trial = Trial(task, patch, spec.seed, training_seed=spec.training_seed)
        return execute(trial, bench, self.fresh) if spec.kind == "execution" else evaluate(trial, bench, self.fresh)

    def _step(self, at: int) -> Step:
        return Step(str(self.folder), f"{self.specs[at].label} ({at + 1})", "trial", at + 1)

    def _result(self, at: int) -> Path:
        return self.folder / "results" / f"{at}.json"


@dataclass(frozen=True)
class Wanted:
    """A trial that somebody wants made."""

    label: str
    """What progress and tables call it; several trials may share one."""
    task: Task
    seed: int
    patch: bytes = b""
    kind: Kind = "evaluation"
    training_seed: int | None = None


def references(label: str, task: Task, seeds: Sequence[int]) -> list[Wanted]:
    """What every evaluation on these seeds leans on, to be made first: live gold and, where needed, the unchanged repository."""
    kinds: tuple[Kind, ...] = ("reference", "base") if task.spec.needs_base else ("reference",)
    return [Wanted(label, task, seed, kind=kind) for seed in seeds for kind in kinds]


def make_trials(
    wanted: Sequence[Wanted], bench: Workbench, executor: Executor, observe: Observe, fresh: bool = False
) -> list[Result]:
    """Make these trials; results in the same order. What is on record is not made again, unless `fresh`.

    Whoever asks for the same trials at the same time waits, and then finds them on record.
    """
    specs = [_spec(one, bench) for one in wanted]
    with bench.home.lock(f"plan-{(name := _name(specs, wanted, bench, fresh))}"):
        trials = Trials(bench.home.make("plans") / name, specs, fresh)
        trials.lay_down([one.patch for one in wanted])
        progress = conduct(trials, executor, bench, observe)
        results = trials.results(progress.given_up, bench)
        remove_tree(trials.folder)
    return results


def _spec(one: Wanted, bench: Workbench) -> TrialSpec:
    patch = _patch_key(one.patch) if one.kind in ("evaluation", "execution") else ""
    address = bench.suite.address(one.task)
    return TrialSpec(label=one.label, task=address, seed=one.seed, kind=one.kind, patch=patch, training_seed=one.training_seed)


def _name(specs: Sequence[TrialSpec], wanted: Sequence[Wanted], bench: Workbench, fresh: bool) -> str:
    """Stands for all that determines what comes out."""
    states = {one.task.id: [state_digest(one.task), bench.machine(one.task)] for one in wanted}
    return digest_value([[spec.model_dump() for spec in specs], states, bench.settings.sandbox, program_digest(), fresh])[:32]


def _patch_key(patch: bytes) -> str:
    return digest_bytes(patch)[:32]


def _outcome(result: Result) -> str:
    return result.outcome if isinstance(result, Evaluation) else result.ending
