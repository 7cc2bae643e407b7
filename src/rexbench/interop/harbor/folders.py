"""Tasks as folders of Harbor.

    NAME/task.toml, instruction.md
    NAME/environment/    Dockerfile, requirements.txt, workspace/ (what an agent gets)
    NAME/solution/       gold, which Harbor shows to its oracle alone
    NAME/tests/test.sh   says how the verifier is named; there is nothing in it to find

Neither truth nor seeds nor the judge are in a folder. The verdict is made on the host by `HostVerifier`, which is named when a job
is started, so that no container in which an agent's code runs holds anything that decides.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import rexbench
from rexbench.environment.build import pins
from rexbench.errors import RexbenchError
from rexbench.sandbox.protocol import ENVIRONMENT, WORKSPACE, standard_variables
from rexbench.task.folder import HintLevel, Task
from rexbench.workspace.tree import make_workspace

VERIFIER = "rexbench.interop.harbor.verifier:HostVerifier"
SEPARATOR = "--"
"""Between a task's name and its hint level; no name of a task holds it."""
_KEPT = ("PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_TASK = """\
schema_version = "1.4"
artifacts = [{{ source = "{workspace}", destination = "workspace", exclude = [".git"] }}]

[task]
name = "rexbench/{name}"
version = {version}
description = {title}

[metadata]
rexbench_task = "{task}"
rexbench_hints = "{hints}"
rexbench_digest = "{digest}"

[agent]
timeout_sec = {seconds}

[verifier]
timeout_sec = 7200.0
environment_mode = "shared"

[environment]
workdir = "{workspace}"
memory_mb = {memory}
gpus = {gpus}
"""
_TESTS = f"""\
#!/bin/bash
echo "This task is judged on the host; start the job with: --verifier {VERIFIER}" >&2
exit 1
"""
_SOLVE = f"""\
#!/bin/bash
cd {WORKSPACE} && git apply --whitespace=nowarn /solution/gold.patch
"""


def export_folders(
    tasks: Sequence[Task], hints: Sequence[HintLevel], folder: Path, image: str | None, base: str, seconds: float = 1800.0
) -> list[Path]:
    """Write a folder for each task and hint level. `image` has the task's environment already; else it is built upon `base`."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RexbenchError(f"{folder} exists and is not an empty folder; name a new one.")
    written = []
    for task in tasks:
        for level in hints:
            target = folder / folder_name(task.id, level)
            (target / "environment").mkdir(parents=True)
            _write_environment(task, level, target / "environment", image, base)
            _write_texts(task, level, target, seconds)
            written.append(target)
    return written


def folder_name(task: str, hints: HintLevel) -> str:
    """What Harbor calls a task at a hint level."""
    return task if hints == "none" else f"{task}{SEPARATOR}{hints}"


def _write_texts(task: Task, hints: HintLevel, target: Path, seconds: float) -> None:
    told = _TASK.format(
        name=target.name,
        version=json.dumps(rexbench.__version__),
        title=json.dumps(task.spec.title),
        task=task.id,
        hints=hints,
        digest=task.digest,
        seconds=seconds,
        memory=max(6000, task.spec.limits.memory_mb),
        gpus=task.spec.limits.gpus,
        workspace=WORKSPACE,
    )
    (target / "task.toml").write_text(told, encoding="utf-8")
    (target / "instruction.md").write_text(task.instructions(hints), encoding="utf-8")
    for name, script in (("tests/test.sh", _TESTS), ("solution/solve.sh", _SOLVE)):
        path = target / name
        path.parent.mkdir()
        path.write_text(script, encoding="utf-8")
        path.chmod(0o755)
    (target / "solution" / "gold.patch").write_bytes(task.vault.gold)


def _write_environment(task: Task, hints: HintLevel, folder: Path, image: str | None, base: str) -> None:
    make_workspace(task, folder / "workspace", hints)
    shutil.rmtree(folder / "workspace" / ".git")  # made anew in the image: a context may not carry one
    lines = [f"FROM {image or base}"]
    if not image:
        (folder / "requirements.txt").write_text(pins(task.spec.environment), encoding="utf-8")
        git = "apt-get update -qq && apt-get install -y -qq --no-install-recommends git && rm -rf /var/lib/apt/lists/*"
        lines += [f"RUN command -v git || ({git})", "COPY requirements.txt /opt/requirements.txt"]
        lines += [f"RUN python3 -m venv {ENVIRONMENT} && {ENVIRONMENT}/bin/pip install --no-cache-dir -r /opt/requirements.txt"]
    variables = standard_variables(f"{ENVIRONMENT}/bin", "")
    lines += [f'ENV PATH="{ENVIRONMENT}/bin:$PATH"', *(f"ENV {name}={variables[name]}" for name in _KEPT)]
    identity = "-c user.name=rexbench -c user.email=rexbench@localhost"
    lines += [
        f"COPY workspace {WORKSPACE}",
        f"WORKDIR {WORKSPACE}",
        f"RUN git init -q -b main && git add -Af && git {identity} commit -q -m Start",
    ]
    (folder / "Dockerfile").write_text("\n".join(lines) + "\n", encoding="utf-8")
