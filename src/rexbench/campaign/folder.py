"""A campaign on disk, and the only truth about it.

    campaign.json                      the plan
    runs/AGENT/TASK/HINTS/N/
      attempt-1/                       agent.json, patch.diff, exchanges.jsonl.gz, trajectory.json, agent/ (the program's own logs)
      attempt-2/                       only after a fault of ours
      fault-1.json                     what kept a step from being done; a run may have several and a verdict all the same
      evaluation-SEED/                 stdout.log and stderr.log of the experiment, or their ends
      run.json                         the verdict; written last

Every file is whole or not there: attempts are made in scratch folders and renamed into place. What is there is never changed.
"""

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from rexbench.campaign.plan import Plan, RunSpec
from rexbench.errors import RexbenchError
from rexbench.places import owner_mark, remove_tree, write_whole
from rexbench.record.model import AgentStep, Run, StepFault

Kind = TypeVar("Kind", bound=BaseModel)
_PLAN = "campaign.json"
LOG_BYTES = 64 * 1024


class Campaign:
    """The records of one campaign."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    @classmethod
    def create(cls, folder: Path, plan: Plan) -> "Campaign":
        """Start a campaign in a new folder."""
        campaign = cls(folder)
        check_free(folder)
        folder.mkdir(parents=True, exist_ok=True)
        _write(campaign.folder / _PLAN, plan)
        return campaign

    @classmethod
    def open(cls, folder: Path) -> "Campaign":
        """A campaign that was started before."""
        if not (folder / _PLAN).is_file():
            raise RexbenchError(f"{folder} holds no campaign ({_PLAN} is missing).")
        return cls(folder)

    @property
    def plan(self) -> Plan:
        try:
            return Plan.model_validate_json((self.folder / _PLAN).read_bytes())
        except ValidationError as error:
            raise RexbenchError(f"{self.folder / _PLAN} is damaged or of another version: {error.errors()[0]['msg']}.") from error

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other program from conducting this campaign at the same time."""
        lock = FileLock(self.folder / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise RexbenchError(f"Another program is running the campaign {self.folder}; wait for it, or stop it first.") from error
        try:
            yield
        finally:
            lock.release()

    def run_folder(self, run: str) -> Path:
        return self.folder / "runs" / run

    def attempts(self, run: str) -> list[int]:
        """Numbers of the attempts that are on record."""
        with suppress(FileNotFoundError):
            names = os.listdir(self.run_folder(run))
            return sorted(int(name.removeprefix("attempt-")) for name in names if name.startswith("attempt-"))
        return []

    def attempt_folder(self, run: str, attempt: int) -> Path:
        return self.run_folder(run) / f"attempt-{attempt}"

    def agent_step(self, run: str, attempt: int) -> AgentStep | None:
        return _read(self.attempt_folder(run, attempt) / "agent.json", AgentStep)

    def find_run(self, run: str) -> Run | None:
        return _read(self.run_folder(run) / "run.json", Run)

    def keep_attempt(self, run: str, attempt: int, step: AgentStep, draft: Path) -> None:
        """Move an attempt's folder into place."""
        _write(draft / "agent.json", step)
        target = self.attempt_folder(run, attempt)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.rename(target)
        except OSError:
            if not target.exists():
                raise  # else another worker was first with the same attempt: its record counts

    def keep_fault(self, run: str, fault: StepFault) -> None:
        """Put a fault of ours on record; only whoever conducts the campaign does."""
        folder = self.run_folder(run)
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / f"fault-{len(list(folder.glob('fault-*.json'))) + 1}.json", fault)

    def has_fault(self, run: str) -> bool:
        """Whether a fault of ours is on record for a run, as such or as the end of its last attempt."""
        if any(self.run_folder(run).glob("fault-*.json")):
            return True
        attempts = self.attempts(run)
        step = self.agent_step(run, attempts[-1]) if attempts else None
        return step is not None and step.outcome == "system_fault"

    def keep_logs(self, run: str, seed: int, execution: Path) -> None:
        """The ends of what an evaluation printed, so that whoever has the folder needs no record from elsewhere."""
        folder = self.run_folder(run) / f"evaluation-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("stdout.log", "stderr.log"):
            with suppress(FileNotFoundError), (execution / name).open("rb") as log:
                log.seek(max(0, log.seek(0, os.SEEK_END) - LOG_BYTES))
                (folder / name).write_bytes(log.read())

    def keep_run(self, record: Run) -> None:
        _write(self.run_folder(record.id) / "run.json", record)

    def runs(self) -> list[Run]:
        """Every finished run."""
        found = (self.find_run(path.parent.relative_to(self.folder / "runs").as_posix()) for path in self._run_files())
        return [run for run in found if run]

    @contextmanager
    def draft(self) -> Iterator[Path]:
        """A scratch folder on the campaign's own file system, so that it can be renamed into place; removed if it was not."""
        folder = self.folder / ".scratch" / f"{socket.gethostname()}-{owner_mark()}-{secrets.token_hex(4)}"
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            if folder.exists():
                remove_tree(folder)

    def sweep(self) -> None:
        """Remove what dead processes of this host left half-done; other hosts' is theirs to remove."""
        with suppress(FileNotFoundError):
            for folder in sorted((self.folder / ".scratch").iterdir()):
                host, owner, _ = folder.name.rsplit("-", 2)
                if host == socket.gethostname() and owner != owner_mark(int(owner.split("_")[0])):
                    remove_tree(folder)

    def _run_files(self) -> Iterator[Path]:
        return iter(sorted((self.folder / "runs").glob("*/*/*/*/run.json")))


def check_free(folder: Path) -> None:
    """Refuse a folder that a new campaign cannot have."""
    if (folder / _PLAN).exists():
        raise RexbenchError(f"{folder} already holds a campaign; go on with: rexbench run --resume {folder}")
    if folder.exists() and not folder.is_dir():
        raise RexbenchError(f"{folder} is a file; name a new folder.")
    if folder.exists() and any(folder.iterdir()):
        raise RexbenchError(f"{folder} exists and is not empty; name a new folder.")


def unfinished(campaign: Campaign, runs: list[RunSpec]) -> list[RunSpec]:
    """Runs without a verdict."""
    return [run for run in runs if not (campaign.run_folder(run.id) / "run.json").exists()]


def _write(path: Path, record: BaseModel) -> None:
    write_whole(path, record.model_dump_json(indent=1) + "\n")


def _read(path: Path, kind: type[Kind]) -> Kind | None:
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        first = error.errors()[0]
        raise RexbenchError(f"{path} is damaged or of another version: {first['msg']} at {first['loc']}.") from error
