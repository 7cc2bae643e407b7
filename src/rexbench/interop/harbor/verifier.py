"""A verifier that Harbor runs on the host: it takes the workspace out of the agent's container and judges it as any patch.

The patch is kept in the trial's folder before it is judged. A fault of ours is raised: the trial then has an error and no reward.
"""

import asyncio
import os

from harbor.models.verifier.result import VerifierResult
from harbor.verifier.base import BaseVerifier

from rexbench.agent.outcome import capture_leavings
from rexbench.errors import SystemFault
from rexbench.interop.judges import Judges
from rexbench.sandbox.protocol import WORKSPACE
from rexbench.settings import read_settings
from rexbench.task.variants import choose_seeds
from rexbench.workbench import Workbench

PATCH = "patch.diff"
"""In the trial's folder of the verifier."""


class HostVerifier(BaseVerifier):
    """Verdicts of rexbench as Harbor's rewards."""

    async def verify(self) -> VerifierResult:
        bench = Workbench(read_settings(os.environ))
        task = bench.suite.load(self.task.config.metadata["rexbench_task"])
        with bench.home.scratch("harbor") as folder:
            await self.environment.download_dir(WORKSPACE, folder / "workspace")
            captured, unread = await asyncio.to_thread(capture_leavings, task, folder, bench.home)
        if unread and unread[1].by == "system":
            raise SystemFault(unread[1].why)
        self.trial_paths.verifier_dir.mkdir(parents=True, exist_ok=True)
        (self.trial_paths.verifier_dir / PATCH).write_bytes(captured.patch)
        seeds = choose_seeds(task, None, None, bench.home.secret())
        verdict = await asyncio.wrap_future(Judges(bench, 1).judge(task, captured.patch, seeds))
        success = float(verdict.outcome == "success")
        return VerifierResult(
            rewards={
                "reward": success if verdict.score is None else verdict.score,
                "success": success,
                "execution_success": float(verdict.execution_success),
                "file_recall": verdict.first.file_recall,
            }
        )
