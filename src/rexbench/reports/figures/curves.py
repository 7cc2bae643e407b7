"""Score over time: one small plane for each agent at a hint level, from capture to capture."""

from itertools import groupby

from rexbench.reports.figures.panels import Frame, draw_panels
from rexbench.reports.figures.rows import score_range
from rexbench.reports.figures.svg import Drawn, dot, line, path, text
from rexbench.reports.table import Cell, Table, known


def draw_curves(over_time: Table, width: int) -> Drawn:
    """Mean score with its interval at each capture, evenly apart, since captures are taken at doubled minutes."""
    records = over_time.records()
    frame = Frame(0, 0, 0, 110, *score_range(over_time))
    groups = groupby(records, key=lambda row: (str(row["agent"]), str(row["hints"])))
    panels = [(f"{agent}, {hints}", lambda frame, own=list(group): _plane(frame, own)) for (agent, hints), group in groups]
    return draw_panels("Mean score by minutes, with 95 % intervals", panels, width, frame, 220)


def _plane(frame: Frame, rows: list[dict[str, Cell]]) -> str:
    body = [frame.lines({frame.low: "" if frame.low else "0", 0.0: "0", 0.5: ".5", 1.0: "1"})]
    places = [frame.x(0.04 + 0.92 * at / max(1, len(rows) - 1)) for at in range(len(rows))]
    values = [[known(row[key]) for key in ("low", "score", "high")] for row in rows]
    for x, (low, _, high) in zip(places, values, strict=True):
        if low is not None and high is not None:
            body.append(line(x, frame.y(low), x, frame.y(high), "whisker"))
    body.append(path([(x, frame.y(value or 0.0)) for x, (_, value, _) in zip(places, values, strict=True)], "path"))
    for x, (_, value, _), row in zip(places, values, rows, strict=True):
        when = "at the end" if row["minutes"] == "end" else f"after {row['minutes']} min"
        body.append(dot(x, frame.y(value or 0.0), "dot", f"{when}: {value or 0.0:.2f}, {row['runs']} runs", 4))
        body.append(text(x, frame.top + frame.height + 13, str(row["minutes"]), "soft small", "middle"))
    return "".join(body)
