"""Jobs of Harbor as patches to be judged: what each trial left, with its trajectory and what Harbor says that it used.

A trial is a folder with a `result.json`; its patch is the one that `HostVerifier` kept, or is captured from the workspace that
Harbor collected. The folder comes from elsewhere: everything is read within bounds, and rewards in it are not looked at.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rexbench.errors import RexbenchError, UnknownTask
from rexbench.interop.harbor.folders import SEPARATOR
from rexbench.interop.patches import HandedIn, Told
from rexbench.record.model import TokenCount
from rexbench.task.folder import HintLevel, Task, hint_level
from rexbench.task.schema import TASK_ID
from rexbench.text import printable
from rexbench.untrusted import NotTaken, parse_json, read_plain
from rexbench.workbench import Workbench
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import MAX_PATCH

_MAX_TRIALS = 10_000
_MAX_TRAJECTORY = 64 * 2**20


def read_job(job: Path, bench: Workbench) -> list[HandedIn]:
    """What the trials of a job left, in the order of their names; repeated ones count as repetitions."""
    counted: Counter[str] = Counter()
    found = []
    for trial in _trials(job):
        result = parse_json(read_plain(Path("result.json"), inside=trial), trial / "result.json")
        agent, model = _agent(result)
        task, level = _task(result, trial, bench)
        counted[f"{agent}/{task.id}/{level}"] += 1
        patch = _patch(trial, task, bench)
        told = _told(result, model, trial)
        found.append(HandedIn(agent, task.id, level, counted[f"{agent}/{task.id}/{level}"], patch, told))
    if not found:
        raise RexbenchError(f"{job} holds no trial of Harbor (no folder in it has a result.json).")
    return found


def _trials(job: Path) -> Iterator[Path]:
    if not job.is_dir():
        raise RexbenchError(f"{job} is no folder of a job of Harbor.")
    names = sorted(item.name for item in os.scandir(job) if item.is_dir(follow_symlinks=False))
    if len(names) > _MAX_TRIALS:
        raise NotTaken(job, f"holds more than {_MAX_TRIALS} trials")
    for name in names:
        if (job / name / "result.json").is_file():
            yield job / name


def _task(result: Any, trial: Path, bench: Workbench) -> tuple[Task, HintLevel]:
    named = _text(result, "task_name").rpartition("/")[2]
    name, _, level = named.partition(SEPARATOR)
    if not re.fullmatch(TASK_ID, name):
        raise NotTaken(trial, f"is a trial of {printable(named, 80)!r}, which is no task of rexbench")
    try:
        return bench.suite.load(name), hint_level(level or "none")
    except UnknownTask as error:
        raise NotTaken(trial, f"is a trial of {name!r}, which this suite does not have") from error


def _agent(result: Any) -> tuple[str, str]:
    """A name that a run can have, and the model's."""
    info = result.get("agent_info") if isinstance(result, dict) else None
    model = info.get("model_info") if isinstance(info, dict) else None
    provider, called = _text(model, "provider"), _text(model, "name")
    name = _text(info, "name") or "harbor"
    plain = re.sub(r"[^A-Za-z0-9._+-]+", "-", f"{name}-{called}" if called else name).lstrip("-._+")[:64].rstrip("-.")
    return plain or "harbor", f"{provider}/{called}" if provider else called


def _patch(trial: Path, task: Task, bench: Workbench) -> bytes:
    try:
        return read_plain(Path("verifier/patch.diff"), MAX_PATCH, inside=trial)
    except FileNotFoundError:
        tree = trial / "artifacts" / "workspace"
    if not tree.is_dir() or tree.is_symlink() or tree.parent.is_symlink():
        raise NotTaken(trial, "has neither a patch (verifier/patch.diff) nor a workspace (artifacts/workspace)")
    return capture_patch(task, tree, bench.home).patch


def _told(result: Any, model: str, trial: Path) -> Told:
    used = result.get("agent_result")
    used = used if isinstance(used, dict) else {}
    counts = {name: value for name in ("input", "output", "cache") if isinstance(value := used.get(f"n_{name}_tokens"), int)}
    cost = used.get("cost_usd")
    return Told(
        model=printable(model, 100),
        tokens=TokenCount(input=counts.get("input", 0), output=counts.get("output", 0), cached=counts.get("cache", 0)),
        cost_usd=float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and cost >= 0 else None,
        trajectory=_trajectory(trial),
    )


def _trajectory(trial: Path) -> bytes:
    """The agent's ATIF file as it is; nothing where there is none that can be read."""
    try:
        content = read_plain(Path("agent/trajectory.json"), _MAX_TRAJECTORY, inside=trial)
        steps = parse_json(content, trial)
    except (FileNotFoundError, NotTaken):
        return b""
    return content if isinstance(steps, dict) and isinstance(steps.get("steps"), list) else b""


def _text(value: Any, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
