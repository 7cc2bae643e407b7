"""Tasks for `verifiers`, played through its own parts: taskset, toolset, scoring of a trace."""

import base64
from itertools import islice
from pathlib import Path

import pytest
import verifiers.v1 as vf

from rexbench.interop.training.verifiers import (
    RexbenchState,
    RexbenchTask,
    RexbenchTaskset,
    RexbenchTasksetConfig,
    Room,
    RoomConfig,
)
from rexbench.task.folder import Task

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def trace_of(task: RexbenchTask, patch: str) -> vf.Trace:
    """What a rollout leaves to be scored."""
    agent = vf.AgentInfo.model_construct()
    return vf.Trace(
        task=vf.TraceTask(type="RexbenchTask", data=task.data, key=task.key, hash=task.hash),
        agent=agent,
        state=RexbenchState(patch=patch),
    )


async def test_an_episode_is_played_with_the_tools_and_scored_by_its_verdict(toy: Task, home: Path) -> None:
    (task,) = RexbenchTaskset(RexbenchTasksetConfig(tasks=("toy",), hints="hints")).take(1)
    assert task.data.prompt and toy.instructions("hints") in str(task.data.prompt)
    (room,) = RexbenchTask.toolsets(task.config)
    assert isinstance(room, Room)
    async with room._exit_stack:
        await room.setup_task(task.data)
        assert await room.write("/var/tmp/gold.patch", toy.vault.gold.decode()) == "Done."
        assert room.state.patch == ""
        assert (await room.shell("git apply /var/tmp/gold.patch")).endswith("[status 0]")
        assert await room.read("nowhere") == "nowhere: No such file or directory."
        patch = room.state.patch
    assert base64.b64decode(patch).startswith(b"diff --git")
    for left, worth in ((patch, 1.0), ("", 0.0)):
        trace = trace_of(task, left)
        await task.score(trace)
        found = trace.rewards["reward"]
        assert found is not None and found.value == worth
    assert not (home / "executions").exists()


async def test_tasks_come_without_end_each_time_on_new_worlds(toy: Task) -> None:
    taskset = RexbenchTaskset(RexbenchTasksetConfig())
    assert not taskset.bounded
    drawn = [task.data.rexbench_seed for task in islice(taskset, 20)]
    assert len(set(drawn)) == 20
    assert RoomConfig().runtime == vf.SubprocessConfig()
