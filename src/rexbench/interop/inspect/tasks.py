"""The benchmark's two tiers as tasks of Inspect; a sample is a task of ours at a hint level."""

from collections.abc import Sequence

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.agent import Agent, as_solver, react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Scorer
from inspect_ai.solver import chain
from inspect_ai.tool import bash, text_editor

import rexbench
from rexbench.agent.settings import read_duration
from rexbench.errors import RexbenchError
from rexbench.interop.inspect.edge import HINTS, TASK, open_bench
from rexbench.interop.inspect.elsewhere import sandbox_of
from rexbench.interop.inspect.keeping import kept, restored
from rexbench.interop.inspect.scorer import verdict
from rexbench.interop.workroom import room_prompt
from rexbench.task.folder import HINT_LEVELS, hint_level

_CALL_SECONDS = 600
"""After which a command of the default agent's is stopped."""


@task
def replication(
    tasks: str | Sequence[str] = "all",
    hints: str | Sequence[str] = "none",
    variants: int | None = None,
    variant_seed: int | None = None,
    time_limit: str = "30m",
    sandbox: str = "rexbench",
) -> InspectTask:
    """Extensions of published research whose numbers must come out as gold's.

    `tasks` and `hints` are names with commas between them, or all; `variants` and `variant_seed` mean what they mean to
    `rexbench evaluate`; `time_limit` is a sample's, as 90s, 30m or 2h; `sandbox` is rexbench or docker.
    """
    return _tier("replication", tasks, hints, verdict(variants, variant_seed), time_limit, sandbox)


@task
def frontier(
    tasks: str | Sequence[str] = "all",
    hints: str | Sequence[str] = "none",
    variants: int | None = None,
    variant_seed: int | None = None,
    time_limit: str = "30m",
    sandbox: str = "rexbench",
) -> InspectTask:
    """Scored tasks: a result is asked for whose truth is kept back; 0 is the unchanged repository, 1 is gold.

    The options are those of `replication`.
    """
    return _tier("scored", tasks, hints, verdict(variants, variant_seed), time_limit, sandbox)


def _tier(
    kind: str, tasks: str | Sequence[str], hints: str | Sequence[str], scorer: Scorer, time_limit: str, sandbox: str
) -> InspectTask:
    bench = open_bench()
    named = _names(tasks)
    known = [found for found in bench.suite.load_all() if found.spec.kind == kind]
    chosen = known if named == ["all"] else [bench.suite.load(name) for name in named]
    stray = [found.id for found in chosen if found.spec.kind != kind]
    if stray:
        raise RexbenchError(f"{stray[0]} is no {kind} task; there are: {', '.join(found.id for found in known) or 'none'}.")
    if not chosen:
        raise RexbenchError(f"{bench.suite.folder} has no {kind} task.")
    rooms = {name: sandbox_of(sandbox, name, bench) for name in sorted({found.spec.environment for found in chosen})}
    levels = HINT_LEVELS if _names(hints) == ["all"] else [hint_level(name) for name in _names(hints)]
    samples = [
        Sample(
            id=f"{found.id}/{level}",
            input=room_prompt(found, level),
            metadata={TASK: bench.suite.address(found), HINTS: level},
            sandbox=rooms[found.spec.environment],
        )
        for found in chosen
        for level in levels
    ]
    return InspectTask(
        dataset=MemoryDataset(samples, name="rexbench"),
        setup=restored(),
        solver=chain(as_solver(default_agent()), kept()),
        scorer=scorer,
        sandbox=sandbox,
        time_limit=round(read_duration(str(time_limit))),
        continue_on_fail=True,  # a fault of ours in one sample is no reason to stop the others
        version=rexbench.__version__,
    )


def default_agent() -> Agent:
    """Inspect's own agent, with a shell and an editor."""
    return react(tools=[bash(timeout=_CALL_SECONDS), text_editor(timeout=_CALL_SECONDS)])


def _names(given: str | Sequence[str]) -> list[str]:
    names = given.split(",") if isinstance(given, str) else list(given)
    return [name.strip() for name in names if name.strip()]
