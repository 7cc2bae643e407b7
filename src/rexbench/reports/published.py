"""The fourteen agents of the paper, as data that ships with the package; their source is told in `published/README.md`."""

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from rexbench.stats.arrays import Floats, Integers

HINT_LEVELS = ("none", "hints", "detailed")
RUNS = 5
SOURCE = "arXiv 2506.22598; ACL 2026 long 745"


@dataclass(frozen=True)
class Cost:
    """What an agent used, as published: means over its runs."""

    usd: float
    seconds: float


@dataclass(frozen=True)
class Published:
    """Every published number by agent, hint level and task, in that order of axes."""

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    final: Floats
    execution: Floats
    recall: Floats
    costs: tuple[Cost, ...]
    """One for each agent."""

    @property
    def wins(self) -> Integers:
        """Successes out of `RUNS`; the published rates are whole fifths."""
        return np.round(self.final * RUNS).astype(np.int64)

    @property
    def runs(self) -> Integers:
        return np.full(self.final.shape, RUNS, dtype=np.int64)

    def solved(self, level: str) -> tuple[Integers, Integers]:
        """Successes and runs by agent and task at a hint level, of the agents that solved anything there."""
        wins = self.wins[:, HINT_LEVELS.index(level)]
        some = wins.any(axis=1)
        return wins[some], self.runs[some, 0]


@lru_cache(maxsize=1)
def published_results() -> Published:
    """All of it."""
    rows = _read("paper_results.csv")
    costs = {_agent(row): row for row in _read("paper_costs.csv")}
    agents, tasks = tuple(costs), tuple(sorted({row["task"] for row in rows}))
    arrays = {name: np.full((len(agents), 3, len(tasks)), np.nan) for name in ("final_success", "execution_success", "file_recall")}
    for row in rows:
        at = agents.index(_agent(row)), HINT_LEVELS.index(row["hint_level"]), tasks.index(row["task"])
        for name, array in arrays.items():
            array[at] = float(row[name])
    return Published(
        agents=agents,
        tasks=tasks,
        final=arrays["final_success"],
        execution=arrays["execution_success"],
        recall=arrays["file_recall"],
        costs=tuple(Cost(float(row["mean_cost_usd"]), float(row["mean_seconds"])) for row in costs.values()),
    )


_FRAMEWORKS = {"aider": "aider", "openhands": "OpenHands"}
_MODELS = (
    ("claude-opus-4-5", "Claude 4.5 Opus"),
    ("claude-sonnet-4", "Claude 4 Sonnet"),
    ("claude-3-7-sonnet", "Claude 3.7 Sonnet"),
    ("gpt-5", "GPT-5"),
    ("o1", "o1"),
    ("o4-mini", "o4-mini"),
    ("deepseek-reasoner", "DeepSeek-R1"),
)
"""Names of models, which may be followed by a date, and what the paper calls them."""


def published_cost(agent: str, model: str) -> Cost | None:
    """What a run of this agent with this model was published to use; None where it was not among the fourteen."""
    name = model.rpartition("/")[2]
    found = next((told for begins, told in _MODELS if name == begins or name.startswith(f"{begins}-20")), None)
    published = published_results()
    label = f"{_FRAMEWORKS.get(agent)} + {found}"
    return published.costs[published.agents.index(label)] if label in published.agents else None


def _agent(row: dict[str, str]) -> str:
    return f"{row['framework']} + {row['model']}"


def _read(name: str) -> list[dict[str, str]]:
    with (files("rexbench.reports") / "published" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
