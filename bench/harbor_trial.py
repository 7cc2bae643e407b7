"""A trivial trial of Harbor, for the table of `bench/overhead.py`. Run by the interpreter that Harbor is installed in.

    python bench/harbor_trial.py [--trials 20]

The environment is the plainest that Harbor's interface allows: commands are subprocesses of this machine in a folder of their
own, with no isolation at all. The agent does nothing, the verifier writes a reward. What is left is Harbor's own work per trial.
Prints milliseconds.
"""

import argparse
import asyncio
import logging
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.trial.trial import Trial

ROOTS = ("/logs", "/tests", "/solution", "/app", "/artifacts")


class Plain(BaseEnvironment):
    """Subprocesses in a folder that stands for the container's file system."""

    def __init__(self, *arguments, **named):
        self._root = Path(tempfile.mkdtemp(prefix="plain-"))
        super().__init__(*arguments, **named)

    @staticmethod
    def type() -> str:
        return "plain"

    def _validate_definition(self) -> None:
        return

    def _here(self, text: str) -> str:
        for root in ROOTS:
            text = text.replace(root, f"{self._root}{root}")
        return text

    async def start(self, force_build: bool) -> None:
        for root in ROOTS:
            (self._root / root[1:]).mkdir(parents=True, exist_ok=True)
        for name in ("agent", "verifier", "artifacts"):
            (self._root / "logs" / name).mkdir(parents=True, exist_ok=True)

    async def stop(self, delete: bool) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    async def upload_file(self, source_path, target_path) -> None:
        target = Path(self._here(str(target_path)))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, target)

    async def upload_dir(self, source_dir, target_dir) -> None:
        target = Path(self._here(str(target_dir)))
        shutil.copytree(source_dir, target, dirs_exist_ok=True)
        for script in target.glob("*.sh"):
            script.write_text(self._here(script.read_text()))

    async def download_file(self, source_path, target_path) -> None:
        shutil.copy(self._here(str(source_path)), target_path)

    async def download_dir(self, source_dir, target_dir) -> None:
        shutil.copytree(self._here(str(source_dir)), target_dir, dirs_exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None) -> ExecResult:
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", self._here(command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=self._root
        )
        out, err = await process.communicate()
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0)


def make_task(folder: Path) -> Path:
    """The smallest task that Harbor takes."""
    task = folder / "nothing"
    for name in ("environment", "tests", "solution"):
        (task / name).mkdir(parents=True)
    (task / "task.toml").write_text('version = "1.0"\n[verifier]\ntimeout_sec = 60\n[agent]\ntimeout_sec = 60\n[environment]\n')
    (task / "instruction.md").write_text("Do nothing.\n")
    (task / "environment" / "Dockerfile").write_text("FROM scratch\n")
    (task / "tests" / "test.sh").write_text("#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n")
    (task / "solution" / "solve.sh").write_text("#!/bin/bash\ntrue\n")
    return task


async def measure(trials: int) -> list[float]:
    """Milliseconds of each trial."""
    times = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        task = make_task(folder)
        for number in range(trials):
            config = TrialConfig(
                task=TaskConfig(path=task),
                trial_name=f"trial-{number}",
                trials_dir=folder / "trials",
                agent=AgentConfig(name="nop"),
                environment=EnvironmentConfig(import_path="harbor_trial:Plain"),
            )
            began = time.perf_counter()
            result = await (await Trial.create(config)).run()
            times.append(1000 * (time.perf_counter() - began))
            if result.exception_info or not result.verifier_result:
                raise SystemExit(f"the trial failed: {result.exception_info}")
    return times


if __name__ == "__main__":
    import sys

    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=20)
    logging.disable(logging.CRITICAL)
    sys.path.insert(0, str(Path(__file__).parent))
    print(f"{statistics.median(asyncio.run(measure(parser.parse_args().trials))[2:]):.1f}")
