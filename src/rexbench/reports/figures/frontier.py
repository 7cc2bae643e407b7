"""Price and success: a plane for each hint level and each price, every agent a named point, a line through those nobody beats."""

import math
from dataclasses import dataclass

from rexbench.reports.figures.names import Box, Plane, nearest, place_names
from rexbench.reports.figures.svg import LINE, WIDE, Drawn, dot, line, lines_of_text, path, text, width_of, wrapped
from rexbench.reports.table import Table, known

_PRICES = (
    ("usd_per_run", "on_cost_frontier", "US dollars per run"),
    ("agent_seconds_per_run", "on_time_frontier", "seconds per run"),
)
_MARGIN, _BETWEEN = 30, 16
_LOW, _GROWTH = 170.0, 1.25
"""Height of a plane, and by how much it grows until every name finds a place."""
_DIGITS = ((1, 10), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8), (1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9))


_Name = tuple[list[str], Box]
"""A name in lines, and where it stands."""


@dataclass(frozen=True)
class _Point:
    agent: str
    price: float
    success: float
    on_frontier: bool


def known_prices(frontier: Table) -> list[tuple[str, str, str]]:
    """Money and time, where there is an agent that they are known of: the fields of price and frontier, and the axis's label."""
    return [price for price in _PRICES if any((known(row[price[0]]) or 0) > 0 for row in frontier.records())]


def draw_frontier(frontier: Table, width: int) -> Drawn:
    """Money and time against success, as far as they are known."""
    columns = len(_PRICES) if width >= WIDE else 1
    room = width / columns - _MARGIN - _BETWEEN
    levels = list(dict.fromkeys(str(row["hints"]) for row in frontier.records()))
    planes = [
        (f"{label}, hint level {level}" if len(levels) > 1 else label, points)
        for level in levels
        for price, on, label in known_prices(frontier)
        if (points := _points(frontier, level, price, on))
    ]
    body: list[str] = []
    y = 8.0
    for start in range(0, len(planes), columns):
        beside = planes[start : start + columns]
        plane, named = _large_enough([points for _, points in beside], room)
        for at, ((label, points), names) in enumerate(zip(beside, named, strict=True)):
            x = _MARGIN + at * width / columns
            body.append(f'<g transform="translate({x:g} {y:g})">{_draw_plane(plane, label, points, names)}</g>')
        y += plane.height + 58
    return Drawn("Final success against money and time per run", width, y - 16, "".join(body))


def round_values(low: float, high: float) -> list[float]:
    """Round numbers between two powers of ten, close enough that there are three."""
    found: list[float] = []
    for digits in _DIGITS:
        steps = (value * 10.0**power for power in range(-5, 7) for value in digits)
        found = sorted({step for step in steps if low <= math.log10(step) <= high})
        if len(found) >= 3:
            break
    return found


def _points(frontier: Table, level: str, price: str, on: str) -> list[_Point]:
    """Agents whose price is known, those on the frontier first, since they are named first."""
    rows = [row for row in frontier.records() if row["hints"] == level and (known(row[price]) or 0) > 0]
    points = [_Point(str(row["agent"]), known(row[price]) or 0, known(row["success"]) or 0, row[on] is True) for row in rows]
    return sorted(points, key=lambda point: (not point.on_frontier, point.price, -point.success))


def _large_enough(planes: list[list[_Point]], width: float) -> tuple[Plane, list[list[_Name]]]:
    """The lowest plane in which all names of all planes find a place, and where they stand in it."""
    plane = Plane(width, _LOW)
    while None in (named := [_named(points, plane) for points in planes]):
        plane = Plane(width, round(plane.height * _GROWTH))
    return plane, [names for names in named if names is not None]


def _named(points: list[_Point], plane: Plane) -> list[_Name] | None:
    names = [wrapped(point.agent, 0.45 * plane.width) for point in points]
    sizes = [(max(map(width_of, name)), float(LINE * len(name))) for name in names]
    places = place_names([_place(point, points, plane) for point in points], sizes, plane)
    return None if places is None else list(zip(names, places, strict=True))


def _draw_plane(plane: Plane, label: str, points: list[_Point], named: list[_Name]) -> str:
    body: list[str] = []
    for share in (0, 25, 50, 75, 100):
        y = plane.height * (1 - share / 100)
        body += [line(0, y, plane.width, y, "grid" if share else "axis"), text(-5, y, str(share), "soft small", "end")]
    low, high = _limits(points)
    for value in round_values(low, high):
        x = plane.width * (math.log10(value) - low) / (high - low)
        body += [line(x, plane.height, x, plane.height + 4, "axis")]
        body += [text(x, plane.height + 12, f"{value:g}", "soft small", "middle")]
    body.append(text(plane.width / 2, plane.height + 28, label, "soft", "middle"))
    places = [_place(point, points, plane) for point in points]
    body.append(path([at for at, point in zip(places, points, strict=True) if point.on_frontier], "front"))
    for at, (_, where) in zip(places, named, strict=True):
        near = nearest(at, where)
        if math.dist(at, near) > 12:
            body.append(line(*at, *near, "lead"))
    for at, point, (name, where) in zip(places, points, named, strict=True):
        told = f"{point.agent}: {100 * point.success:.0f} % at {point.price:.3g} ({label})"
        body.append(dot(*at, "on" if point.on_frontier else "off", told))
        kind = "halo" if point.on_frontier else "halo soft"
        x, anchor = (where.x + where.width, "end") if where.x + where.width < at[0] else (where.x, "start")
        body.append(lines_of_text(x, where.y + LINE / 2, name, kind, anchor))
    return "".join(body)


def _place(point: _Point, points: list[_Point], plane: Plane) -> tuple[float, float]:
    low, high = _limits(points)
    across = (math.log10(point.price) - low) / (high - low)
    return plane.width * across, plane.height * (1 - point.success)


def _limits(points: list[_Point]) -> tuple[float, float]:
    """Of the axis, as powers of ten, with a margin on both sides."""
    low, high = (math.log10(choose(point.price for point in points)) for choose in (min, max))
    margin = max(0.08 * (high - low), 0.25 - (high - low) / 2, 0.03)
    return low - margin, high + margin
