"""What hints do: one small plane for each agent, its rates from level to level."""

from itertools import groupby

from rexbench.reports.figures.panels import Frame, draw_panels
from rexbench.reports.figures.svg import Drawn, dot, line, path, text
from rexbench.reports.table import Cell, Table, known


def draw_hints(headline: Table, levels: tuple[str, ...], width: int) -> Drawn:
    """Success with its interval at each hint level, agents beside and below each other."""
    rows = [row for row in headline.records() if known(row["success"]) is not None]
    panels = [
        (agent, lambda frame, own=list(group): _plane(frame, levels, own))
        for agent, group in groupby(rows, key=lambda row: str(row["agent"]))
    ]
    return draw_panels("Final success at each hint level, with 95 % intervals", panels, width, Frame(0, 0, 0, 70))


def _plane(frame: Frame, levels: tuple[str, ...], rows: list[dict[str, Cell]]) -> str:
    body = [frame.lines({0.0: "0", 0.5: "50", 1.0: "100"})]
    places = [frame.left + 8 + (frame.width - 16) * levels.index(str(row["hints"])) / (len(levels) - 1) for row in rows]
    values = [[known(row[key]) or 0.0 for key in ("low", "success", "high")] for row in rows]
    for x, (low, _, high) in zip(places, values, strict=True):
        body.append(line(x, frame.y(low), x, frame.y(high), "whisker"))
    body.append(path([(x, frame.y(value)) for x, (_, value, _) in zip(places, values, strict=True)], "path"))
    for x, (low, value, high), row in zip(places, values, rows, strict=True):
        told = f"{row['hints']}: {100 * value:.0f} %, 95 % interval {100 * low:.0f} to {100 * high:.0f}"
        body.append(dot(x, frame.y(value), "dot", told, 4))
    for at, level in enumerate(levels):
        anchor = "start" if at == 0 else "end" if at == len(levels) - 1 else "middle"
        body.append(text(frame.x(at / (len(levels) - 1)), frame.top + frame.height + 13, level, "soft small", anchor))
    return "".join(body)
