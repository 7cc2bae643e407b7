"""A patch, run on a variant: clean tree, patch, papers and old results gone, held-out data read-only, command, artefacts, judge.

Gold's run, the unchanged repository's and a submission's take exactly this way. Nothing here compares or decides; the ending says
how far it came.

Limits are CPU seconds of the whole process tree. A submission may use what task.toml allows, or `TIME_FACTOR` times what live gold
used on the same data on this machine where that is more: a slower processor gets more. What a scored task allows is part of what it
asks for; there it grows only where live gold is slower than when the task was calibrated, and in proportion. Gold itself and the
unchanged repository get `REFERENCE_FACTOR` times what task.toml allows, since they set the measure.
"""

from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from pathlib import Path

import rexbench
from rexbench.digest import digest_tree, digest_value
from rexbench.errors import PatchRejected, SystemFault
from rexbench.evaluation.claims import CLAIM, take_claim
from rexbench.evaluation.collect import collect_artefacts, wipe_artefacts
from rexbench.evaluation.failure import name_failure
from rexbench.evaluation.guards import FOLDER
from rexbench.evaluation.judging import Judged, judge
from rexbench.evaluation.reading import BrokenContract
from rexbench.places import remove_tree
from rexbench.record.clock import now
from rexbench.record.model import Claim, CollectedFile, Ending, Execution, GuardRun, Inputs, Role
from rexbench.sandbox.protocol import Finished, Job, ResourceLimits
from rexbench.task.folder import PAPERS, TRUTH, Task
from rexbench.task.schema import Guard
from rexbench.task.variants import Variant, make_variant
from rexbench.text import printable
from rexbench.workbench import Workbench
from rexbench.workspace.patch import EMPTY, PatchSummary, apply_patch, is_empty, patch_digest
from rexbench.workspace.tree import copy_repo

TIME_FACTOR = 5.0
REFERENCE_FACTOR = 4.0
QUESTIONS = "questions.jsonl"
"""What a run asked of its laboratory, in its record."""


@dataclass(frozen=True)
class Trial:
    """What is to be run."""

    task: Task
    patch: bytes
    seed: int
    role: Role = "submission"
    training_seed: int | None = None
    """None: the codebase's own default."""
    gold_seconds: float = 0.0
    """CPU seconds that live gold used on the same data here; 0 where that is not known."""

    @property
    def cpu_seconds(self) -> float:
        """What the experiment may use."""
        spec = self.task.spec
        allowed = spec.limits.seconds
        if self.role != "submission":
            return REFERENCE_FACTOR * allowed
        if spec.kind == "replication":
            return max(allowed, TIME_FACTOR * self.gold_seconds)
        usual = spec.calibration.gold_seconds if spec.calibration else self.gold_seconds
        return allowed * max(1.0, self.gold_seconds / usual) if usual else allowed


@dataclass
class _Progress:
    """What is known so far of an execution; becomes a record whatever happens next."""

    ending: Ending = "ran"
    detail: str = ""
    exception: str | None = None
    frame: str | None = None
    summary: PatchSummary = EMPTY
    claim: Claim | None = None
    finished: Finished | None = None
    artefacts: tuple[CollectedFile, ...] = ()
    judged: Judged | None = None
    guards: list[GuardRun] = field(default_factory=list)
    questions: int = 0


def execute(trial: Trial, bench: Workbench, fresh: bool = False) -> Execution:
    """The record of this patch on this variant, from the store or made now; `fresh` sets an old one aside and makes a new one."""
    inputs = execution_inputs(trial, bench)
    key = digest_value(inputs.model_dump())
    found = None if fresh else _on_record(key, trial.role, bench)
    if found:
        return found
    if trial.role == "submission":
        return _execute(trial, inputs, key, bench)
    with bench.home.lock(key[:32]):  # several workers wait for one reference rather than make it twice
        return (None if fresh else _on_record(key, trial.role, bench)) or _execute(trial, inputs, key, bench)


def _on_record(key: str, role: Role, bench: Workbench) -> Execution | None:
    """Gold that failed tells of the machine at that time, say of its load; whoever needs it next has it run again."""
    found = bench.store.find_execution(key)
    return None if found and role != "submission" and found.ending != "ran" else found


def execution_inputs(trial: Trial, bench: Workbench) -> Inputs:
    """All that determines an execution."""
    task = trial.task
    name = task.spec.environment
    return Inputs(
        task=task.id,
        task_digest=task.digest,
        patch_digest="" if is_empty(trial.patch) else patch_digest(trial.patch),
        variant_seed=trial.seed,
        training_seed=trial.training_seed,
        environment=name,
        environment_digest=bench.sandbox.runtime(name),
        sandbox=bench.sandbox.name,
        machine=bench.machine(task),
        role=trial.role,
        program=program_digest(),
    )


@cache
def program_digest() -> str:
    """Stands for what reads artefacts and computes metrics: this room's code, and the libraries that judges compute with."""
    return digest_value([digest_tree(Path(__file__).parent), metadata.version("numpy")])


def _execute(trial: Trial, inputs: Inputs, key: str, bench: Workbench) -> Execution:
    with bench.home.scratch("execution") as folder:
        draft = folder / "record"
        draft.mkdir()
        (draft / "patch.diff").write_bytes(trial.patch)
        progress = _Progress()
        if is_empty(trial.patch) and trial.role == "submission":
            progress.ending, progress.detail = "empty_patch", "the patch is empty"
        else:
            try:
                _try(trial, folder, draft, bench, progress)
            except PatchRejected as error:
                progress.ending, progress.detail = "patch_rejected", str(error)
            except BrokenContract as error:
                progress.ending, progress.detail = "bad_artifact", str(error)
        execution = _record(key, inputs, progress)
        bench.store.keep_execution(execution, draft)
    return execution


def _try(trial: Trial, folder: Path, draft: Path, bench: Workbench, progress: _Progress) -> None:
    """The experiment, then, where it came to its end, the guards, each on a tree of its own.

    Of a replication task the unchanged repository does not do yet what is asked for; the guards that lean on it alone are run.
    """
    variant = make_variant(trial.task, trial.seed, bench.home)
    tree = _patched(trial, folder / "tree", progress)
    if progress.ending != "ran":
        return
    if trial.role != "base" or trial.task.spec.figure:
        _run(trial, tree, variant, draft, bench, progress)
    if progress.ending != "ran":
        return
    for guard in trial.task.spec.guards:
        if trial.role == "base" and guard.against != "base":
            continue
        again = _patched(trial, folder / f"guard-{guard.name}", _Progress())
        progress.guards.append(_run_guard(guard, trial, again, variant, draft / FOLDER / guard.name, bench))


def _patched(trial: Trial, tree: Path, progress: _Progress) -> Path:
    """A tree as the experiment finds it; a patch that holds nothing but a claim is an empty one."""
    task = trial.task
    copy_repo(task, tree, with_data=False)
    if not is_empty(trial.patch):
        summary = apply_patch(task, trial.patch, tree)
        progress.claim, lines = take_claim(tree)
        files = tuple(path for path in summary.files if path.split("/")[0] != CLAIM)
        progress.summary = replace(summary, files=files, lines_added=max(0, summary.lines_added - lines))
        if not progress.summary.files:
            progress.ending, progress.detail = "empty_patch", "the patch holds a claim and nothing else"
    for gone in (PAPERS, TRUTH):
        if (tree / gone).exists():
            remove_tree(tree / gone)
    return tree


def _run(trial: Trial, tree: Path, variant: Variant, draft: Path, bench: Workbench, progress: _Progress) -> None:
    spec = trial.task.spec
    wipe_artefacts(tree, spec.artefacts)
    entry_exists = (tree / spec.experiment.entry).is_file()
    finished, progress.questions = _sandboxed(spec.experiment.command, trial, tree, variant, bench)
    progress.finished = finished
    (draft / "stdout.log").write_bytes(finished.stdout)
    (draft / "stderr.log").write_bytes(finished.stderr)
    if (asked := tree.with_name(QUESTIONS)).exists():
        asked.rename(draft / QUESTIONS)
    progress.ending, progress.detail = _ending(finished, trial.cpu_seconds)
    if progress.ending == "execution_failed":
        failure = name_failure(finished, spec.experiment.entry, entry_exists)
        progress.detail, progress.exception, progress.frame = failure.detail, failure.exception, failure.frame
    if progress.ending != "ran":
        return
    artefacts = draft / "artefacts"
    artefacts.mkdir()
    progress.artefacts = collect_artefacts(tree, spec.artefacts, artefacts)
    progress.judged = judge(trial.task, artefacts, variant.data, variant.truth)


def _run_guard(guard: Guard, trial: Trial, tree: Path, variant: Variant, kept: Path, bench: Workbench) -> GuardRun:
    wipe_artefacts(tree, guard.artefacts)
    finished, _ = _sandboxed(guard.command, trial, tree, variant, bench)
    kept.mkdir(parents=True)
    (kept / "stderr.log").write_bytes(finished.stderr)
    ending, detail = _ending(finished, trial.cpu_seconds)
    collected: tuple[CollectedFile, ...] = ()
    if ending == "ran":
        try:
            collected = collect_artefacts(tree, guard.artefacts, kept)
        except BrokenContract as error:
            ending, detail = "bad_artifact", str(error)
    return GuardRun(name=guard.name, ending=ending, detail=printable(detail), artefacts=collected)


def _sandboxed(command: str, trial: Trial, tree: Path, variant: Variant, bench: Workbench) -> tuple[Finished, int]:
    """Run a command on a tree with the variant's data and, where the task has one, its laboratory; also what it asked there."""
    spec = trial.task.spec
    variables = {} if trial.training_seed is None else {spec.experiment.seed_variable: str(trial.training_seed)}
    allowed = spec.limits
    limits = ResourceLimits(trial.cpu_seconds, allowed.memory_mb, allowed.processes, allowed.disk_mb, allowed.output_mb)
    job = Job(command, tree, bench.sandbox.prepare(spec.environment), limits, {"data": variant.data}, variables)
    with bench.gpus.leased(allowed.gpus) as gpus:
        job = replace(job, gpus=gpus)
        return _questioned(job, trial, variant, bench) if spec.laboratory else (bench.sandbox.run(job), 0)


def _questioned(job: Job, trial: Trial, variant: Variant, bench: Workbench) -> tuple[Finished, int]:
    """A run that may ask its laboratory, and what it spent there; its questions are kept beside its tree.

    A laboratory that fails is a fault of ours.
    """
    from rexbench.laboratory.door import VARIABLE, Laboratory

    assert trial.task.spec.laboratory is not None
    place = job.tree.with_name(f"{job.tree.name}-laboratory")
    record = job.tree.with_name(QUESTIONS)
    budget = trial.task.spec.laboratory.budget
    with Laboratory(trial.task.folder, variant.data, variant.truth, budget, place, record) as laboratory:
        outside = bench.sandbox.name == "process"
        told = {VARIABLE: str(laboratory.socket)} if outside else laboratory.variables
        mounts = job.mounts if outside else job.mounts | laboratory.mounts
        stop = lambda: laboratory.fault is not None  # noqa: E731
        finished = bench.sandbox.run(replace(job, mounts=mounts, variables=job.variables | told, stop=stop))
    if laboratory.usage.fault:
        raise SystemFault(f"{trial.task.id}: {laboratory.usage.fault}.")
    return finished, laboratory.usage.spent


def _ending(finished: Finished, cpu_seconds: float) -> tuple[Ending, str]:
    if finished.stopped_by == "cpu":
        return "timeout", f"stopped after {cpu_seconds:g} s of CPU time"
    if finished.stopped_by == "wall":
        return "timeout", f"stopped after {finished.seconds:.0f} s, mostly idle"
    if finished.stopped_by or finished.status != 0:
        return "execution_failed", f"ended with status {finished.status}"
    return "ran", ""


def _record(key: str, inputs: Inputs, progress: _Progress) -> Execution:
    finished, judged = progress.finished, progress.judged
    return Execution(
        key=key,
        inputs=inputs,
        ending=progress.ending,
        detail=printable(progress.detail),
        exception=printable(progress.exception) if progress.exception else None,
        frame=printable(progress.frame) if progress.frame else None,
        status=finished.status if finished else None,
        stopped_by=finished.stopped_by if finished else None,
        seconds=round(finished.seconds, 3) if finished else 0.0,
        peak_memory_mb=finished.peak_memory_mb if finished else 0,
        enforced=finished.enforced if finished else {},
        cpu_seconds=round(finished.cpu_seconds, 3) if finished else 0.0,
        metrics=judged.metrics if judged else {},
        landmarks=judged.landmarks if judged else {},
        strata=judged.strata if judged else {},
        ceiling=judged.ceiling if judged else None,
        artefacts=progress.artefacts,
        guards=tuple(progress.guards),
        claim=progress.claim,
        questions=progress.questions,
        files=progress.summary.files,
        lines_added=progress.summary.lines_added,
        lines_removed=progress.summary.lines_removed,
        written_at=now(),
        version=rexbench.__version__,
    )
