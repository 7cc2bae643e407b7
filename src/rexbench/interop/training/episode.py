"""An episode: a workroom, and a reward for what is left in it, from worlds that are new.

The worlds' seeds are 2**31 and above, where no seed drawn for a verdict lies (`task.variants.held_out_seeds`), and the home in
which they are made has a secret of its own: the benchmark's is not read. Gold is run live on each of them. When the episode ends,
worlds, references and records are gone.
"""

import hashlib
import secrets
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rexbench.errors import RexbenchError, SystemFault
from rexbench.evaluation.evaluate import Verdict, combine, evaluate
from rexbench.evaluation.execute import Trial
from rexbench.interop.workroom import Workroom, room_prompt
from rexbench.record.model import Limits
from rexbench.sandbox.protocol import Finished
from rexbench.task.folder import HintLevel, Task
from rexbench.workbench import Workbench

FIRST_TRAINING_SEED = 2**31
"""Seeds of held-out variants are below."""
_ROOM = 2**31 - 2**10
_SHOWN = 30_000
"""Characters of a command's output that a policy is shown."""


@dataclass(frozen=True)
class Reward:
    """What an episode was worth."""

    value: float
    """The score of a scored task; else 1 for a success and 0 for anything else."""
    patch: bytes
    verdict: Verdict


def training_seed(task: str, seed: int | None) -> int:
    """The first of an episode's world seeds: fixed by `seed`, or new."""
    if seed is None:
        return FIRST_TRAINING_SEED + secrets.randbelow(_ROOM)
    tag = hashlib.sha256(f"training/{task}/{seed}".encode()).digest()
    return FIRST_TRAINING_SEED + int.from_bytes(tag[:8], "big") % _ROOM


class Worlds:
    """The worlds of one episode, with a home of their own that is gone with them; a context manager."""

    def __init__(self, task: Task, seed: int | None, bench: Workbench) -> None:
        first = training_seed(task.id, seed)
        self.task, self._bench, self._stack = task, bench, ExitStack()
        self.seeds = tuple(first + at for at in range(task.spec.held_out))

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            home = stack.enter_context(self._bench.home.scratch("episode")) / "home"
            home.mkdir(mode=0o700)
            (home / "environments").symlink_to(self._bench.home.make("environments"))
            self._judges = Workbench(self._bench.settings.model_copy(update={"home": home}))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def reward(self, patch: bytes) -> Reward:
        """Judge a patch as any patch is judged; a fault of ours is raised and never a reward."""
        verdict = combine(self.task.id, [evaluate(Trial(self.task, patch, seed), self._judges) for seed in self.seeds])
        if verdict.outcome == "system_fault":
            raise SystemFault(verdict.first.detail)
        value = float(verdict.outcome == "success") if verdict.score is None else verdict.score
        return Reward(value, patch, verdict)


class Episode:
    """One attempt at a task; a context manager. Nothing of it is left when it ends."""

    def __init__(self, task: Task, hints: HintLevel, seed: int | None, bench: Workbench, limits: Limits | None = None) -> None:
        self.task, self.hints, self.prompt = task, hints, room_prompt(task, hints)
        self._worlds = Worlds(task, seed, bench)
        self._room = Workroom(task, hints, bench, limits)
        self._stack = ExitStack()

    @property
    def seeds(self) -> tuple[int, ...]:
        """Of the worlds that the reward is from."""
        return self._worlds.seeds

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._worlds)
            stack.enter_context(self._room)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def shell(self, command: str, seconds: float = 600.0) -> str:
        """Run a command in the workspace; what it printed, and how it ended."""
        return told(self._room.shell(command, seconds))

    def read(self, path: str) -> str:
        """A file's text, or why there is none."""
        try:
            return self._room.read(path).decode(errors="replace")
        except (OSError, RexbenchError) as error:
            return refusal(error)

    def write(self, path: str, text: str) -> str:
        """Write a file, with the folders on its way; says what was done, or why it was not."""
        try:
            self._room.write(path, text.encode(errors="replace"))
        except (OSError, RexbenchError) as error:
            return refusal(error)
        return f"{path} is written."

    def edit(self, path: str, old: str, new: str) -> str:
        """Put `new` in the place of `old`, which must be in the file once; says what was done, or why it was not."""
        try:
            self._room.edit(path, old, new)
        except (OSError, RexbenchError) as error:
            return refusal(error)
        return f"{path} is edited."

    def patch(self) -> bytes:
        """What the workspace has come to."""
        return self._room.patch().patch

    def reward(self) -> Reward:
        """What is in the workspace is worth; a fault of ours is raised and never a reward."""
        return self._worlds.reward(self.patch())


def told(finished: Finished) -> str:
    """A command's end as a policy is shown it."""
    printed = (finished.stdout + finished.stderr).decode(errors="replace")
    if len(printed) > _SHOWN:
        printed = f"{printed[: _SHOWN // 2]}\n[... {len(printed) - _SHOWN} characters left out ...]\n{printed[-_SHOWN // 2 :]}"
    ended = f"stopped for using too much {finished.stopped_by}" if finished.stopped_by else f"status {finished.status}"
    return f"{printed}[{ended}]"


def refusal(error: Exception) -> str:
    """Why a tool did not do what it was asked; a fault of ours is no answer and is raised."""
    if isinstance(error, SystemFault):
        raise error
    return f"{error.filename}: {error.strerror}." if isinstance(error, OSError) and error.strerror else str(error)
