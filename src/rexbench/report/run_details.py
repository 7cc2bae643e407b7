"""One run in all detail, cut to a length: what the report unfolds when a reader opens it.

Everything here was written by an agent or by what it left behind. It is kept as text in a JSON value and shown as text, never as
markup.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rexbench.record.model import Evaluation, MetricVerdict
from rexbench.record.store import Store
from rexbench.report.reading import ReportedRun
from rexbench.untrusted import NotTaken, open_plain, parse_json, read_plain

_LARGEST_TRAJECTORY = 20_000_000
"""Bytes; a longer one is left out, since it would take longer to read than the rest of the report."""


@dataclass(frozen=True)
class Room:
    """Characters that a run's parts may take."""

    patch: int
    log: int
    steps: int
    """Steps of the trajectory, first and last ones."""
    step: int


ROOMS = (
    Room(24_000, 4000, 40, 700),
    Room(9000, 2000, 24, 400),
    Room(4000, 1000, 12, 300),
    Room(1800, 600, 8, 200),
    Room(700, 300, 4, 120),
)
"""From generous to bare; the first that fits the whole campaign is taken."""


@dataclass(frozen=True)
class RunFiles:
    """What lies beside a run's record, read once."""

    patch: str
    logs: tuple[str, ...]
    """Last lines of each evaluation; empty where the records are not on this machine."""
    steps: tuple[tuple[str, str], ...]
    """Who, and what was said, called or seen."""


def read_run_files(entry: ReportedRun, store: Store) -> RunFiles:
    """Patch, logs and trajectory, as much as the most generous report would show."""
    largest = ROOMS[0]
    return RunFiles(
        patch=_head(entry.attempt / "patch.diff", largest.patch + 1),
        logs=tuple(_log(evaluation, store, largest.log) for evaluation in entry.run.evaluations),
        steps=_steps(entry.attempt / "trajectory.json"),
    )


def run_detail(entry: ReportedRun, files: RunFiles, room: Room) -> dict[str, Any]:
    """A run as JSON, cut to the room there is."""
    run, step = entry.run, entry.run.step
    return {
        "facts": [
            ["agent ended", f"{step.outcome} {step.detail}".strip()[: room.step]],
            ["model", step.model or "none"],
            ["tokens in, out, cached", f"{step.tokens.input}, {step.tokens.output}, {step.tokens.cached}"],
            ["turns", str(step.turns)],
            ["patch", f"files: {len(step.files)}, lines: +{step.lines_added} -{step.lines_removed}"],
            ["recall, precision", f"{run.file_recall:.2f}, {run.file_precision:.2f}"],
            ["attempt", str(run.attempt)],
        ],
        "flags": [[flag.kind, flag.evidence[: room.step]] for flag in run.flags],
        "evaluations": [
            _evaluation(evaluation, log[-room.log :], room) for evaluation, log in zip(run.evaluations, files.logs, strict=True)
        ],
        "patch": files.patch[: room.patch],
        "patch_cut": len(files.patch) > room.patch,
        "steps": [[who, text[: room.step]] for who, text in _ends(files.steps, room.steps)],
        "steps_left_out": max(0, len(files.steps) - room.steps),
    }


def _evaluation(evaluation: Evaluation, log: str, room: Room) -> dict[str, Any]:
    where = " ".join(part for part in (evaluation.exception, evaluation.frame) if part)
    return {
        "head": f"variant {evaluation.variant_seed}: {evaluation.outcome} after {evaluation.seconds:.0f} s",
        "detail": " ".join(part for part in (evaluation.detail[: room.step], where) if part),
        "metrics": [_metric(metric) for metric in evaluation.metrics],
        "landmarks": [[name, reached] for name, reached in evaluation.landmarks.items()],
        "log": log,
    }


def _metric(metric: MetricVerdict) -> list[Any]:
    """Name, value, gold, accepted interval, verdict, and where on a scale whose middle fifth is the interval; None: no scale."""
    interval, place = "equal", None
    if metric.low is not None and metric.high is not None:
        interval = f"{metric.low:.6g} to {metric.high:.6g}"
        half, middle = (metric.high - metric.low) / 2, (metric.high + metric.low) / 2
        if half > 0 and isinstance(metric.value, int | float) and math.isfinite(metric.value):
            place = round(min(100.0, max(0.0, 50 + 10 * (metric.value - middle) / half)), 1)
    distance = f" by {metric.distance:.3g}" if metric.distance and not metric.accepted else ""
    verdict = "accepted" if metric.accepted else f"not accepted{distance}"
    return [metric.name[:60], _value(metric.value), _value(metric.gold), interval, verdict, place]


def _value(value: int | float | str) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)[:40]


def _log(evaluation: Evaluation, store: Store, length: int) -> str:
    if not evaluation.execution:
        return ""
    folder = store.execution_folder(evaluation.execution)
    parts = ((name, _tail(folder / f"{name}.log", length // 2)) for name in ("stdout", "stderr"))
    return "\n".join(f"[{name}]\n{text}" for name, text in parts if text)


def _steps(path: Path) -> tuple[tuple[str, str], ...]:
    """Who did what; a file that is missing, too large or not as expected gives none."""
    try:
        if path.lstat().st_size > _LARGEST_TRAJECTORY:
            return (("note", "the trajectory is too long to be shown here"),)
        found = parse_json(read_plain(path, _LARGEST_TRAJECTORY), path)["steps"]
        return tuple((str(step["source"]), _said(step)) for step in found)
    except (OSError, NotTaken, ValueError, KeyError, TypeError, AttributeError):
        return ()


def _said(step: dict[str, Any]) -> str:
    longest = ROOMS[0].step
    parts = [str(step.get("message") or "")[:longest]]
    for call in step.get("tool_calls") or ():
        given = " ".join(str(value) for value in call["arguments"].values())
        parts.append(f"> {call['function_name']} {given}"[: longest // 2])
    for result in (step.get("observation") or {}).get("results", ()):
        parts.append(f"< {result.get('content') or ''}"[: longest // 2])
    return "\n".join(part for part in parts if part)


def _ends(steps: tuple[tuple[str, str], ...], count: int) -> tuple[tuple[str, str], ...]:
    if len(steps) <= count:
        return steps
    first = count // 2
    return *steps[:first], ("note", f"{len(steps) - count} steps left out"), *steps[len(steps) - (count - first) :]


def _head(path: Path, length: int) -> str:
    try:
        with open_plain(path) as file:
            return file.read(4 * length).decode(errors="replace")[:length]
    except (OSError, NotTaken):
        return ""


def _tail(path: Path, length: int) -> str:
    try:
        with open_plain(path) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - 4 * length))
            return file.read(4 * length).decode(errors="replace")[-length:]
    except (OSError, NotTaken):
        return ""
