"""A question to a cluster's node: would a step work there? Goes the same way as a step, and answers into the shared folder."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import BaseModel

import rexbench
from rexbench.campaign.executors.ledger import write_whole
from rexbench.environment.build import ENVIRONMENTS, describe, is_built
from rexbench.errors import RexbenchError
from rexbench.places import home, scratch
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.sandbox.choose import choose_sandbox
from rexbench.sandbox.protocol import Job, ResourceLimits

ANSWER = "answer.json"


class Question(BaseModel):
    """What the node is asked."""

    folder: str
    """A folder that both sides should see; holds a file `token`, and a file `lock` that the asker keeps locked."""
    home: str
    sandbox: str
    unsafe: bool = False


class Answer(BaseModel):
    """What the node says."""

    node: str
    version: str
    """Of rexbench there."""
    python: str
    token: str
    """Read back from the shared folder."""
    clock: float
    """Seconds since 1970, when it answered."""
    lock_holds: bool
    """Whether the asker's lock kept the node out, as it must."""
    home_fault: str
    """Why files cannot be written, or sockets made, in rexbench's home; empty where they can."""
    environments: dict[str, bool]
    """Whether each environment is built, as this node's interpreter needs it."""
    sandbox_fault: str
    """Why the sandbox cannot run a command there; empty where it did."""
    machine: str
    """The kind of machine; live gold is made once for each."""
    cores: int
    memory_gb: float
    gpus: list[str]
    visible_gpus: str | None
    """CUDA_VISIBLE_DEVICES as the cluster has set it."""


def examine_node(question: str) -> None:
    """Look at everything, and leave the answer in the shared folder."""
    asked = Question.model_validate_json(question)
    os.environ["REXBENCH_HOME"] = asked.home
    folder = Path(asked.folder)
    answer = Answer(
        node=os.environ.get("SLURMD_NODENAME") or socket.gethostname(),
        version=rexbench.__version__,
        python=sys.version.split()[0],
        token=(folder / "token").read_text(),
        lock_holds=_is_locked(folder / "lock"),
        home_fault=_home_fault(),
        environments={name: is_built(describe(name)) for name in ENVIRONMENTS},
        sandbox_fault=_sandbox_fault(asked),
        machine=machine_fingerprint(),
        cores=len(os.sched_getaffinity(0)),
        memory_gb=round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1),
        gpus=list_gpus(),
        visible_gpus=os.environ.get("CUDA_VISIBLE_DEVICES"),
        clock=time.time(),
    )
    write_whole(folder / ANSWER, answer.model_dump_json())


def list_gpus() -> list[str]:
    """Names of the GPUs that the driver shows here."""
    if not shutil.which("nvidia-smi"):
        return []
    told = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=False)
    return [line.strip() for line in told.stdout.splitlines() if line.strip()] if told.returncode == 0 else []


def _is_locked(path: Path) -> bool:
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def _home_fault() -> str:
    try:
        with scratch("probe") as folder, socket.socket(socket.AF_UNIX) as door:
            (folder / "file").write_text("x")
            at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                door.bind(
                    f"/proc/self/fd/{at}/door"
                )  # an agent's way to the gateway; the folder's own path may be too long for one
            finally:
                os.close(at)
    except OSError as error:
        return f"{home()}: {error.strerror or error}"
    return ""


def _sandbox_fault(asked: Question) -> str:
    """Run a real command in the real sandbox, with the environment's Python where that is built."""
    try:
        sandbox = choose_sandbox(asked.sandbox, asked.unsafe)
        environment = describe("base")
        if sandbox.name in ("bubblewrap", "process") and not is_built(environment):
            return ""
        with scratch("probe") as folder:
            tree = folder / "tree"
            tree.mkdir()
            limits = ResourceLimits(60, 500, 32, 16, 1)
            done = sandbox.run(Job("python -c 'import numpy' && echo ran > file", tree, sandbox.prepare("base"), limits))
            if done.status == 0 and (tree / "file").is_file():
                return ""
            return f"a command in it ended with {done.status}: {done.stderr.decode(errors='replace').strip()[-300:]}"
    except (RexbenchError, OSError) as error:
        return str(error)
