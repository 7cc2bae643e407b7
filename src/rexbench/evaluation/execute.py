"""A patch, run on a variant: clean tree, patch, papers and old results gone, held-out data read-only, command, artefacts, judge.

Gold's run and a submission's take exactly this way. Nothing here compares or decides; the ending says how far it came.
"""

from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import rexbench
from rexbench.digest import digest_tree, digest_value
from rexbench.errors import PatchRejected
from rexbench.evaluation.collect import collect_artefacts, wipe_artefacts
from rexbench.evaluation.failure import name_failure
from rexbench.evaluation.judging import Judged, judge
from rexbench.evaluation.reading import BrokenContract
from rexbench.places import remove_tree
from rexbench.record.clock import now
from rexbench.record.model import CollectedFile, Ending, Execution, Inputs, Role
from rexbench.sandbox.protocol import Finished, Job, ResourceLimits
from rexbench.task.folder import PAPERS, Task
from rexbench.task.variants import make_variant
from rexbench.text import printable
from rexbench.workbench import Workbench
from rexbench.workspace.patch import EMPTY, PatchSummary, apply_patch, is_empty, patch_digest
from rexbench.workspace.tree import copy_repo


@dataclass
class _Progress:
    """What is known so far of an execution; becomes a record whatever happens next."""

    ending: Ending = "ran"
    detail: str = ""
    exception: str | None = None
    frame: str | None = None
    summary: PatchSummary = EMPTY
    finished: Finished | None = None
    artefacts: tuple[CollectedFile, ...] = ()
    judged: Judged | None = None


@dataclass(frozen=True)
class Trial:
    """What is to be run."""

    task: Task
    patch: bytes
    seed: int
    role: Role = "submission"
    training_seed: int | None = None
    """None: the codebase's own default."""


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
    libraries = {name: metadata.version(name) for name in ("numpy", "scipy") if find_spec(name)}
    return digest_value([digest_tree(Path(__file__).parent), libraries])


def _execute(trial: Trial, inputs: Inputs, key: str, bench: Workbench) -> Execution:
    with bench.home.scratch("execution") as folder:
        draft = folder / "record"
        draft.mkdir()
        (draft / "patch.diff").write_bytes(trial.patch)
        progress = _Progress()
        if is_empty(trial.patch):
            progress.ending, progress.detail = "empty_patch", "the patch is empty"
        else:
            try:
                _run(trial, folder / "tree", draft, bench, progress)
            except PatchRejected as error:
                progress.ending, progress.detail = "patch_rejected", str(error)
            except BrokenContract as error:
                progress.ending, progress.detail = "bad_artifact", str(error)
        execution = _record(key, inputs, progress)
        bench.store.keep_execution(execution, draft)
    return execution


def _run(trial: Trial, tree: Path, draft: Path, bench: Workbench, progress: _Progress) -> None:
    task, spec = trial.task, trial.task.spec
    copy_repo(task, tree, with_data=False)
    progress.summary = apply_patch(task, trial.patch, tree)
    remove_tree(tree / PAPERS)
    wipe_artefacts(tree, spec.artefacts)
    variant = make_variant(task, trial.seed, bench.home)
    variables = {} if trial.training_seed is None else {spec.experiment.seed_variable: str(trial.training_seed)}
    limits = ResourceLimits(
        spec.limits.seconds, spec.limits.memory_mb, spec.limits.processes, spec.limits.disk_mb, spec.limits.output_mb
    )
    entry_exists = (tree / spec.experiment.entry).is_file()
    environment = bench.sandbox.prepare(spec.environment)
    with bench.gpus.leased(spec.limits.gpus) as gpus:
        job = Job(spec.experiment.command, tree, environment, limits, {"data": variant.data}, variables, gpus=gpus)
        finished = progress.finished = bench.sandbox.run(job)
    (draft / "stdout.log").write_bytes(finished.stdout)
    (draft / "stderr.log").write_bytes(finished.stderr)
    if finished.stopped_by == "time":
        progress.ending, progress.detail = "timeout", f"stopped after {limits.seconds:g} s"
        return
    if finished.stopped_by or finished.status != 0:
        failure = name_failure(finished, spec.experiment.entry, entry_exists)
        progress.ending, progress.detail = "execution_failed", failure.detail
        progress.exception, progress.frame = failure.exception, failure.frame
        return
    artefacts = draft / "artefacts"
    artefacts.mkdir()
    progress.artefacts = collect_artefacts(tree, spec.artefacts, artefacts)
    progress.judged = judge(task, artefacts, variant.data)


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
        metrics=judged.metrics if judged else {},
        landmarks=judged.landmarks if judged else {},
        artefacts=progress.artefacts,
        files=progress.summary.files,
        lines_added=progress.summary.lines_added,
        lines_removed=progress.summary.lines_removed,
        written_at=now(),
        version=rexbench.__version__,
    )
