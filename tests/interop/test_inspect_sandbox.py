"""The sandbox that rexbench offers to Inspect, held to Inspect's own checks of sandboxes, and used by Inspect's own tools."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from rexbench.interop.inspect.edge import HINTS, TASK
from rexbench.interop.inspect.sandbox import RexbenchSandbox
from rexbench.task.folder import Task

pytestmark = pytest.mark.anyio
del test_exec_as_user  # noqa: F821  (it adds a user, which needs root, and nobody is root in this sandbox)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def sandbox_env(toy: Task) -> AsyncIterator[SandboxEnvironment]:
    environments = await RexbenchSandbox.sample_init("replication", None, {TASK: "toy", HINTS: "none"})
    yield environments["default"]
    await RexbenchSandbox.sample_cleanup("replication", None, environments, False)


async def test_a_sample_finds_its_workspace_and_no_way_out(sandbox_env: SandboxEnvironment, home: Path) -> None:
    assert "readingtimes" in (await sandbox_env.exec(["ls"])).stdout
    assert not (await sandbox_env.exec(["ls", str(home)])).success
    assert not (await sandbox_env.exec(["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/80"])).success
