"""Tasks for `verifiers`, by the conventions of its stack `verifiers.v1`: a taskset without end, tools on a server, a reward.

    import verifiers.v1 as vf
    from rexbench.interop.training.verifiers import RexbenchTaskset, RexbenchTasksetConfig

    taskset = RexbenchTaskset(RexbenchTasksetConfig(tasks=("my-task",)))

Any harness that speaks MCP can play it. The tools' server runs on the host, in a process of its own, and works in the sandbox; the
harness needs no code of the task's. Rollouts of one task share its worlds; the next task has others.
"""

import asyncio
import base64
import os
import secrets
from collections.abc import Callable, Iterator
from itertools import cycle

import verifiers.v1 as vf

from rexbench.errors import RexbenchError
from rexbench.interop.training.episode import Worlds, refusal, told
from rexbench.interop.workroom import Workroom, room_prompt
from rexbench.settings import read_settings
from rexbench.task.folder import hint_level
from rexbench.workbench import Workbench


class RexbenchData(vf.TaskData):
    """What an episode is about."""

    rexbench_task: str
    rexbench_hints: str = "none"
    rexbench_seed: int
    """Which worlds the reward is from; `episode.training_seed` makes seeds of it that no verdict uses."""


class RexbenchState(vf.State):
    """What the tools' server tells whoever scores."""

    patch: str = ""
    """What the workspace had come to after the last call of a tool, in base 64."""


class RoomConfig(vf.ToolsetConfig):
    """Nothing beside what every toolset has."""


class Room(vf.Toolset[RoomConfig, RexbenchState]):
    """A sandboxed workspace."""

    TOOL_PREFIX = None

    async def setup_task(self, task: RexbenchData) -> None:
        bench = _bench()
        room = Workroom(bench.suite.load(task.rexbench_task), hint_level(task.rexbench_hints), bench)
        self._room = await asyncio.to_thread(self._exit_stack.enter_context, room)

    @vf.tool
    async def shell(self, command: str, seconds: float = 600.0) -> str:
        """Run a bash command in the workspace; what it starts ends with it."""
        return await self._answer(lambda: told(self._room.shell(command, seconds)))

    @vf.tool
    async def read(self, path: str) -> str:
        """The text of a file."""
        return await self._answer(lambda: self._room.read(path).decode(errors="replace"))

    @vf.tool
    async def write(self, path: str, text: str) -> str:
        """Write a file, with the folders on its way."""
        return await self._answer(lambda: self._room.write(path, text.encode(errors="replace")))

    @vf.tool
    async def edit(self, path: str, old: str, new: str) -> str:
        """Put `new` in the place of `old`, which must be in the file once."""
        return await self._answer(lambda: self._room.edit(path, old, new))

    async def _answer(self, act: Callable[[], str | None]) -> str:
        try:
            answer = await asyncio.to_thread(act) or "Done."
        except (OSError, RexbenchError) as error:
            answer = refusal(error)
        self.state.patch = base64.b64encode((await asyncio.to_thread(self._room.patch)).patch).decode()
        return answer


class RexbenchTask(vf.Task[RexbenchData, RexbenchState, vf.TaskConfig]):
    """One task of the benchmark at a hint level, on worlds of its own."""

    @classmethod
    def toolsets(cls, config: vf.TaskConfig) -> list[vf.Toolset]:
        return [Room(RoomConfig())]

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """The score of a scored task; else 1 for a success. A fault of ours is an error of the rollout."""
        return await asyncio.to_thread(self._reward, base64.b64decode(trace.state.patch))

    def _reward(self, patch: bytes) -> float:
        bench = _bench()
        with Worlds(bench.suite.load(self.data.rexbench_task), self.data.rexbench_seed, bench) as worlds:
            return worlds.reward(patch).value


class RexbenchTasksetConfig(vf.TasksetConfig):
    """Which tasks are played."""

    tasks: tuple[str, ...] = ()
    """All of the suite's where none is named."""
    hints: str = "none"


class RexbenchTaskset(vf.Taskset[RexbenchTask, RexbenchTasksetConfig]):
    """The tasks in turn, without end, each time on new worlds."""

    INFINITE = True

    def load(self) -> Iterator[RexbenchTask]:
        bench, hints = _bench(), hint_level(self.config.hints)
        for task in cycle(bench.suite.load_all(list(self.config.tasks) or None)):
            data = RexbenchData(
                name=f"{task.id}/{hints}",
                prompt=room_prompt(task, hints),
                rexbench_task=bench.suite.address(task),
                rexbench_hints=hints,
                rexbench_seed=secrets.randbits(62),
            )
            yield RexbenchTask(data, self.config.task)


def _bench() -> Workbench:
    """The bench that `REXBENCH_HOME` and `REXBENCH_TASKS` name."""
    return Workbench(read_settings(os.environ))


if __name__ == "__main__":
    Room.run()  # verifiers starts a toolset's server as the module that the toolset is in
