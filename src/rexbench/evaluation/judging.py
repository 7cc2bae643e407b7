"""Running a task's judge on the host, in a child process of our own that cannot outlast or outgrow its bounds.

The judge is trusted code; what it reads is not. A judge that hangs, dies or raises on a submission's artefacts means that the
artefacts broke the contract: the same judge has just read live gold's without complaint.
"""

import inspect
import json
import os
import resource
import select
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rexbench.errors import BrokenTask
from rexbench.evaluation.reading import BrokenContract
from rexbench.record.model import Value
from rexbench.task.folder import Task, host_module

JUDGE_SECONDS = 120
JUDGE_MEMORY = 8 * 2**30
MAX_TEXT = 200


@dataclass(frozen=True)
class Judged:
    """What the judge computed."""

    metrics: dict[str, Value]
    landmarks: dict[str, bool]
    strata: dict[str, float] = field(default_factory=dict)
    ceiling: float | None = None


def judge(task: Task, artefacts: Path, data: Path, truth: Path | None = None) -> Judged:
    """Metrics and landmarks; raises `BrokenContract` where the artefacts are at fault, `BrokenTask` where the judge is."""
    host_module(task, "judge")  # imported once here, so that children start warm
    answer = _in_child(lambda: _judge(task, artefacts, data, truth))
    if "broken" in answer:
        raise BrokenContract(str(answer["broken"]))
    metrics = {name: _checked(task, name, value) for name, value in answer["metrics"].items()}
    declared = set(task.spec.judged)
    if set(metrics) != declared:
        raise BrokenTask(f"{task.id}: judge.py gives the metrics {sorted(metrics)}, task.toml declares {sorted(declared)}.")
    return Judged(metrics, answer["landmarks"], answer["strata"], answer["ceiling"])


def _judge(task: Task, artefacts: Path, data: Path, truth: Path | None) -> dict[str, Any]:
    module = host_module(task, "judge")
    folders = (artefacts, data, truth)[: len(inspect.signature(module.metrics).parameters)]
    try:
        metrics = module.metrics(*folders)
        landmarks = module.landmarks(*folders) if hasattr(module, "landmarks") else {}
        strata = module.strata(*folders) if hasattr(module, "strata") else {}
        ceiling = module.ceiling(data, truth) if hasattr(module, "ceiling") else None
    except BrokenContract as error:
        return {"broken": str(error)}
    except Exception as error:  # whatever artefacts make a judge raise is their defect: fail closed
        return {"broken": f"the judge cannot read the artefacts: {type(error).__name__}: {str(error)[:300]}"}
    return {
        "metrics": {name: _plain(value) for name, value in metrics.items()},
        "landmarks": {n: bool(v) for n, v in landmarks.items()},
        "strata": {str(name): float(value) for name, value in strata.items()},
        "ceiling": None if ceiling is None else float(ceiling),
    }


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _checked(task: Task, name: str, value: Any) -> Value:
    kind = "float" if task.spec.figure else next((metric.kind for metric in task.spec.metrics if metric.name == name), "exact")
    good = isinstance(value, int | str) if kind == "exact" else isinstance(value, int | float) and not isinstance(value, bool)
    if not good:
        raise BrokenTask(f"{task.id}: judge.py gives {value!r} for the {kind} metric {name}.")
    if isinstance(value, str) and (not value.isprintable() or len(value) > MAX_TEXT):
        raise BrokenContract(f"{name} is text that cannot be printed, or longer than {MAX_TEXT} characters")
    if isinstance(value, int) and abs(value) >= 2**63:
        raise BrokenContract(f"{name} is an integer of more than 64 bits")
    return value if kind == "exact" else float(value)


def _in_child(work: Any) -> dict[str, Any]:
    """Fork, bound the child, and read one JSON answer from it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (JUDGE_MEMORY, JUDGE_MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (JUDGE_SECONDS, JUDGE_SECONDS))
            with os.fdopen(write, "wb") as pipe:
                pipe.write(json.dumps(work(), allow_nan=False).encode())
            status = 0
        except BaseException as error:
            with suppress(OSError):
                os.write(2, f"judge: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    os.close(write)
    try:
        told = _read_all(read, time.monotonic() + JUDGE_SECONDS)
    finally:
        os.close(read)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not told:
        return {"broken": "the judge could not finish on these artefacts"}
    answer: dict[str, Any] = json.loads(told)
    return answer


def _read_all(fd: int, deadline: float) -> bytes:
    """All that the child says; nothing where it does not close its end in time or leaves an unfinished answer."""
    told = bytearray()
    while True:
        ready, _, _ = select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return b""
        data = os.read(fd, 65536)
        if not data:
            return bytes(told) if told.endswith(b"}") else b""
        told += data
