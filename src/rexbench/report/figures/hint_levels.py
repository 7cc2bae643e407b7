"""What hints do: one small plane for each agent, its rates from level to level."""

from itertools import groupby

from rexbench.report.figures.svg import LINE, Drawn, dot, line, lines_of_text, path, text, wrapped
from rexbench.report.table import Cell, Table, known

_PANEL = 160
_PLANE = 70


def draw_hints(headline: Table, levels: tuple[str, ...], width: int) -> Drawn:
    """Success with its interval at each hint level, agents beside and below each other."""
    rows = [row for row in headline.records() if known(row["success"]) is not None]
    agents = [(agent, list(group)) for agent, group in groupby(rows, key=lambda row: str(row["agent"]))]
    columns = max(1, width // _PANEL)
    panel = width / columns
    body: list[str] = []
    y = 0.0
    for start in range(0, len(agents), columns):
        beside = [(wrapped(agent, panel - 44, strong=True), own) for agent, own in agents[start : start + columns]]
        head = LINE * max(len(name) for name, _ in beside) + 10
        for at, (name, own) in enumerate(beside):
            left = at * panel + 24
            body.append(lines_of_text(left, y + LINE / 2, name, "strong"))
            body.append(_plane(left, y + head, panel - 44, levels, own))
        y += head + _PLANE + 34
    return Drawn("Final success at each hint level, with 95 % intervals", width, y - 10, "".join(body))


def _plane(left: float, top: float, width: float, levels: tuple[str, ...], rows: list[dict[str, Cell]]) -> str:
    def height(key: str, row: dict[str, Cell]) -> float:
        return top + _PLANE * (1 - (known(row[key]) or 0.0))

    body = [line(left, top + _PLANE * part, left + width, top + _PLANE * part, "grid") for part in (0, 0.5)]
    body += [text(left - 5, top + _PLANE * (1 - part / 100), str(part), "soft small", "end") for part in (0, 50, 100)]
    body.append(line(left, top + _PLANE, left + width, top + _PLANE, "axis"))
    places = [left + 8 + (width - 16) * levels.index(str(row["hints"])) / (len(levels) - 1) for row in rows]
    body += [line(x, height("low", row), x, height("high", row), "whisker") for x, row in zip(places, rows, strict=True)]
    body.append(path([(x, height("success", row)) for x, row in zip(places, rows, strict=True)], "path"))
    for x, row in zip(places, rows, strict=True):
        rate, low, high = (100 * (known(row[key]) or 0.0) for key in ("success", "low", "high"))
        body.append(
            dot(x, height("success", row), "dot", f"{row['hints']}: {rate:.0f} %, 95 % interval {low:.0f} to {high:.0f}", 4)
        )
    for at, level in enumerate(levels):
        anchor = "start" if at == 0 else "end" if at == len(levels) - 1 else "middle"
        x = left + width * at / (len(levels) - 1)
        body.append(text(x, top + _PLANE + 13, level, "soft small", anchor))
    return "".join(body)
