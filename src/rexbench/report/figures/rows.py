"""Figures made of rows: agents at hint levels below each other, success, tasks or outcomes to the right of their names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from rexbench.report.figures.palette import HEAT_STEPS, OUTCOMES
from rexbench.report.figures.svg import LINE, WIDE, Drawn, box, dot, line, lines_of_text, strong_width_of, text, width_of, wrapped
from rexbench.report.table import Table, known

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


def draw_headline(headline: Table, width: int) -> Drawn:
    """Final success of each agent at each hint level, with its interval."""
    found = [row for row in headline.records() if known(row["success"]) is not None]
    rows = _lay([(str(row["agent"]), str(row["hints"])) for row in found], width, _HEAD)
    right = width - 82
    scale = (right - rows.left) / 100
    body = [line(at, _HEAD, at, rows.bottom, "grid") for at in _quarters(rows.left, right)] + [rows.body]
    for row, y in zip(found, rows.middles, strict=True):
        low, value, high = (100 * (known(row[key]) or 0.0) for key in ("low", "success", "high"))
        body.append(line(rows.left + scale * low, y, rows.left + scale * high, y, "whisker"))
        told = f"{row['agent']}, {row['hints']}: {value:.0f} %, 95 % interval {low:.0f} to {high:.0f}"
        body.append(dot(rows.left + scale * value, y, "dot", told))
        body.append(text(right + 14, y, f"{value:.0f}", "strong"))
        body.append(text(width, y, f"{low:.0f}–{high:.0f}", "soft", "end"))
    body.append(line(rows.left, rows.bottom, right, rows.bottom, "axis"))
    for at, share in zip(_quarters(rows.left, right), (0, 25, 50, 75, 100), strict=True):
        body.append(text(at, rows.bottom + 12, str(share), "soft small", "middle"))
    body.append(text((rows.left + right) / 2, rows.bottom + 27, "final success, % of runs, mean over tasks", "soft", "middle"))
    return Drawn("Final success with 95 % intervals", width, rows.bottom + 38, "".join(body))


def draw_by_task(by_task: Table, width: int, linked: bool = False) -> Drawn:
    """Success by agent, hint level and task, as numbers on a shade; a linked cell carries the names that it stands for."""
    tasks = [column.name for column in by_task.columns[2:]]
    head = max(width_of(task) for task in tasks) + 12
    rows = _lay([(str(row[0]), str(row[1])) for row in by_task.rows], width, head)
    cell = max(_SMALLEST_CELL, min(_LARGEST_CELL, (width - rows.left) / len(tasks)))
    body = [rows.body, *(text(rows.left + (at + 0.5) * cell, head - 6, task, turned=True) for at, task in enumerate(tasks))]
    for row, y in zip(by_task.rows, rows.middles, strict=True):
        for at, task in enumerate(tasks):
            body.append(_cell(str(row[0]), str(row[1]), task, known(row[at + 2]), (rows.left + at * cell, y, cell), linked))
    told = "Per cent of runs that succeed, by agent, hint level and task"
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


def _cell(agent: str, level: str, task: str, rate: float | None, place: tuple[float, float, float], linked: bool) -> str:
    x, y, width = place
    middle = x + width / 2
    if rate is None:
        return box(x, y - _ROW / 2, width - 1, _ROW - 1, "none") + text(middle, y, "–", "soft small", "middle")
    step = round(HEAT_STEPS * rate)
    drawn = box(x, y - _ROW / 2, width - 1, _ROW - 1, f"h{step}", f"{agent}, {level}, {task}: {100 * rate:.0f} %")
    drawn += text(middle, y, f"{100 * rate:.0f}", f"on-h{step} small", "middle")
    if not linked:
        return drawn
    names = f'data-agent="{escape(agent)}" data-hints="{escape(level)}" data-task="{escape(task)}"'
    return f'<a href="#runs" {names} aria-label="{escape(f"{agent}, {level}, {task}: {100 * rate:.0f} %")}">{drawn}</a>'


def _quarters(left: float, right: float) -> list[float]:
    return [left + (right - left) * part / 4 for part in range(5)]
