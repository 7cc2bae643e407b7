"""Blind attempts: how hard a task is, measured by somebody who sees nothing but what an agent would see.

    DIR/workspace/     what an agent would get
    DIR/BRIEF.md       what whoever attempts it is told: the folder, the interpreter, the minutes, the report that is wanted
    DIR/attempt.json   what is needed to close it; holds nothing that helps

Closing captures the workspace, judges it as any patch, and appends a line to the task's `authoring/attempts.csv`.
"""

import csv
import datetime
import io
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.api.bench import Bench, HeldOut
from rexbench.errors import RexbenchError
from rexbench.evaluation.evaluate import Verdict
from rexbench.places import write_whole
from rexbench.task.folder import HintLevel, Task

COLUMNS = ("hints", "minutes", "score", "claimed", "outcome", "approach", "edition", "date")
_RECORD = "attempt.json"
_BRIEF = """\
# A blind attempt

Work in `{workspace}` and in no other folder. Read `instructions.md` there and carry out the task. Use the interpreter
`{python}` and one core. You have {minutes:g} minutes. Do not look at any other folder, search nothing, start nobody.

Before you end, write `CLAIM.json` in the workspace: `{{"success": P{figure}}}`, your probability that the work will be
judged a success{interval}. Then report your approach in a few lines, with the figures that you measured and the minutes that
you took.
"""


class Attempt(BaseModel):
    """An attempt that was begun."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    hints: HintLevel
    minutes: float
    begun_at: str


def begin_attempt(bench: Bench, task: str | Path | Task, folder: Path, hints: HintLevel = "none", minutes: float = 45.0) -> Path:
    """Lay a workspace out, outside of everything that could give the answer away; returns the brief's path."""
    found, folder = bench.task(task), folder.absolute()
    for kept in (bench.home.folder, _repository(found.folder.parent), _repository(bench.suite.folder)):
        if folder.resolve().is_relative_to(kept.resolve()):
            raise RexbenchError(f"{folder} lies inside {kept}, which holds more than an attempt may see; name a folder elsewhere.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RexbenchError(f"{folder} exists and is no empty folder; name a new one.")
    workspace = bench.workspace(found, folder / "workspace", hints)
    record = Attempt(task=bench.suite.address(found), hints=hints, minutes=minutes, begun_at=_now())
    (folder / _RECORD).write_text(record.model_dump_json(indent=1) + "\n", encoding="utf-8")
    scored = found.spec.figure is not None
    told = _BRIEF.format(
        workspace=workspace,
        python=bench.sandbox.prepare(found.spec.environment).bin / "python",
        minutes=minutes,
        figure=', "figure": [LOW, HIGH]' if scored else "",
        interval=f", and an 80 % interval for the {found.spec.figure.name} on held-out worlds" if found.spec.figure else "",
    )
    brief = folder / "BRIEF.md"
    brief.write_text(told, encoding="utf-8")
    return brief


def close_attempt(bench: Bench, folder: Path, approach: str = "", minutes: float | None = None) -> Verdict:
    """Judge what was left in the workspace and put it on record with the task."""
    try:
        begun = Attempt.model_validate_json((folder / _RECORD).read_bytes())
    except FileNotFoundError as error:
        raise RexbenchError(f"{folder} holds no attempt; begin one with: rexbench attempt TASK {folder}") from error
    except (ValidationError, OSError) as error:
        raise RexbenchError(f"{folder / _RECORD} is damaged; begin the attempt again in a new folder.") from error
    task = bench.task(Path(begun.task)) if begun.task.startswith("/") else bench.task(begun.task)
    verdict = bench.evaluate(task, folder / "workspace", HeldOut())
    if verdict.outcome == "system_fault":
        return verdict
    claim = verdict.first.claim
    row = {
        "hints": begun.hints,
        "minutes": f"{begun.minutes if minutes is None else minutes:g}",
        "score": "" if verdict.score is None else f"{verdict.score:.3f}",
        "claimed": "" if claim is None or claim.success is None else f"{claim.success:g}",
        "outcome": verdict.outcome,
        "approach": " ".join(approach.split())[:300],
        "edition": str(task.spec.edition),
        "date": _now()[:10],
    }
    _append(task.folder / "authoring" / "attempts.csv", row)
    return verdict


def _append(path: Path, row: dict[str, str]) -> None:
    """One line more; a file with fewer columns, or others beside ours, keeps what it has."""
    path.parent.mkdir(exist_ok=True)
    before = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []
    columns = dict.fromkeys([*COLUMNS, *(name for line in before for name in line if name)])
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows([*before, row])
    write_whole(path, text.getvalue())


def _repository(tasks: Path) -> Path:
    """The repository that a folder of tasks is part of; the folder itself where it is part of none."""
    return next((folder for folder in (tasks, *tasks.parents) if (folder / ".git").exists()), tasks)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
