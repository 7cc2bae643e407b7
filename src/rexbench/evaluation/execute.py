"""A patch, run on a variant: clean tree, patch, papers and old results gone, held-out data read-only, command, artefacts, judge.

Gold's run and a submission's take exactly this way. Nothing here compares or decides; the ending says how far it came.
"""

from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

import rexbench
from rexbench.digest import digest_value
from rexbench.errors import PatchRejected
from rexbench.evaluation.collect import collect_artefacts, wipe_artefacts
from rexbench.evaluation.failure import name_failure
from rexbench.evaluation.judging import Judged, judge
from rexbench.evaluation.reading import BrokenContract
from rexbench.places import home, remove_tree, scratch
from rexbench.record.clock import now
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.record.model import CollectedFile, Ending, Execution, Inputs, Role
from rexbench.record.store import Store
from rexbench.sandbox.gpus import gpu_models
from rexbench.sandbox.protocol import Finished, Job, ResourceLimits, Sandbox
from rexbench.task.folder import PAPERS, Task
from rexbench.task.variants import make_variant
from rexbench.text import printable
from rexbench.workspace.patch import EMPTY, PatchSummary, apply_patch, is_empty, patch_digest
from rexbench.workspace.tree import copy_repo


@dataclass(frozen=True)
class Bench:
    """Where and how executions are made."""

    store: Store
    sandbox: Sandbox
    fresh: bool = False
    """Make a new record even where there is one; the old one is set aside, not deleted."""


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


def execute(
    task: Task, patch: bytes, seed: int, bench: Bench, role: Role = "submission", training_seed: int | None = None
) -> Execution:
    """The record of this patch on this variant, from the store or made now."""
    inputs = execution_inputs(task, patch, seed, bench.sandbox, role, training_seed)
    key = digest_value(inputs.model_dump())
    found = _on_record(key, role, bench)
    if found:
        return found
    if role == "submission":
        return _execute(task, patch, inputs, key, bench)
    lock = home() / "locks" / f"{key[:32]}.lock"  # several workers wait for one reference rather than make it twice
    lock.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock):
        return _on_record(key, role, bench) or _execute(task, patch, inputs, key, bench)


def _on_record(key: str, role: Role, bench: Bench) -> Execution | None:
    """Gold that failed tells of the machine at that time, say of its load; whoever needs it next has it run again."""
    found = None if bench.fresh else bench.store.find_execution(key)
    return None if found and role == "reference" and found.ending != "ran" else found


def execution_inputs(task: Task, patch: bytes, seed: int, sandbox: Sandbox, role: Role, training_seed: int | None = None) -> Inputs:
    """All that determines an execution."""
    name = task.spec.environment
    return Inputs(
        task=task.id,
        task_digest=task.digest,
        patch_digest="" if is_empty(patch) else patch_digest(patch),
        variant_seed=seed,
        training_seed=training_seed,
        environment=name,
        environment_digest=sandbox.runtime(name),
        sandbox=sandbox.name,
        machine=machine_fingerprint(gpu_models(task.spec.limits.gpus)),
        role=role,
    )


def _execute(task: Task, patch: bytes, inputs: Inputs, key: str, bench: Bench) -> Execution:
    with scratch("execution") as folder:
        draft = folder / "record"
        draft.mkdir()
        (draft / "patch.diff").write_bytes(patch)
        progress = _Progress()
        if is_empty(patch):
            progress.ending, progress.detail = "empty_patch", "the patch is empty"
        else:
            try:
                _run(task, patch, inputs, folder / "tree", draft, bench.sandbox, progress)
            except PatchRejected as error:
                progress.ending, progress.detail = "patch_rejected", str(error)
            except BrokenContract as error:
                progress.ending, progress.detail = "bad_artifact", str(error)
        execution = _record(key, inputs, progress)
        bench.store.keep_execution(execution, draft)
    return execution


def _run(task: Task, patch: bytes, inputs: Inputs, tree: Path, draft: Path, sandbox: Sandbox, progress: _Progress) -> None:
    spec = task.spec
    copy_repo(task, tree, with_data=False)
    progress.summary = apply_patch(task, patch, tree)
    remove_tree(tree / PAPERS)
    wipe_artefacts(tree, spec.artefacts)
    data = make_variant(task, inputs.variant_seed)
    variables = {} if inputs.training_seed is None else {spec.experiment.seed_variable: str(inputs.training_seed)}
    limits = ResourceLimits(
        spec.limits.seconds, spec.limits.memory_mb, spec.limits.processes, spec.limits.disk_mb, spec.limits.output_mb
    )
    job = Job(
        spec.experiment.command, tree, sandbox.prepare(spec.environment), limits, {"data": data}, variables, gpus=spec.limits.gpus
    )
    entry_exists = (tree / spec.experiment.entry).is_file()
    finished = progress.finished = sandbox.run(job)
    (draft / "stdout.log").write_bytes(finished.stdout)
    (draft / "stderr.log").write_bytes(finished.stderr)
    if finished.stopped_by in ("cpu", "wall"):
        used = f"{limits.cpu_seconds:g} s of CPU time" if finished.stopped_by == "cpu" else f"{finished.seconds:.0f} s, mostly idle"
        progress.ending, progress.detail = "timeout", f"stopped after {used}"
        return
    if finished.stopped_by or finished.status != 0:
        failure = name_failure(finished, spec.experiment.entry, entry_exists)
        progress.ending, progress.detail = "execution_failed", failure.detail
        progress.exception, progress.frame = failure.exception, failure.frame
        return
    artefacts = draft / "artefacts"
    artefacts.mkdir()
    progress.artefacts = collect_artefacts(tree, spec.artefacts, artefacts)
    progress.judged = judge(task, artefacts, data)


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
