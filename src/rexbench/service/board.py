"""The leaderboard: what a report would say of the published submissions of a season, tier by tier and hint level by hint level.

Numbers come from the report's own tables over the same folders. Who cannot be told apart by the paired test shares a rank; who was
not on every task of the tier is shown, and has none.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rexbench.api.bench import Bench
from rexbench.record.model import Run
from rexbench.reports.claims import chances_table
from rexbench.reports.reading import Reading, read_campaigns
from rexbench.reports.results import Results, results_of
from rexbench.reports.score_tables import scores_table
from rexbench.reports.table import Cell, plain
from rexbench.reports.tables import headline_table
from rexbench.service.judging import judged_folder
from rexbench.service.tables import Season, Submission
from rexbench.stats.effect import Effect, effect, scored_effect
from rexbench.stats.means import headline
from rexbench.task.folder import HINT_LEVELS

TIERS = ("replication", "scored")
LEVEL = 0.05
"""Of the paired test over tasks; above it two are tied."""
_KEPT_SECONDS = 3.0
"""A leaderboard is not made more often."""


@dataclass(frozen=True)
class Place:
    """A line of the leaderboard: an agent of a submission at a hint level."""

    rank: int | None
    """Shared by those who are tied; None: not on every task."""
    tied: bool
    submission: int
    account: str
    agent: str
    version: str
    model: str
    runs: int
    tasks: int
    value: Cell
    """Success, or score: mean over tasks."""
    low: Cell
    high: Cell
    """The 95 % interval for tasks of this kind."""
    usd: Cell
    """A run, as whoever handed it in tells."""
    claims: Cell
    """Runs that claimed a chance of success."""
    brier: Cell
    skill: Cell
    date: str


@dataclass(frozen=True)
class Standings:
    """Those who compete with each other."""

    tier: str
    hints: str
    tasks: tuple[str, ...]
    places: tuple[Place, ...]


class Board:
    """Leaderboards, made when somebody looks and something has changed."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._readings: dict[int, Reading] = {}
        self._made: dict[int, tuple[float, tuple[int, ...], list[Standings]]] = {}
        self._lock = threading.Lock()

    def runs(self, submission: Submission) -> list[Run]:
        """The verdicts on a judged submission."""
        return [entry.run for entry in self._reading(submission).runs]

    def standings(self, season: Season, published: Sequence[Submission]) -> list[Standings]:
        numbers = tuple(one.id for one in published)
        with self._lock:
            made_at, of, found = self._made.get(season.id, (float("-inf"), (), []))
            if of != numbers and time.monotonic() - made_at > _KEPT_SECONDS:
                found = self._standings(season, published)
                self._made[season.id] = time.monotonic(), numbers, found
            return found

    def _reading(self, submission: Submission) -> Reading:
        found = self._readings.get(submission.id)
        if found is None:
            found = self._readings[submission.id] = read_campaigns([judged_folder(self._bench, submission)])
        return found

    def _standings(self, season: Season, published: Sequence[Submission]) -> list[Standings]:
        if not published:
            return []
        reading, whose = merged({one.id: self._reading(one) for one in published})
        by_number = {one.id: one for one in published}
        entries = {label: (by_number[number], agent) for label, (number, agent) in whose.items()}
        made: list[Standings] = []
        for tier in TIERS:
            tasks = tuple(name for name in reading.tasks if season.tasks[name]["tier"] == tier)
            part = reading.part(tasks=tasks)
            if part.runs:
                made += _tier(tier, part, entries, [name for name, about in season.tasks.items() if about["tier"] == tier])
        return made


def merged(readings: dict[int, Reading]) -> tuple[Reading, dict[str, tuple[int, str]]]:
    """What `read_campaigns` gives of all these folders, and of each agent's name there, the folder and its own name."""
    known = Counter(agent for reading in readings.values() for agent in reading.agents)
    whose = {
        f"{agent} ({number})" if known[agent] > 1 else agent: (number, agent)
        for number, reading in readings.items()
        for agent in reading.agents
    }
    labels = {place: label for label, place in whose.items()}
    runs = [replace(entry, agent=labels[number, entry.agent]) for number, reading in readings.items() for entry in reading.runs]
    met = {entry.run.hints for entry in runs}
    first = next(iter(readings.values()))
    return replace(
        first,
        names=tuple(map(str, readings)),
        agents=tuple(whose),
        hints=tuple(level for level in HINT_LEVELS if level in met),
        tasks=tuple(dict.fromkeys(task for reading in readings.values() for task in reading.tasks)),
        runs=tuple(runs),
    ), whose


def _tier(tier: str, part: Reading, entries: dict[str, tuple[Submission, str]], wanted: list[str]) -> list[Standings]:
    results = results_of(part)
    table = scores_table(results) if tier == "scored" else headline_table(results)
    measured = "score" if tier == "scored" else "success"
    claims = {(row["agent"], row["hints"]): row for row in chances_table({tier: results}).records()}
    usd = headline(results.means(results.cost))
    places: dict[str, list[tuple[int, Place]]] = {level: [] for level in results.hints}
    steps = {entry.agent: entry.run.step for entry in part.runs}
    for row in table.records():
        label, level = str(row["agent"]), str(row["hints"])
        agent, hint = results.agents.index(label), results.hints.index(level)
        submission, name = entries[label]
        claimed = claims[label, level]
        place = Place(
            rank=None,
            tied=False,
            submission=submission.id,
            account=submission.account.name,
            agent=name,
            version=steps[label].agent_version,
            model=steps[label].model,
            runs=int(results.runs[agent, hint].sum()),
            tasks=int((results.runs[agent, hint] > 0).sum()),
            value=row[measured],
            low=row["low"],
            high=row["high"],
            usd=plain(float(usd[agent, hint])),
            claims=claimed["claims"],
            brier=claimed["brier_score"],
            skill=claimed["skill"],
            date=submission.handed_in_at[:10],
        )
        places[level].append((agent, place))
    return [
        Standings(tier, level, tuple(wanted), _ranked(found, len(wanted), _compared(tier, results, hint)))
        for hint, level in enumerate(results.hints)
        if (found := places[level])
    ]


def _compared(tier: str, results: Results, hint: int) -> Callable[[int, int], Effect]:
    """The paired test of two agents at a hint level, over the tasks that both have."""

    def success(first: int, second: int) -> Effect:
        return effect(*(array[agent, hint] for agent in (first, second) for array in (results.wins, results.runs)))

    def score(first: int, second: int) -> Effect:
        return scored_effect(*(results.by_cell(results.score, agent)[hint] for agent in (first, second)))

    return score if tier == "scored" else success


def _ranked(found: list[tuple[int, Place]], tasks: int, compared: Callable[[int, int], Effect]) -> tuple[Place, ...]:
    """By value; each is tied with the first of those above it that it cannot be told apart from, and shares its rank."""
    ordered = sorted(found, key=lambda one: (-_number(one[1].value), one[1].submission))
    whole = [one for one in ordered if one[1].tasks == tasks]
    ranks: list[int] = []
    first = 0
    for at, (agent, _) in enumerate(whole):
        if at and compared(whole[first][0], agent).p_tasks <= LEVEL:
            first = at
        ranks.append(first + 1)
    shared = Counter(ranks)
    ranked = [replace(place, rank=rank, tied=shared[rank] > 1) for (_, place), rank in zip(whole, ranks, strict=True)]
    return (*ranked, *(place for _, place in ordered if place.tasks != tasks))


def _number(value: Cell) -> float:
    return float(value) if isinstance(value, int | float) else float("-inf")
