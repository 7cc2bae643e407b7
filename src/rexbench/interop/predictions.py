"""Predictions, one JSON object a line, in the field names of SWE-bench or in ours:

{"instance_id": "othello", "model_name_or_path": "my-agent", "model_patch": "diff --git ..."}
{"task": "othello", "agent": "my-agent", "patch": "diff --git ...", "hints": "detailed", "run": 2}
"""

import os
import re
from collections import Counter
from pathlib import Path

from rexbench.campaign.plan import MAX_REPETITIONS
from rexbench.errors import RexbenchError
from rexbench.interop.patches import HandedIn
from rexbench.task.folder import HINT_LEVELS, HintLevel
from rexbench.task.schema import TASK_ID
from rexbench.text import printable
from rexbench.untrusted import NotTaken, open_plain, parse_json
from rexbench.workspace.patch import MAX_PATCH

_MAX_BYTES = 512 * 2**20
_MAX_LINE = 6 * MAX_PATCH + 2**16
"""A character of a patch may take six in JSON."""


def read_predictions(path: Path) -> list[HandedIn]:
    """Every prediction; a line that cannot be used is named with its number. Repeated ones count as repetitions, in file order."""
    found: list[HandedIn] = []
    counted: Counter[tuple[str, str, str]] = Counter()
    spelled: dict[str, str] = {}
    try:
        with open_plain(path, follow=True) as file:
            if os.fstat(file.fileno()).st_size > _MAX_BYTES:
                raise NotTaken(path, f"is longer than {_MAX_BYTES} bytes, the most that is taken")
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), start=1):
                if line.strip():
                    found.append(_read_line(line, f"{path}, line {number}", counted, spelled))
    except FileNotFoundError as error:
        raise RexbenchError(f"{path} cannot be read: there is no such file.") from error
    if not found:
        raise RexbenchError(f"{path} holds no prediction.")
    twice = [key for key, count in Counter(one.id for one in found).items() if count > 1]
    if twice:
        raise RexbenchError(f"{path} holds {twice[0]} more than once.")
    return found


def _read_line(line: bytes, where: str, counted: Counter[tuple[str, str, str]], spelled: dict[str, str]) -> HandedIn:
    row = parse_json(line, where)
    if not isinstance(row, dict):
        raise RexbenchError(f"{where} is not a JSON object.")
    task = row.get("task", row.get("instance_id"))
    patch = row.get("patch", row.get("model_patch"))
    agent = row.get("agent", row.get("model_name_or_path", "submitted"))
    named = "patch" in row or "model_patch" in row  # null is an empty patch; no such key is a mistake
    if not isinstance(task, str) or not named or not isinstance(patch, str | None) or not isinstance(agent, str):
        raise RexbenchError(f"{where} needs `task` (or instance_id) and `patch` (or model_patch), both text.")
    if not re.fullmatch(TASK_ID, task):  # a path would be a folder whose code is run here
        raise RexbenchError(f"{where}: {printable(task, 80)!r} is not the name of a task.")
    content = (patch or "").encode()
    if len(content) > MAX_PATCH:
        raise RexbenchError(f"{where}: the patch is {len(content)} bytes long; at most {MAX_PATCH} are taken.")
    level = _level(row.get("hints", "none"), where)
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", agent).lstrip("-._+")[:64].rstrip("-.") or "submitted"
    if spelled.setdefault(name, agent) != agent:
        both = " and ".join(repr(printable(one, 80)) for one in (spelled[name], agent))
        raise RexbenchError(f"{where}: the agents {both} would both be called {name!r}; rename one.")
    counted[name, task, level] += 1
    repetition = row.get("run", counted[name, task, level])
    if not isinstance(repetition, int) or isinstance(repetition, bool) or not 1 <= repetition <= MAX_REPETITIONS:
        raise RexbenchError(f"{where}: `run` counts repetitions from 1; {printable(repr(repetition), 80)} does not.")
    return HandedIn(name, task, level, repetition, content)


def _level(name: object, where: str) -> HintLevel:
    for level in HINT_LEVELS:
        if level == name:
            return level
    raise RexbenchError(f"{where}: there is no hint level {printable(repr(name), 80)}; there are: {', '.join(HINT_LEVELS)}.")
