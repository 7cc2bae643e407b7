"""Figures made of rows: agents at hint levels below each other, success, tasks or outcomes to the right of their names."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from rexbench.reports.figures.palette import HEAT_STEPS, OUTCOMES
from rexbench.reports.figures.svg import LINE, WIDE, Drawn, box, dot, line, lines_of_text, strong_width_of, text, width_of, wrapped
from rexbench.reports.table import Table, known

_SCORES = ("score", "low", "high")
_ROW = 20
_GAP = 8
_HEAD = 8
_SMALLEST_CELL, _LARGEST_CELL = 24, 44


@dataclass(frozen=True)
class _Rows:
    """Names, drawn, and where the rows beside them lie."""

    left: float
    """Where names end."""
    middles: tuple[float, ...]
    bottom: float
    body: str


@dataclass(frozen=True)
class _Axis:
    """From where to where, marked at which values, called what, and how its values are written."""

    low: float
    high: float
    marks: tuple[float, ...]
    label: str
    write: Callable[[float], str]


def draw_headline(headline: Table, width: int) -> Drawn:
    """Final success of each agent at each hint level, with its interval."""
    axis = _Axis(
        0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), "final success, % of runs, mean over tasks", lambda value: f"{100 * value:.0f}"
    )
    return _draw_intervals("Final success with 95 % intervals", headline, "success", axis, width)


def draw_scores(scores: Table, width: int) -> Drawn:
    """Mean score of each agent at each hint level, with its interval; 0 and 1 are always there."""
    low, high = score_range(scores)
    marks = tuple(at / 2 for at in range(math.ceil(2 * low), math.floor(2 * high) + 1))
    axis = _Axis(low, high, marks, "mean score, 1 is gold", lambda value: f"{value:.2f}")
    return _draw_intervals("Mean scores with 95 % intervals", scores, "score", axis, width)


def score_range(table: Table) -> tuple[float, float]:
    """From where to where scores are drawn: 0, 1 and every mean, and at most half a score more for intervals that go on."""
    scores, lows, highs = ([value for row in table.records() if (value := known(row[key])) is not None] for key in _SCORES)
    least, most = min(0.0, *scores, 0.0), max(1.0, *scores, 1.0)
    return max(least - 0.5, min(least, *lows, least)), min(most + 0.5, max(most, *highs, most))


def _draw_intervals(told: str, table: Table, key: str, axis: _Axis, width: int) -> Drawn:
    found = [row for row in table.records() if known(row[key]) is not None]
    rows = _lay([(str(row["agent"]), str(row["hints"])) for row in found], width, _HEAD)
    limits = [
        (low, high) if (low := known(row["low"])) is not None and (high := known(row["high"])) is not None else None
        for row in found
    ]
    spans = ["" if each is None else f"{axis.write(each[0])} to {axis.write(each[1])}" for each in limits]
    values = [known(row[key]) or 0.0 for row in found]
    right = width - 22 - max(strong_width_of(axis.write(value)) for value in values) - max(map(width_of, spans))

    def place(value: float) -> float:
        return rows.left + (right - rows.left) * (min(max(value, axis.low), axis.high) - axis.low) / (axis.high - axis.low)

    body = [line(place(at), _HEAD, place(at), rows.bottom, "grid") for at in axis.marks] + [rows.body]
    for row, value, limit, span, y in zip(found, values, limits, spans, rows.middles, strict=True):
        if limit:
            body.append(line(place(limit[0]), y, place(limit[1]), y, "whisker"))
        which = f"{row['agent']}, {row['hints']}: {axis.write(value)}"
        body.append(dot(place(value), y, "dot", f"{which}, 95 % interval {span}" if span else which))
        body += [text(right + 14, y, axis.write(value), "strong"), text(width, y, span, "soft", "end")]
    body.append(line(rows.left, rows.bottom, right, rows.bottom, "axis"))
    body += [text(place(at), rows.bottom + 12, axis.write(at), "soft small", "middle") for at in axis.marks]
    body.append(text((rows.left + right) / 2, rows.bottom + 27, axis.label, "soft", "middle"))
    return Drawn(told, width, rows.bottom + 38, "".join(body))


def draw_by_task(by_task: Table, width: int, linked: bool = False) -> Drawn:
    """Success by agent, hint level and task, as numbers on a shade; a linked cell carries the names that it stands for."""
    told = "Per cent of runs that succeed, by agent, hint level and task"
    return _draw_map(told, by_task, width, linked, lambda rate: f"{100 * rate:.0f}")


def draw_scores_by_task(by_task: Table, width: int, linked: bool = False) -> Drawn:
    """Scores by agent, hint level and task; the shade ends at 0 and at 1."""
    return _draw_map("Mean score by agent, hint level and task", by_task, width, linked, lambda score: f"{score:.2f}")


def _draw_map(told: str, by_task: Table, width: int, linked: bool, write: Callable[[float], str]) -> Drawn:
    tasks = [column.name for column in by_task.columns[2:]]
    head = max(width_of(task) for task in tasks) + 12
    rows = _lay([(str(row[0]), str(row[1])) for row in by_task.rows], width, head)
    values = [[known(cell) for cell in row[2:]] for row in by_task.rows]
    widest = max((width_of(write(value)) for row in values for value in row if value is not None), default=0.0)
    cell = max(_SMALLEST_CELL, widest + 2, min(_LARGEST_CELL, (width - rows.left) / len(tasks)))
    body = [rows.body, *(text(rows.left + (at + 0.5) * cell, head - 6, task, turned=True) for at, task in enumerate(tasks))]
    for row, own, y in zip(by_task.rows, values, rows.middles, strict=True):
        for at, (task, value) in enumerate(zip(tasks, own, strict=True)):
            who, told_as = (str(row[0]), str(row[1]), task), "" if value is None else write(value)
            body.append(_cell(who, value, told_as, (rows.left + at * cell, y, cell), linked))
    return Drawn(told, max(width, rows.left + len(tasks) * cell), rows.bottom + 4, "".join(body), linked)


def draw_outcomes(outcomes: Mapping[str, Mapping[str, int]], width: int) -> Drawn:
    """How each agent's runs end, as parts of a whole."""
    counted = {agent: counts for agent, counts in outcomes.items() if counts}
    rows = _lay([(agent, "") for agent in counted], width, _HEAD)
    body = [rows.body]
    for (agent, counts), y in zip(counted.items(), rows.middles, strict=True):
        x, total = rows.left, sum(counts.values())
        for name in (name for name in OUTCOMES if counts.get(name)):
            wide = (width - rows.left) * counts[name] / total
            body.append(box(x, y - 8, max(wide - 1, 0.5), 16, f"o-{name}", f"{agent}, {name}: {counts[name]} of {total} runs"))
            if width_of(str(counts[name])) + 4 <= wide:
                body.append(text(x + wide / 2, y, str(counts[name]), f"on-{name} small", "middle"))
            x += wide
    x, y = 0.0, rows.bottom + 14
    for name in (name for name in OUTCOMES if any(counts.get(name) for counts in counted.values())):
        room = 16 + width_of(name) + 14
        x, y = (0.0, y + LINE + 2) if x + room > width else (x, y)
        body += [box(x, y - 6, 12, 12, f"o-{name}"), text(x + 17, y, name, "soft")]
        x += room
    return Drawn("How runs end, by agent", width, y + 12, "".join(body))


def _lay(who: Sequence[tuple[str, str]], width: int, top: float) -> _Rows:
    """Agents at the left in as many lines as they need; where the width is small, above their rows."""
    levels = sorted({level for _, level in who})
    beside = max(map(width_of, levels), default=0.0) + 10 if len(levels) > 1 else 0.0
    room = min(max((strong_width_of(agent) for agent, _ in who), default=0.0), 0.3 * width) if width >= WIDE else 0.0
    left, y = room + beside + (10 if room else 0), top
    middles: list[float] = []
    body: list[str] = []
    for at, (agent, group) in enumerate(groupby(who, key=lambda row: row[0])):
        y += _GAP if at else 0
        lines = wrapped(agent, room or width, strong=True)
        body.append(lines_of_text(0, y + _ROW / 2, lines, "strong halo"))
        first = y + (0 if room else LINE * len(lines) + 4) + _ROW / 2
        own = [(first + _ROW * row, level) for row, (_, level) in enumerate(group)]
        if beside:
            body += [text(left - beside, middle, level, "soft") for middle, level in own]
        middles += [middle for middle, _ in own]
        y = max(middles[-1] + _ROW / 2, y + LINE * len(lines) + 4 if room else 0)
    return _Rows(left, tuple(middles), y, "".join(body))


def _cell(who: tuple[str, str, str], value: float | None, written: str, place: tuple[float, float, float], linked: bool) -> str:
    x, y, width = place
    middle = x + width / 2
    if value is None:
        return box(x, y - _ROW / 2, width - 1, _ROW - 1, "none") + text(middle, y, "–", "soft small", "middle")
    step = round(HEAT_STEPS * min(max(value, 0.0), 1.0))
    told = f"{', '.join(who)}: {written}"
    drawn = box(x, y - _ROW / 2, width - 1, _ROW - 1, f"h{step}", told) + text(middle, y, written, f"on-h{step} small", "middle")
    if not linked:
        return drawn
    agent, level, task = map(escape, who)
    names = f'data-agent="{agent}" data-hints="{level}" data-task="{task}"'
    return f'<a href="#runs" {names} aria-label="{escape(told)}">{drawn}</a>'
