"""One run in all detail: what the report unfolds when a reader opens it.

Everything here was written by an agent or by what it left behind. It is kept as text in a JSON value and shown as text, never as
markup. A text that has no room is cut between two words, says how much of it is left out, and the run says where the whole is.
"""

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rexbench.record.model import Claim, Evaluation, FigureVerdict, MetricVerdict, Run, TableVerdict
from rexbench.reports.reading import ReportedRun
from rexbench.reports.shortening import Shown, length, shortened
from rexbench.reports.trajectory import Trajectory, read_trajectory
from rexbench.untrusted import NotTaken, open_plain

_PATCH, _LOG = 0.4, 0.15
"""Shares of the room that a patch and a log may take; the trajectory gets what is left."""


@dataclass(frozen=True)
class RunFiles:
    """What lies beside a run's record."""

    patch: Shown | None
    """None: it is not to be shown."""
    logs: tuple[Shown, ...]
    """Last lines of each evaluation; empty where they were not kept."""
    trajectory: Trajectory

    def within(self, room: int) -> "RunFiles":
        """As much as fits into so many characters, about."""
        patch = None if self.patch is None else shortened(self.patch, int(_PATCH * room))
        logs = tuple(shortened(log, int(_LOG * room), keep_end=True) for log in self.logs)
        taken = length(patch or "") + sum(map(length, logs))
        return RunFiles(patch, logs, self.trajectory.within(room - taken))

    @property
    def is_whole(self) -> bool:
        return isinstance(self.patch, str | None) and self.trajectory.is_whole and all(isinstance(log, str) for log in self.logs)


def read_run_files(entry: ReportedRun, room: int, with_patches: bool, with_trajectory: bool = True) -> RunFiles:
    """As much as fits into the room. Gold is never shown: its place is the vault."""
    shows = with_patches and entry.run.step.agent != "gold"
    files = RunFiles(
        patch=_read_patch(entry.attempt / "patch.diff", room) if shows else None,
        logs=tuple(_read_log(entry.logs(made.variant_seed), room) for made in entry.run.evaluations),
        trajectory=read_trajectory(entry.attempt / "trajectory.json") if shows and with_trajectory else Trajectory(),
    )
    return files.within(room)


def run_detail(entry: ReportedRun, files: RunFiles, target: Path, with_patches: bool) -> dict[str, Any]:
    """A run as JSON; where something was cut, with a link from the folder `target` to the whole in the campaign's."""
    story = files.trajectory
    return {
        "facts": _facts(entry.run, with_patches),
        "flags": [[flag.kind, flag.evidence if with_patches else ""] for flag in entry.run.flags],
        "evaluations": [_evaluation(made, log) for made, log in zip(entry.run.evaluations, files.logs, strict=True)],
        "patch": files.patch,
        "turns": [[turn.who, turn.texts] for turn in story.turns],
        "left_out": [story.left_out, story.missing_at],
        "whole": "" if files.is_whole else quote(Path(os.path.relpath(entry.attempt, target)).as_posix()),
    }


def _facts(run: Run, with_patches: bool) -> list[list[str]]:
    step = run.step
    return [
        ["agent ended", f"{step.outcome} {step.detail if with_patches else ''}".strip()],
        ["model", step.model or "none"],
        ["tokens in, out, cached", f"{step.tokens.input}, {step.tokens.output}, {step.tokens.cached}"],
        ["turns", str(step.turns)],
        ["patch", f"files: {len(step.files)}, lines: +{step.lines_added} -{step.lines_removed}"],
        ["recall, precision", f"{run.file_recall:.2f}, {run.file_precision:.2f}"],
        ["attempt", str(run.attempt)],
        *([] if run.score is None else [["score", f"{run.score:.3f}"]]),
        *([] if run.claim is None else [["claim", _claim(run.claim)]]),
    ]


def _claim(claim: Claim) -> str:
    chance = "" if claim.success is None else f"success with a chance of {claim.success:.0%}"
    figure = "" if claim.figure is None else f"figure from {claim.figure[0]:.6g} to {claim.figure[1]:.6g}"
    return claim.defect or ", ".join(filter(None, (chance, figure))) or "empty"


def _evaluation(evaluation: Evaluation, log: Shown) -> dict[str, Any]:
    where = " ".join(part for part in (evaluation.exception, evaluation.frame) if part)
    return {
        "head": f"variant {evaluation.variant_seed}: {evaluation.outcome} after {evaluation.seconds:.0f} s",
        "detail": " ".join(part for part in (evaluation.detail, where) if part),
        "metrics": [_metric(metric) for metric in evaluation.metrics],
        "figure": _figure(evaluation.figure),
        "complaints": [*evaluation.broken_guards, *(told for table in evaluation.tables for told in _rows(table))],
        "landmarks": [[name, reached] for name, reached in evaluation.landmarks.items()],
        "log": log,
        "logs": f"evaluation-{evaluation.variant_seed}",
    }


def _figure(figure: FigureVerdict | None) -> list[list[str]]:
    """The figure of a scored task beside what it is measured by; empty where there is none."""
    if figure is None:
        return []
    told = [[figure.name, f"{figure.value:.6g}"], ["base", f"{figure.base:.6g}"], ["gold", f"{figure.gold:.6g}"]]
    if figure.ceiling is not None:
        told.append(["ceiling", f"{figure.ceiling:.6g}"])
    told.append(["score", f"{figure.score:.3f}, a success from {figure.accepted_from:.3f} on"])
    if figure.share is not None:
        told.append(["way to the ceiling", f"{figure.share:.0%}"])
    if figure.strata:
        told.append(["score by stratum", ", ".join(f"{name} {value:.2f}" for name, value in figure.strata.items())])
    return told


def _rows(table: TableVerdict) -> list[str]:
    head = f"{table.path}: {table.agreeing} of {table.rows} rows are gold's"
    return [head, *(f"{table.path}: {difference}" for difference in table.differences)]


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
    return [metric.name, _value(metric.value), _value(metric.gold), interval, verdict, place]


def _value(value: int | float | str) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _read_patch(path: Path, longest: int) -> Shown:
    try:
        with open_plain(path) as file:
            text = file.read(4 * longest + 4).decode(errors="replace")
            left = os.fstat(file.fileno()).st_size - file.tell()
    except (OSError, NotTaken):
        return ""
    return shortened((text, left) if left else text, longest)


def _read_log(folder: Path, longest: int) -> Shown:
    ends = {name: _tail(folder / f"{name}.log", longest // 2) for name in ("stdout", "stderr")}
    text = "\n".join(f"[{name}]\n{end}" for name, (end, _) in ends.items() if end)
    left = sum(missing for _, missing in ends.values())
    return (text, left) if left else text


def _tail(path: Path, longest: int) -> tuple[str, int]:
    """The end of a log, and how much is before it, in bytes."""
    try:
        with open_plain(path) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - 4 * longest))
            end = file.read(4 * longest).decode(errors="replace")[-longest:]
            return end, max(0, size - len(end.encode()))
    except (OSError, NotTaken):
        return "", 0
