"""Records on disk.

    executions/ab/<key>/   execution.json, patch.diff, stdout.log, stderr.log, artefacts/
    evaluations/ab/<key>.json
    superseded/            what --fresh replaced; nothing is ever deleted

A record is there whole or not at all: it is written in a scratch folder, flushed, and renamed into place.
"""

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rexbench.errors import RexbenchError
from rexbench.places import Home, flush_folder
from rexbench.record.model import Evaluation, Execution
from rexbench.text import printable
from rexbench.untrusted import NotTaken, read_plain

Record = TypeVar("Record", bound=BaseModel)


class Store:
    """The records of one home."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def execution_folder(self, key: str) -> Path:
        return self._home / "executions" / _plain(key)[:2] / key

    def evaluation_file(self, key: str) -> Path:
        return self._home / "evaluations" / _plain(key)[:2] / f"{key}.json"

    def find_execution(self, key: str) -> Execution | None:
        return self._read(self.execution_folder(key) / "execution.json", Execution)

    def find_evaluation(self, key: str) -> Evaluation | None:
        return self._read(self.evaluation_file(key), Evaluation)

    def keep_execution(self, execution: Execution, draft: Path) -> Path:
        """Move a draft folder with the execution's files into place; an earlier record of the same key is set aside."""
        _write(draft / "execution.json", execution)
        target = self.execution_folder(execution.key)
        target.parent.mkdir(parents=True, exist_ok=True)
        self._set_aside(target)
        try:
            draft.rename(target)
        except OSError:
            if self.find_execution(execution.key) is None:
                raise
            return target  # another worker was first with the same execution
        flush_folder(target.parent)
        return target

    def keep_evaluation(self, evaluation: Evaluation) -> Path:
        """Write an evaluation; the same key written again by another worker is the same content."""
        target = self.evaluation_file(evaluation.key)
        target.parent.mkdir(parents=True, exist_ok=True)
        with self._home.scratch("evaluation") as draft:
            _write(draft / "evaluation.json", evaluation)
            (draft / "evaluation.json").rename(target)
        return target

    def _read(self, path: Path, kind: type[Record]) -> Record | None:
        try:
            return kind.model_validate_json(read_plain(path))
        except FileNotFoundError:
            return None
        except (ValidationError, NotTaken):  # a record of an older format, or a damaged disk: kept, and made anew
            self._set_aside(path.parent if kind is Execution else path)
            return None

    def _set_aside(self, path: Path) -> None:
        if path.exists():
            aside = self._home / "superseded" / f"{path.name}-{time.time_ns()}"
            aside.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # another worker set it aside a moment ago
                path.rename(aside)


def _plain(key: str) -> str:
    """A key may come out of a record that somebody else wrote; only a digest becomes a path."""
    if not re.fullmatch(r"[0-9a-f]{64}", key):
        raise RexbenchError(f"{printable(key, 80)!r} is not the key of a record.")
    return key


def _write(path: Path, record: BaseModel) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(record.model_dump_json(indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
