"""A campaign on disk, and the only truth about it.

    campaign.json                      the plan
    runs/AGENT/TASK/HINTS/N/
      attempt-1/                       agent.json, patch.diff, exchanges.jsonl.gz, trajectory.json, agent/ (the program's own logs)
      attempt-2/                       only after a fault of ours
      fault-1.json                     what kept a step from being done; a run may have several and a verdict all the same
      evaluation-SEED/                 stdout.log and stderr.log of the experiment, or their ends
      run.json                         the verdict; written last

Every file is whole or not there: attempts are made in scratch folders and renamed into place. What is there is never changed. The
folder may come from elsewhere: what is read is bounded and checked, names become paths only where they are plain, and a link is
refused wherever something is written.
"""

import hmac
import os
import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from rexbench.campaign.plan import Plan, RunSpec
from rexbench.campaign.reach import reach_of, seal_of
from rexbench.errors import RexbenchError
from rexbench.places import owner_mark, remove_tree, write_whole
from rexbench.record.model import AgentStep, Run, StepFault
from rexbench.text import printable
from rexbench.untrusted import parse_json, read_plain, refuse_links
from rexbench.workspace.patch import MAX_PATCH

Kind = TypeVar("Kind", bound=BaseModel)
_PLAN = "campaign.json"
LOG_BYTES = 64 * 1024
_SEAL = "campaign.seal"
_JOBS = ".slurm/jobs"
"""Where submitit keeps its own files, links among them."""
_DEPTH = 6
"""How far down there are names of ours: runs/AGENT/TASK/HINTS/N/attempt-1."""
_MAX_RECORD = 16 * 2**20
RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}/[a-z0-9]+(-[a-z0-9]+)*/(none|hints|detailed)/[1-9]\d{0,4}")
_ATTEMPT = re.compile(r"attempt-([1-9]\d{0,5})")


class Campaign:
    """The records of one campaign."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    @classmethod
    def create(cls, folder: Path, plan: Plan, secret: bytes | None = None) -> "Campaign":
        """Start a campaign in a new folder; with the home's secret, as one that a command line of this home wanted."""
        campaign = cls(folder)
        check_free(folder)
        folder.mkdir(parents=True, exist_ok=True)
        content = plan.model_dump_json(indent=1) + "\n"
        if secret:
            write_whole(campaign.folder / _SEAL, seal_of(content.encode(), secret) + "\n")
        write_whole(campaign.folder / _PLAN, content)
        return campaign

    @classmethod
    def open(cls, folder: Path) -> "Campaign":
        """A campaign that was started before, here or elsewhere."""
        if not (folder / _PLAN).is_file():
            raise RexbenchError(f"{folder} holds no campaign ({_PLAN} is missing).")
        refuse_links(folder, _DEPTH, _JOBS)
        return cls(folder)

    @property
    def plan(self) -> Plan:
        found = _read(self.folder / _PLAN, Plan)
        if found is None:
            raise RexbenchError(f"{self.folder} holds no campaign ({_PLAN} is missing).")
        return found

    def check_reach(self, secret: bytes) -> None:
        """Refuse to go on with a plan that cannot be carried out, or reaches beyond the suite and has not this secret's seal."""
        plan = self.plan
        without = [task for task in plan.tasks if not plan.seeds.get(task)]
        if without:
            raise RexbenchError(f"{self.folder / _PLAN} names no held-out seeds for {without[0]}.")
        reach = list(reach_of(plan))
        try:
            seal = read_plain(self.folder / _SEAL, 1000).strip()
        except FileNotFoundError:
            seal = b""
        wanted = seal_of(read_plain(self.folder / _PLAN, _MAX_RECORD), secret)
        if reach and not hmac.compare_digest(seal, wanted.encode()):
            raise RexbenchError(
                f"{self.folder} was not started from here, and its plan names {printable(', '.join(reach), 200)}; "
                "only the command line may, so start a campaign of your own with rexbench run."
            )

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other program from conducting this campaign at the same time."""
        refuse_links(self.folder, _DEPTH, _JOBS)  # a lock is emptied, and attempts are moved into place, whatever a link leads to
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
        if not RUN_NAME.fullmatch(run):
            raise RexbenchError(f"{self.folder}: {printable(run, 100)!r} is not the name of a run (AGENT/TASK/HINTS/N).")
        return self.folder / "runs" / run

    def attempts(self, run: str) -> list[int]:
        """Numbers of the attempts that are on record."""
        return sorted(int(found.group(1)) for name in self._names(run) if (found := _ATTEMPT.fullmatch(name)))

    def attempt_folder(self, run: str, attempt: int) -> Path:
        return self.run_folder(run) / f"attempt-{attempt}"

    def agent_step(self, run: str, attempt: int) -> AgentStep | None:
        return _read(self.attempt_folder(run, attempt) / "agent.json", AgentStep)

    def patch(self, run: str, attempt: int) -> bytes:
        """What an attempt left; raises where that is not there or more than a patch may be."""
        path = self.attempt_folder(run, attempt) / "patch.diff"
        try:
            return read_plain(path, MAX_PATCH)
        except FileNotFoundError as error:
            raise RexbenchError(f"{path} is missing; the folder of the campaign is not whole.") from error

    def find_run(self, run: str) -> Run | None:
        path = self.run_folder(run) / "run.json"
        found = _read(path, Run)
        if found and not found.id == f"{found.agent}/{found.task}/{found.hints}/{found.repetition}" == run:
            raise RexbenchError(f"{path} is the record of another run: {printable(found.id, 100)!r}.")
        return found

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
        _write(folder / f"fault-{len(self._faults(run)) + 1}.json", fault)

    def has_fault(self, run: str) -> bool:
        """Whether a fault of ours is on record for a run, as such or as the end of its last attempt."""
        if self._faults(run):
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
        found = (self.find_run(run) for run in self.names())
        return [run for run in found if run]

    def names(self) -> list[str]:
        """What stands where runs stand, finished or not."""
        names = [""]
        for _ in range(4):
            names = [f"{at}/{name}" if at else name for at in names for name in _folders(self.folder / "runs" / at)]
        return names

    def faults(self, run: str) -> list[StepFault]:
        """The faults of ours that are on record for a run."""
        found = (_read(self.run_folder(run) / name, StepFault) for name in self._faults(run))
        return [fault for fault in found if fault]

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
        for name in _folders(self.folder / ".scratch"):
            host, _, rest = name.partition(f"{socket.gethostname()}-")
            owner, _, _ = rest.rpartition("-")
            number = owner.partition("_")[0]
            if not host and number.isdecimal() and owner != owner_mark(int(number)):
                remove_tree(self.folder / ".scratch" / name)

    def _names(self, run: str) -> list[str]:
        with suppress(FileNotFoundError, NotADirectoryError):
            return sorted(os.listdir(self.run_folder(run)))
        return []

    def _faults(self, run: str) -> list[str]:
        return [name for name in self._names(run) if name.startswith("fault-") and name.endswith(".json")]


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


def _folders(folder: Path) -> list[str]:
    """Names of the folders in a folder; none where it is not there, and links are none."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as listed:
        return sorted(item.name for item in listed if item.is_dir(follow_symlinks=False))
    return []


def _write(path: Path, record: BaseModel) -> None:
    write_whole(path, record.model_dump_json(indent=1) + "\n")


def _read(path: Path, kind: type[Kind]) -> Kind | None:
    try:
        return kind.model_validate(parse_json(read_plain(path, _MAX_RECORD), path))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False)[0]
        where = printable(".".join(map(str, first["loc"])), 100)
        raise RexbenchError(
            f"{path} is damaged or of another version: {printable(first['msg'])} at {where or 'its top'}."
        ) from error
