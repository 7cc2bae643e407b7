"""What `cluster check` does: a question to a node, the way a step would go there, and what the answer means."""

import secrets
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from filelock import FileLock

import rexbench
from rexbench.campaign.executors.probe import ANSWER, Answer, Question, examine_in_process, examine_node
from rexbench.campaign.undertaking import Needs
from rexbench.cli.doctor import Fact
from rexbench.cli.output import console, print_json, print_table
from rexbench.errors import RexbenchError, SystemFault
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.workbench import Workbench

CLOCK_SECONDS = 5.0
"""A difference that a reader of time stamps would notice."""
_NEEDS = Needs(minutes=10, memory_mb=2048)
_GPU_OPTIONS = ("gres", "gpus", "gpus-per-node", "gpus-per-task")


@dataclass(frozen=True)
class Asked:
    """Which cluster is asked, and how long its answer may take."""

    executor: str
    slurm: str
    dask: str
    out: Path | None
    wait: float


def check_and_print(asked: Asked, bench: Workbench, as_json: bool) -> None:
    from rexbench.campaign.executors.slurm.options import read_slurm_options

    options = read_slurm_options(asked.slurm)
    folder = (asked.out or bench.home.make("campaigns")).absolute() / f".probe-{secrets.token_hex(4)}"
    folder.mkdir(parents=True)
    token = secrets.token_hex(16)
    (folder / "token").write_text(token)
    question = Question(folder=str(folder), settings=bench.settings).model_dump_json()
    try:
        with FileLock(folder / "lock"):
            since = time.time()
            if asked.executor == "slurm":
                answer = _ask_slurm(question, folder, options, asked.wait)
            elif asked.executor == "dask":
                answer = _ask_dask(question, folder, asked.dask, asked.wait)
            else:
                raise RexbenchError(
                    f"There is nothing to ask for --executor {asked.executor}; it is slurm or dask (or rexbench doctor)."
                )
            answered = time.time()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    facts = judge_answer(answer, token, since, answered, wants_gpu=any(name in options for name in _GPU_OPTIONS), bench=bench)
    if as_json:
        print_json([asdict(fact) for fact in facts])
    else:
        marks = {"ok": "[green]ok[/green]", "missing": "[yellow]missing[/yellow]", "note": "-"}
        print_table(f"node {answer.node}", ["what", "state", "told"], [[fact.what, marks[fact.state], fact.told] for fact in facts])
    missing = [fact.what for fact in facts if fact.state == "missing"]
    if missing:
        if not as_json:
            console.print(f"\nA campaign would fail there: {', '.join(missing)}.")
        raise SystemExit(1)


def _ask_slurm(question: str, folder: Path, options: dict[str, str], wait: float) -> Answer:
    from rexbench.campaign.executors.slurm.options import job_parameters
    from rexbench.campaign.executors.slurm.queue import cancel, look
    from rexbench.campaign.executors.slurm.submission import require_submitit, submit_calls

    require_submitit()
    from submitit.core.utils import FailedJobError, FailedSubmissionError

    name = f"rexbench{folder.name.removeprefix('.')}"
    try:
        (job,) = submit_calls(folder / "jobs", name, "probe", job_parameters(options, _NEEDS), [(examine_node, (question,))])
    except (FailedJobError, FailedSubmissionError) as error:
        raise RexbenchError(f"Slurm does not take the job: {' '.join(str(error).split())[-300:]}") from error

    def trouble() -> str | None:
        seen = look(name).get(job)
        if seen and seen.is_active:
            return None
        log = folder / "jobs" / f"{job}_0_log.err"
        words = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
        state = seen.state if seen else "unknown to Slurm"
        unseen = "" if words else "; nothing of it is to be seen here: does the node share this folder, and have this Python?"
        return f"The probe ended without an answer (job {job}, {state}){': ' + words[-1][:300] if words else unseen}"

    try:
        return _await(folder, wait, trouble)
    except SystemFault as error:
        waiting = look(name).get(job)
        with suppress(SystemFault):
            cancel(job)
        reason = f" It waits in the queue ({waiting.reason})." if waiting and waiting.state == "PENDING" else ""
        raise SystemFault(f"{error}{reason}") from error


def _ask_dask(question: str, folder: Path, address: str, wait: float) -> Answer:
    from rexbench.campaign.executors.dask import connect

    if not address:
        raise RexbenchError("--executor dask needs a scheduler; give its address with --dask tcp://HOST:8786.")
    client = connect(address)
    try:
        if not client.nthreads():
            raise SystemFault(f"The Dask scheduler at {address} has no worker; start one with: dask worker {address} --nthreads 1")
        future = client.submit(examine_in_process, question, pure=False, retries=0)

        def trouble() -> str | None:
            if not future.done():
                return None
            error = future.exception() if future.status == "error" else None
            return (
                f"The worker could not answer: {type(error).__name__}: {error}"
                if error
                else "The worker's answer is not to be seen here"
            )

        return _await(folder, wait, trouble)
    finally:
        client.close(timeout=5)


def _await(folder: Path, wait: float, trouble: Callable[[], str | None]) -> Answer:
    """The answer; a sentence about what became of the question where none comes."""
    deadline = time.monotonic() + wait
    told: str | None = None
    since = 0.0
    while time.monotonic() < deadline:
        with suppress(FileNotFoundError):
            return Answer.model_validate_json((folder / ANSWER).read_bytes())
        if told and time.monotonic() - since > 10:  # long enough for a slow network file system
            raise SystemFault(f"{told}.")
        if not told and (told := trouble()):
            since = time.monotonic()
        time.sleep(0.3)
    raise SystemFault(f"No answer within {wait:.0f} seconds; give it longer with --wait.")


def judge_answer(answer: Answer, token: str, asked: float, answered: float, wants_gpu: bool, bench: Workbench) -> list[Fact]:
    """What the answer means for a campaign."""
    off = max(asked - answer.clock, answer.clock - answered, 0.0)
    same = answer.machine == machine_fingerprint(bench.gpus.models(1))
    return [
        _fact("shared folder", answer.token == token, "seen and writable on both sides", "the node saw another folder"),
        _fact(
            "locks", answer.lock_holds, "hold between the machines", "do not hold between the machines: mount the folder with flock"
        ),
        _fact("records", not answer.home_fault, "can be written", answer.home_fault),
        _fact(
            "rexbench",
            answer.version == rexbench.__version__,
            f"{answer.version}, Python {answer.python}",
            f"{answer.version} there, {rexbench.__version__} here: install the same",
        ),
        _sandbox(answer),
        *(
            Fact(
                f"environment {name}", "ok" if built else "note", "built" if built else "not built; the first to need it builds it"
            )
            for name, built in answer.environments.items()
        ),
        _fact(
            "clock", off <= CLOCK_SECONDS, f"at most {max(off, answered - asked):.1f} s apart", f"{off:.0f} s off: set the node's"
        ),
        Fact(
            "machine",
            "note",
            "the same kind as this one" if same else "of another kind than this one: live gold is made there anew",
        ),
        Fact("size", "note", f"{answer.cores} cores for a job, {answer.memory_gb} GB in the machine"),
        _gpu(answer, wants_gpu),
    ]


def _sandbox(answer: Answer) -> Fact:
    if answer.sandbox_fault is None:
        return Fact("sandbox", "note", "not tried: there is no environment yet; rexbench demo builds them, then check again")
    return _fact("sandbox", not answer.sandbox_fault, "ran a command", answer.sandbox_fault)


def _gpu(answer: Answer, wanted: bool) -> Fact:
    visible = "" if answer.visible_gpus is None else f"; CUDA_VISIBLE_DEVICES={answer.visible_gpus}"
    if answer.gpu_fault:
        return Fact("GPU", "missing", f"{', '.join(answer.gpus)}, but not in the sandbox: {answer.gpu_fault}")
    state: Literal["ok", "missing", "note"] = "ok" if answer.gpus else ("missing" if wanted else "note")
    return Fact("GPU", state, (", ".join(answer.gpus) or "none that a step may use") + visible)


def _fact(what: str, holds: bool, good: str, bad: str) -> Fact:
    return Fact(what, "ok" if holds else "missing", good if holds else bad)
