"""Charts of the HTML report as plain numbers: percentages and SVG coordinates. The template draws; nothing here knows HTML."""

import math
from dataclasses import dataclass
from itertools import groupby

from rexbench.report.table import Cell, Table

WIDTH, HEIGHT = 340, 220
"""Of a scatter chart's plane."""
OUTCOMES = ("success", "wrong_result", "bad_artifact", "execution_failed", "timeout", "patch_rejected", "empty_patch")
"""In the order in which charts stack them."""
_FINE = (1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9)
_SMALL_WIDTH, _SMALL_HEIGHT = 150, 80


@dataclass(frozen=True)
class Bar:
    """A rate with its interval on a track from 0 to 100 %."""

    label: str
    level: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Mark:
    """One rate with its interval in a small plane."""

    x: float
    y: float
    low: float
    high: float
    level: str
    value: float


@dataclass(frozen=True)
class Lines:
    """One agent's rates over hint levels, as coordinates in a small plane."""

    agent: str
    path: str
    marks: tuple[Mark, ...]
    width: int = _SMALL_WIDTH
    height: int = _SMALL_HEIGHT


@dataclass(frozen=True)
class Point:
    """An agent at a hint level in the plane of price and success."""

    x: float
    y: float
    number: int
    """Of the agent in the legend, which is the same for every price."""
    level: str
    on_frontier: bool
    told: str


@dataclass(frozen=True)
class Scatter:
    """A plane of price and success."""

    name: str
    points: tuple[Point, ...]
    frontiers: tuple[str, ...]
    """Coordinates of the line through the frontier of each hint level."""
    ticks: tuple[tuple[float, str], ...]
    legend: tuple[str, ...]


@dataclass(frozen=True)
class Stack:
    """One agent's outcomes as shares of its runs."""

    agent: str
    parts: tuple[tuple[str, int, float], ...]
    """Outcome, runs, per cent."""


def bars(headline: Table) -> list[Bar]:
    return [
        Bar(str(row["agent"]), str(row["hints"]), 100 * value, 100 * _known(row["low"]), 100 * _known(row["high"]))
        for row in headline.records()
        if not math.isnan(value := _known(row["success"]))
    ]


def lines(headline: Table, levels: tuple[str, ...]) -> list[Lines]:
    """A small chart for each agent; nothing where there is one level."""
    if len(levels) < 2:
        return []
    made = []
    for agent, group in groupby(bars(headline), key=lambda bar: bar.label):
        marks = tuple(
            Mark(
                round(10 + (_SMALL_WIDTH - 20) * levels.index(bar.level) / (len(levels) - 1), 1),
                _height(bar.value),
                _height(bar.low),
                _height(bar.high),
                bar.level,
                bar.value,
            )
            for bar in group
        )
        made.append(Lines(agent, " ".join(f"{mark.x},{mark.y}" for mark in marks), marks))
    return made


def scatter(frontier: Table, price: str, on: str, name: str) -> Scatter | None:
    """Success against money or time, on a logarithmic axis; None where no price is known."""
    rows = [row for row in frontier.records() if _known(row[price]) > 0 and not math.isnan(_known(row["success"]))]
    if not rows:
        return None
    legend = tuple(dict.fromkeys(str(row["agent"]) for row in frontier.records()))
    low, high = (math.log10(choose(_known(row[price]) for row in rows)) for choose in (min, max))
    margin = max(0.06 * (high - low), 0.25 - (high - low) / 2, 0.03)
    low, high = low - margin, high + margin

    def place(value: float) -> float:
        return round(WIDTH * (math.log10(value) - low) / (high - low), 1)

    points = tuple(
        Point(
            place(_known(row[price])),
            round(HEIGHT * (1 - _known(row["success"])), 1),
            legend.index(str(row["agent"])) + 1,
            str(row["hints"]),
            row[on] is True,
            f"{row['agent']}, {row['hints']}: {_known(row['success']):.2f} at {_known(row[price]):.3g}",
        )
        for row in rows
    )
    chosen = sorted((point for point in points if point.on_frontier), key=lambda point: (point.x, -point.y))
    frontiers = tuple(
        " ".join(f"{point.x},{point.y}" for point in chosen if point.level == level)
        for level in dict.fromkeys(point.level for point in chosen)
    )
    ticks = tuple((place(value), f"{value:g}") for value in round_values(low, high))
    return Scatter(name, points, frontiers, ticks, legend)


def stacks(outcomes: dict[str, dict[str, int]]) -> list[Stack]:
    """Outcomes of each agent, counted, as parts of a whole."""
    return [
        Stack(agent, tuple((name, count, round(100 * count / sum(counted.values()), 2)) for name, count in counted.items()))
        for agent, counted in outcomes.items()
        if counted
    ]


def round_values(low: float, high: float) -> list[float]:
    """Round numbers between two powers of ten, close enough that there are three."""
    found: list[float] = []
    for digits in ((1, 10), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8), _FINE):
        steps = (value * 10.0**power for power in range(-5, 7) for value in digits)
        found = sorted({step for step in steps if low <= math.log10(step) <= high})
        if len(found) >= 3:
            break
    return found


def _height(value: float) -> float:
    return round(5 + (_SMALL_HEIGHT - 10) * (1 - value / 100), 1)


def _known(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else float("nan")
