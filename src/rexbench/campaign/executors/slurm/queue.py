"""What Slurm says about a campaign's jobs. Asks `squeue`, which every cluster has; `sacct` needs a database that many have not."""

import os
import subprocess
from dataclasses import dataclass

from rexbench.errors import SystemFault

WAITING = frozenset({"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"})
ACTIVE = WAITING | {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING", "STAGE_OUT"}
_COLUMNS = {"JobArrayID": 40, "State": 24, "RestartCnt": 12, "Comment": 40, "Reason": 40, "NodeList": 80}
_SECONDS = 60


@dataclass(frozen=True)
class Seen:
    """One job, as the controller sees it."""

    id: str
    state: str
    restarts: int
    comment: str
    reason: str
    node: str

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    @property
    def was_requeued(self) -> bool:
        """Back in the queue after it had been started, by an administrator, a preemption or a failed node."""
        return self.restarts > 0 and self.state in WAITING


def look(name: str) -> dict[str, Seen]:
    """Our jobs of this name by their number, those included that ended within the last minutes."""
    columns = ",".join(f"{column}:{width}" for column, width in _COLUMNS.items())
    command = ["squeue", "--noheader", "--array", "--states=all", f"--user={os.getuid()}", f"--name={name}", f"--Format={columns}"]
    seen = [_read(line) for line in _call(command).splitlines() if line.strip()]
    return {job.id: job for job in seen}


def cancel(job: str) -> None:
    _call(["scancel", "--quiet", job])


def _read(line: str) -> Seen:
    cells, at = [], 0
    for width in _COLUMNS.values():
        cells.append(line[at : at + width].strip())
        at += width
    job, state, restarts, comment, reason, node = cells
    return Seen(job, state, int(restarts or 0), comment, reason, node)


def _call(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
    except FileNotFoundError as error:
        raise SystemFault(f"{command[0]} is not installed here; run this on a login node of the Slurm cluster.") from error
    except subprocess.TimeoutExpired as error:
        raise SystemFault(f"{command[0]} did not answer within {_SECONDS} seconds.") from error
    if done.returncode:
        raise SystemFault(f"{command[0]} failed: {done.stderr.strip()[-300:]}")
    return done.stdout
