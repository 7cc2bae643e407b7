"""An agent's program as a sandbox is to run it: the relay before it, its door, its folder, its limits."""

import shlex
from collections.abc import Callable
from pathlib import Path

from rexbench.agent.install import Program
from rexbench.agent.prompt import make_prompt
from rexbench.agent.protocol import OUTPUT, PROGRAM, Launch
from rexbench.agent.settings import Agent
from rexbench.environment.build import Environment
from rexbench.gateway import relay
from rexbench.sandbox.protocol import ENVIRONMENT, Job, ResourceLimits

_DOOR = "/run/rexbench/gateway.sock"
_RELAY = "/opt/rexbench-relay.py"
_NO_PYTHON = "/opt/rexbench-no-python"


def lay_out(folder: Path, agent: Agent, launch: Launch) -> None:
    """The agent's own folder, with what it finds there at the start."""
    output = folder / "output"
    output.mkdir()
    for name, content in {"task.md": make_prompt(agent) + "\n", **launch.files}.items():
        (output / name).write_text(content, encoding="utf-8")


def make_job(
    folder: Path,
    agent: Agent,
    environment: Environment,
    launch: Launch,
    program: Program | None,
    door: Path,
    stop: Callable[[], bool],
) -> Job:
    """The program's start in a sandbox. Of the door only the socket is shown: the folder around it is ours alone."""
    limits = agent.limits
    mounts = {_DOOR: door, _RELAY: Path(relay.__file__)}
    if program:
        mounts[PROGRAM] = program.folder
        if program.interpreter and not program.interpreter.is_relative_to("/usr"):
            mounts[str(program.interpreter)] = program.interpreter
    variables = dict(launch.variables)
    if agent.condition == "paper":
        mounts[_NO_PYTHON] = _stubs(folder / "no-python")
        variables["PATH"] = f"{_NO_PYTHON}:/usr/local/bin:/usr/bin:/bin"
    # Both streams go to files of the agent's own folder, which count towards its disk: a chatty agent is no reason to end it.
    inner = f"exec {shlex.join(launch.command)} > {OUTPUT}/stdout.log 2> {OUTPUT}/stderr.log < /dev/null"
    return Job(
        shlex.join([f"{ENVIRONMENT}/bin/python", "-I", _RELAY, _DOOR, "bash", "-c", inner]),
        folder / "workspace",
        environment,
        ResourceLimits(None, limits.memory_mb, limits.processes, limits.disk_mb, output_mb=64, wall_seconds=limits.seconds),
        variables=variables,
        mounts=mounts,
        writable={OUTPUT: folder / "output"},
        stop=stop,
    )


def _stubs(folder: Path) -> Path:
    """Programs of Python's names that only say no: agents of the paper's condition could not execute Python."""
    folder.mkdir()
    for name in ("python", "python3", "pip", "pip3", "uv", "ipython", "pytest"):
        stub = folder / name
        stub.write_text("#!/bin/sh\necho 'Python cannot be executed in this condition.' >&2\nexit 126\n")
        stub.chmod(0o755)
    return folder
