"""A task as a training loop sees it.

with rx.Environment("othello", hints="none") as environment:
    environment.prompt
    environment.shell("ls")
    reward = environment.reward().value
"""

from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.interop.training.episode import Episode
from rexbench.record.model import Limits
from rexbench.task.folder import HintLevel, Task


class Environment(Episode):
    """One episode: a prompt, a sandboxed workspace with shell and edit tools, and a reward from worlds that are new.

    `seed` fixes the worlds; without it they are drawn anew. Whoever runs many at a time does so in processes.
    """

    def __init__(
        self,
        task: str | Path | Task,
        hints: HintLevel = "none",
        seed: int | None = None,
        *,
        bench: Bench | None = None,
        limits: Limits | None = None,
    ) -> None:
        bench = bench or Bench()
        super().__init__(bench.task(task), hints, seed, bench, limits)
