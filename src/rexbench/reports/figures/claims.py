"""Claimed against measured: one small plane for each agent, with the line on which claims are true."""

from itertools import groupby

from rexbench.reports.figures.panels import Frame, draw_panels
from rexbench.reports.figures.svg import Drawn, dot, line, text
from rexbench.reports.table import Cell, Table, known

_HEIGHT = 150


def draw_chances(bins: Table, width: int) -> Drawn:
    """Claimed chances to the right, shares that succeeded upwards."""
    groups = groupby(bins.records(), key=lambda row: (str(row["agent"]), str(row["tier"])))
    panels = [(f"{agent}, {tier} tasks", lambda frame, own=list(group): _chances(frame, own)) for (agent, tier), group in groups]
    return draw_panels("Claimed chance of success against the share that succeeded", panels, width, Frame(0, 0, 0, _HEIGHT), 220)


def draw_claimed_scores(claims: Table, width: int) -> Drawn:
    """Measured scores to the right, claimed intervals upwards; both axes hold every measured score with half a score to spare."""
    records = claims.records()
    measured = [known(row["measured"]) or 0.0 for row in records]
    frame = Frame(0, 0, 0, _HEIGHT, min(0.0, *measured, 0.0) - 0.5, max(1.0, *measured, 1.0) + 0.5)
    groups = groupby(sorted(records, key=lambda row: str(row["agent"])), key=lambda row: str(row["agent"]))
    panels = [(agent, lambda frame, own=list(group): _intervals(frame, own)) for agent, group in groups]
    return draw_panels("Claimed 80 % intervals against measured scores", panels, width, frame, 220)


def _chances(frame: Frame, rows: list[dict[str, Cell]]) -> str:
    body = [frame.lines({0.0: "0", 0.5: "50", 1.0: "100"}), line(frame.x(0), frame.y(0), frame.x(1), frame.y(1), "lead")]
    for row in rows:
        claimed, share, low, high = (known(row[key]) or 0.0 for key in ("claimed", "success", "low", "high"))
        body.append(line(frame.x(claimed), frame.y(low), frame.x(claimed), frame.y(high), "whisker"))
        told = f"claimed {100 * claimed:.0f} %, succeeded {100 * share:.0f} % of {row['runs']} runs"
        body.append(dot(frame.x(claimed), frame.y(share), "dot", told, 4))
    body += [text(frame.x(at / 100), frame.top + frame.height + 13, str(at), "soft small", "middle") for at in (0, 50, 100)]
    return "".join([*body, _below(frame, "claimed, %")])


def _intervals(frame: Frame, rows: list[dict[str, Cell]]) -> str:
    body = [frame.lines({0.0: "0", 1.0: "1"}), line(frame.x(0), frame.y(frame.low), frame.x(1), frame.y(frame.high), "lead")]

    def across(value: float) -> float:
        return frame.x((value - frame.low) / (frame.high - frame.low))

    for row in rows:
        low, high, measured = (known(row[key]) or 0.0 for key in ("claimed_low", "claimed_high", "measured"))
        body.append(line(across(measured), frame.y(low), across(measured), frame.y(high), "whisker"))
        told = f"{row['task']}, {row['hints']}: claimed {low:.2f} to {high:.2f}, measured {measured:.2f}"
        body.append(dot(across(measured), frame.y((low + high) / 2), "on" if row["held"] else "off", told, 3))
    body += [text(across(at), frame.top + frame.height + 13, str(at), "soft small", "middle") for at in (0, 1)]
    return "".join([*body, _below(frame, "measured score")])


def _below(frame: Frame, label: str) -> str:
    return text(frame.left + frame.width / 2, frame.top + frame.height + 26, label, "soft small", "middle")
