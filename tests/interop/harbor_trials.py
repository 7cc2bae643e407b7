"""Trials of Harbor, run by Harbor itself: a program of its own.

    python -m tests.interop.harbor_trials ENVIRONMENT TASKS JOB AGENT...    every task folder with each of these agents

ENVIRONMENT is `docker`, where the containers have no network, or `plain`, the plainest that Harbor's interface allows: a folder in
which commands are subprocesses. Nothing is isolated there, and only Harbor's own agents `oracle` and `nop` are run in it. The agent
`searching` runs the searches of `tests.interop.searching` and leaves what it found in its logs.
"""

import asyncio
import json
import logging
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from harbor.agents.nop import NopAgent
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.models.environment_type import EnvironmentType
from harbor.models.task.task import Task
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig, VerifierConfig
from harbor.trial.trial import Trial

from rexbench.interop.harbor.folders import VERIFIER
from tests.interop.searching import CONTROL, LINES, SEARCHES

ROOTS = re.compile(r"(?<![\w/.-])/(logs|tests|solution|workspace|artifacts)\b")


class Plain(BaseEnvironment):
    """A folder that stands for the container's file system."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="plain-"))
        super().__init__(*arguments, **named)

    @staticmethod
    def type() -> str:
        return "plain"

    def _validate_definition(self) -> None:
        return

    def _here(self, text: object) -> str:
        return ROOTS.sub(lambda found: f"{self.root}{found[0]}", str(text))

    async def start(self, force_build: bool) -> None:
        for name in ("logs/agent", "logs/verifier", "logs/artifacts", "tests", "solution"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.environment_dir / "workspace", self.root / "workspace", symlinks=True)
        await self.exec("cd /workspace && git init -q")

    async def stop(self, delete: bool) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    async def upload_file(self, source_path: Any, target_path: Any) -> None:
        target = Path(self._here(target_path))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, target)

    async def upload_dir(self, source_dir: Any, target_dir: Any) -> None:
        target = Path(self._here(target_dir))
        shutil.copytree(source_dir, target, dirs_exist_ok=True)
        for script in target.glob("*.sh"):
            script.write_text(self._here(script.read_text()))

    async def download_file(self, source_path: Any, target_path: Any) -> None:
        shutil.copy(self._here(source_path), target_path)

    async def download_dir(self, source_dir: Any, target_dir: Any) -> None:
        shutil.copytree(self._here(source_dir), target_dir, symlinks=True, dirs_exist_ok=True)

    async def exec(self, command: str, *_: Any, **__: Any) -> ExecResult:
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", self._here(command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=self.root
        )
        out, err = await process.communicate()
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0)


class Searching(NopAgent):
    """Looks for what nobody may find; what is looked for lies beside the job."""

    @staticmethod
    def name() -> str:
        return "searching"

    async def run(self, instruction: str, environment: BaseEnvironment, context: Any) -> None:
        job = self.logs_dir.parents[1]
        for name, at in (("lines", LINES), ("control", CONTROL)):
            await environment.upload_file(job.with_name(name), at)
        found = {name: (await environment.exec(command)).stdout or "" for name, command in SEARCHES.items()}
        (self.logs_dir / "found.json").write_text(json.dumps(found))


def environment_of(kind: str, folder: Path) -> EnvironmentConfig:
    if kind == "plain":
        return EnvironmentConfig(import_path="tests.interop.harbor_trials:Plain")
    offline = folder / "offline.yaml"
    offline.write_text("services: {main: {build: {network: none}, network_mode: none}}\n")
    return EnvironmentConfig(type=EnvironmentType.DOCKER, extra_docker_compose=[offline])


async def main(kind: str, tasks: Path, job: Path, agents: list[str]) -> None:
    for folder in sorted(tasks.iterdir()):
        assert Task.is_valid_dir(folder), f"Harbor's own check refuses {folder}"
        for agent in agents:
            own = {"import_path": "tests.interop.harbor_trials:Searching"} if agent == "searching" else {"name": agent}
            config = TrialConfig(
                task=TaskConfig(path=folder),
                trial_name=f"{folder.name}__{agent}",
                trials_dir=job,
                agent=AgentConfig(**own),
                environment=environment_of(kind, job.parent),
                verifier=VerifierConfig(import_path=VERIFIER),
            )
            result = await (await Trial.create(config)).run()
            rewards = result.verifier_result.rewards if result.verifier_result else None
            error = result.exception_info.exception_message if result.exception_info else ""
            print(folder.name, agent, (rewards or {}).get("reward"), error)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]))
