"""A question to a cluster's node: would a step work there? Goes the same way as a step, and answers into the shared folder.

python -m rexbench.campaign.executors.probe    a question on standard input
"""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import BaseModel

import rexbench
from rexbench.environment.build import ENVIRONMENTS
from rexbench.errors import RexbenchError, SystemFault
from rexbench.places import write_whole
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.sandbox.protocol import Job, ResourceLimits
from rexbench.settings import Settings
from rexbench.workbench import Workbench

ANSWER = "answer.json"
_RUNS = "python -c 'import numpy' && echo ran > file"
_USES_GPU = "python -c 'import ctypes, sys; sys.exit(ctypes.CDLL(\"libcuda.so.1\").cuInit(0))' && echo ran > file"


class Question(BaseModel):
    """What the node is asked."""

    folder: str
    """A folder that both sides should see; holds a file `token`, and a file `lock` that the asker keeps locked."""
    settings: Settings


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
    sandbox_fault: str | None
    """Why the sandbox cannot run a command there; empty where it did, None where there is no environment to try it with."""
    machine: str
    """The kind of machine; live gold is made once for each."""
    cores: int
    memory_gb: float
    gpus: list[str]
    """Models of the GPUs that a step there may use."""
    gpu_fault: str
    """Why a command in the sandbox cannot use one of them; empty where it can, or there is none."""
    visible_gpus: str | None
    """CUDA_VISIBLE_DEVICES as the cluster has set it."""


def examine_node(question: str) -> None:
    """Look at everything, and leave the answer in the shared folder."""
    asked = Question.model_validate_json(question)
    bench = Workbench(asked.settings.at_edge(os.environ))
    folder = Path(asked.folder)
    gpus = [gpu.model for gpu in bench.gpus.usable()]
    sandbox_fault = _fault_of(bench, _RUNS)
    answer = Answer(
        node=os.environ.get("SLURMD_NODENAME") or socket.gethostname(),
        version=rexbench.__version__,
        python=sys.version.split()[0],
        token=(folder / "token").read_text(),
        lock_holds=_is_locked(folder / "lock"),
        home_fault=_home_fault(bench),
        environments={name: bench.environments.is_built(name) for name in ENVIRONMENTS},
        sandbox_fault=sandbox_fault,
        machine=machine_fingerprint(bench.gpus.models(1)),
        cores=len(os.sched_getaffinity(0)),
        memory_gb=round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1),
        gpus=gpus,
        gpu_fault=(_fault_of(bench, _USES_GPU, gpus=1) or "") if gpus and not sandbox_fault else "",
        visible_gpus=os.environ.get("CUDA_VISIBLE_DEVICES"),
        clock=time.time(),
    )
    write_whole(folder / ANSWER, answer.model_dump_json())


def examine_in_process(question: str) -> None:
    """Look at everything from a process of its own: a Dask worker's own variables are not ours to change."""
    command = [sys.executable, "-m", "rexbench.campaign.executors.probe"]
    variables = os.environ | {"PYTHONSAFEPATH": "1"}
    done = subprocess.run(command, input=question, capture_output=True, text=True, check=False, env=variables)
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise SystemFault(words[-1][:300] if words else f"the probe's process ended with {done.returncode}")


def _is_locked(path: Path) -> bool:
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def _home_fault(bench: Workbench) -> str:
    try:
        with bench.home.scratch("probe") as folder, socket.socket(socket.AF_UNIX) as door:
            (folder / "file").write_text("x")
            at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                # An agent's way to the gateway; the folder's own path may be too long for a socket's.
                door.bind(f"/proc/self/fd/{at}/door")
            finally:
                os.close(at)
    except (OSError, RexbenchError) as error:
        return f"{bench.home.folder}: {error}"
    return ""


def _fault_of(bench: Workbench, command: str, gpus: int = 0) -> str | None:
    """Why a real command in the real sandbox fails; empty where it does not, None where its environment is not built yet."""
    try:
        sandbox = bench.sandbox
        if sandbox.name in ("bubblewrap", "process") and not bench.environments.is_built("base"):
            return None
        with bench.home.scratch("probe") as folder, bench.gpus.leased(gpus) as leased:
            tree = folder / "tree"
            tree.mkdir()
            limits = ResourceLimits(60, 8000 if gpus else 500, 32, 16, 1)
            done = sandbox.run(Job(command, tree, sandbox.prepare("base"), limits, gpus=leased))
            if done.status == 0 and (tree / "file").is_file():
                return ""
            return f"a command in it ended with {done.status}: {done.stderr.decode(errors='replace').strip()[-300:]}"
    except (RexbenchError, OSError) as error:
        return str(error)


if __name__ == "__main__":
    examine_node(sys.stdin.read())
