"""Running a task's judge on the host, in a child process of our own that cannot outlast or outgrow its bounds.

The judge is trusted code; what it reads is not. The readers turn every defect of an artefact into `BrokenContract`, and that alone
is the submission's. Whatever else ends a judge (an exception of its own, its limits, a signal) is a fault of ours: the contract let
these artefacts pass, so the judge has to cope with them.
"""

import inspect
import json
import os
import resource
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from rexbench.errors import BrokenTask, SystemFault
from rexbench.evaluation.reading import BrokenContract
from rexbench.record.model import Value
from rexbench.sandbox.protocol import wall_backstop
from rexbench.task.folder import Task, host_module

JUDGE_SECONDS = 120
"""CPU time; by the clock the judge has as long as a run with this limit."""
JUDGE_MEMORY = 8 * 2**30
MAX_TEXT = 200


@dataclass(frozen=True)
class Judged:
    """What the judge computed."""

    metrics: dict[str, Value]
    landmarks: dict[str, bool]
    strata: dict[str, float] = field(default_factory=dict)
    """The figure of a scored task by stratum, where its judge gives that."""
    ceiling: float | None = None
    """The figure that somebody who knows the truth would reach, where the judge gives that."""


def judge(task: Task, artefacts: Path, data: Path, truth: Path | None = None) -> Judged:
    """Metrics and landmarks, for scored tasks strata and ceiling too.

    Raises `BrokenContract` where the artefacts are at fault, `BrokenTask` where the judge does not give what the task declares, and
    `SystemFault` where it could not finish.
    """
    host_module(task, "judge")  # imported once here, as is what the readers of arrays want, so that children start warm
    import_module("numpy")
    answer = _in_child(task.id, lambda: _judge(task, artefacts, data, truth))
    if "broken" in answer:
        raise BrokenContract(str(answer["broken"]))
    metrics = {name: _checked(task, name, value) for name, value in answer["metrics"].items()}
    declared = set(task.spec.judged)
    if set(metrics) != declared:
        raise BrokenTask(f"{task.id}: judge.py gives the metrics {sorted(metrics)}, task.toml declares {sorted(declared)}.")
    strata = {name: _number(task, f"stratum {name}", value) for name, value in answer["strata"].items()}
    ceiling = None if answer["ceiling"] is None else _number(task, "ceiling", answer["ceiling"], BrokenTask)
    return Judged(metrics, answer["landmarks"], strata, ceiling)


def _judge(task: Task, artefacts: Path, data: Path, truth: Path | None) -> dict[str, Any]:
    module = host_module(task, "judge")

    def asked(name: str, *folders: Path | None) -> Any:
        """The judge's answer; one that was written before tasks had a truth is not given it."""
        function = getattr(module, name, None)
        return function(*folders[: len(inspect.signature(function).parameters)]) if function else None

    try:
        metrics = asked("metrics", artefacts, data, truth)
        landmarks = asked("landmarks", artefacts, data, truth) or {}
        strata = asked("strata", artefacts, data, truth) or {}
    except BrokenContract as error:
        return {"broken": str(error)}
    except OverflowError as error:  # as a metric that is not finite: nobody means such values, and gold's have none
        return {"broken": f"values beyond what can be computed with ({error})"}
    return {
        "metrics": {name: _plain(value) for name, value in metrics.items()},
        "landmarks": {str(name): bool(value) for name, value in landmarks.items()},
        "strata": {str(name): _plain(value) for name, value in strata.items()},
        "ceiling": _plain(asked("ceiling", data, truth)),
    }


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _checked(task: Task, name: str, value: Any) -> Value:
    kind = "figure" if task.spec.figure else next((metric.kind for metric in task.spec.metrics if metric.name == name), "exact")
    if kind != "exact":
        return _number(task, f"the {kind} metric {name}", value)
    if not isinstance(value, int | str):
        raise BrokenTask(f"{task.id}: judge.py gives {value!r} for the exact metric {name}.")
    if isinstance(value, str) and (not value.isprintable() or len(value) > MAX_TEXT):
        raise BrokenContract(f"{name} is text that cannot be printed, or longer than {MAX_TEXT} characters")
    if isinstance(value, int) and abs(value) >= 2**63:
        raise BrokenContract(f"{name} is an integer of more than 64 bits")
    return value


def _number(task: Task, what: str, value: Any, defect: type[Exception] = BrokenContract) -> float:
    """A finite number. Where the judge's arithmetic leaves the finite ones, the artefacts hold values that nobody meant."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BrokenTask(f"{task.id}: judge.py gives {value!r} for {what}.")
    if not abs(value) < 2**1023:
        raise defect(f"{task.id}: {what} is not finite")
    return float(value)


def _in_child(task_id: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Fork, bound the child, and read one JSON answer from it; a fault of ours where there is none."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (JUDGE_MEMORY, JUDGE_MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (JUDGE_SECONDS, JUDGE_SECONDS + 5))
            with os.fdopen(write, "wb") as pipe:
                pipe.write(_answer(work))
        finally:
            os._exit(0)
    os.close(write)
    over = False
    try:
        told = _read_all(read, wall_backstop(JUDGE_SECONDS))
        over = True
    finally:
        os.close(read)
        if not over:
            os.kill(child, signal.SIGKILL)
        _, ended = os.waitpid(child, 0)
    try:
        answer: dict[str, Any] = json.loads(told)
    except ValueError:
        answer = {"raised": _without_a_word(ended)}
    if "raised" in answer:
        raise SystemFault(f"{task_id}: judge.py could not judge these artefacts: {answer['raised']}.")
    return answer


def _answer(work: Callable[[], dict[str, Any]]) -> bytes:
    try:
        return json.dumps(work()).encode()
    except Exception as error:  # a judge may raise anything, and what it was is all that we want to know
        return json.dumps({"raised": f"{type(error).__name__}: {str(error)[:300]}"}).encode()


def _without_a_word(ended: int) -> str:
    if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGXCPU:
        return f"it used more than {JUDGE_SECONDS} s of CPU time"
    if os.WIFSIGNALED(ended):
        return f"it was ended by signal {os.WTERMSIG(ended)}"
    return "it ended without an answer"


def _read_all(fd: int, seconds: float) -> bytes:
    """All that the child says until it closes its end; a fault of ours where it says nothing for so long."""
    told = bytearray()
    while select.select([fd], [], [], seconds)[0]:
        data = os.read(fd, 65536)
        if not data:
            return bytes(told)
        told += data
    raise SystemFault(f"A judge did not end within {seconds:.0f} s.")
