"""Figures for papers, as SVG and PDF: drawn without global state, and the same bytes for the same numbers."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from rexbench.report.charts import OUTCOMES, round_values
from rexbench.report.drawing import Numbers
from rexbench.report.table import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import RcKeyType

_SETTINGS: "dict[RcKeyType, object]" = {
    "svg.hashsalt": "rexbench",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 8,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_MOST_NUMBERS = 150
"""Cells up to which a heat map holds its numbers; beyond, a scale beside it is easier to read and much quicker to draw."""
_INK, _ACCENT = "#333333", "#0b66c3"
_MARKERS = {"none": "o", "hints": "s", "detailed": "^"}
_COLOURS = ("#27803f", "#e0a100", "#c77d3a", "#c0392b", "#7d5ba6", "#5d6d7e", "#a9b2bb")
_HATCHES = ("", "//", "..", "xx", "\\\\", "--", "++")


def write_figures(numbers: Numbers, folder: Path) -> list[Path]:
    """Every figure that the campaign has numbers for."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, Callable[[Numbers], Figure]] = {"headline": _headline, "by_task": _by_task, "failures": _failures}
    if len(numbers.hints) > 1:
        drawn["hints"] = _hints
    if _prices(numbers):
        drawn["frontier"] = _frontier
    written = []
    with matplotlib.rc_context(_SETTINGS):
        for name, draw in drawn.items():
            figure = draw(numbers)
            written += [folder / f"{name}.svg", folder / f"{name}.pdf"]
            figure.savefig(written[-2], format="svg", metadata={"Date": None, "Creator": "rexbench"})
            figure.set_layout_engine("none")  # laid out already; doing it again would take as long as drawing
            figure.savefig(written[-1], format="pdf", metadata={"CreationDate": None, "Creator": "rexbench", "Producer": None})
    return written


def _headline(numbers: Numbers) -> Figure:
    rows = _rows(numbers, "headline")
    figure, axes = _new(6.0, 0.6 + 0.17 * len(rows))
    for at, row in enumerate(rows):
        low, value, high = (_known(row[key]) for key in ("low", "success", "high"))
        axes.plot([low, high], [at, at], color=_ACCENT, alpha=0.4, linewidth=3, solid_capstyle="butt")
        axes.plot(value, at, marker=_MARKERS.get(str(row["hints"]), "o"), color=_ACCENT, markersize=4)
    axes.set_yticks(range(len(rows)), [f"{_plain(row['agent'])}, {row['hints']}" for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("success, mean over tasks, 95 % interval")
    return figure


def _hints(numbers: Numbers) -> Figure:
    """Agents side by side in one plane, each with its levels from left to right."""
    rows, levels = _rows(numbers, "headline"), numbers.hints
    agents = list(dict.fromkeys(str(row["agent"]) for row in rows))
    wide = len(levels) + 1
    figure, axes = _new(1.2 + 0.55 * len(agents), 2.8)
    for at, agent in enumerate(agents):
        own = [row for row in rows if row["agent"] == agent]
        x = [at * wide + levels.index(str(row["hints"])) for row in own]
        low, value, high = (np.array([_known(row[key]) for row in own]) for key in ("low", "success", "high"))
        axes.vlines(x, low, high, color=_ACCENT, alpha=0.4, linewidth=3)
        axes.plot(x, value, color=_ACCENT, linewidth=1)
        for place, rate, row in zip(x, value, own, strict=True):
            axes.plot(place, rate, marker=_MARKERS.get(str(row["hints"]), "o"), color=_ACCENT, markersize=4)
    middles = [at * wide + (len(levels) - 1) / 2 for at in range(len(agents))]
    axes.set_xticks(middles, [_plain(agent) for agent in agents], rotation=40, ha="right", rotation_mode="anchor")
    axes.set_ylim(0, 1)
    axes.set_ylabel(f"success: {', '.join(levels)}")
    return figure


def _by_task(numbers: Numbers) -> Figure:
    table = numbers.table("by_task")
    assert table is not None
    values = np.array([[_known(cell) for cell in row[2:]] for row in table.rows])
    figure, axes = _new(2.2 + 0.36 * values.shape[1], 1.4 + 0.17 * len(values))
    shades = axes.imshow(values, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    if values.size > _MOST_NUMBERS:
        figure.colorbar(shades, ax=axes, label="success", fraction=0.03, pad=0.01)
    for (line, column), value in np.ndenumerate(values):
        if values.size <= _MOST_NUMBERS and not np.isnan(value):
            colour = "white" if value > 0.65 else _INK
            text = axes.text(column, line, f"{100 * value:.0f}", ha="center", va="center", fontsize=6, color=colour)
            text.set_in_layout(False)  # lies inside its cell; measuring hundreds of them would take most of the time
    axes.set_xticks(range(values.shape[1]), [_plain(column.name) for column in table.columns[2:]], rotation=60, ha="right")
    axes.set_yticks(range(len(values)), [f"{_plain(row[0])}, {row[1]}" for row in table.rows])
    return figure


def _frontier(numbers: Numbers) -> Figure:
    prices, rows = _prices(numbers), _rows(numbers, "frontier")
    named = max(sum(row[on] is True for row in rows) for _, on, _ in prices)
    figure = Figure(figsize=(3.6 * len(prices), 2.7 + 0.13 * named), layout="constrained")
    for axes, price in zip(figure.subplots(1, len(prices), squeeze=False)[0], prices, strict=True):
        _draw_frontier(axes, rows, *price)
    return figure


def _draw_frontier(axes: "Axes", rows: list[dict[str, Cell]], price: str, on: str, label: str) -> None:
    """Points of all, a line through the frontier, its points numbered and named under the axis, where names have room."""
    known = [row for row in rows if _known(row[price]) > 0 and not math.isnan(_known(row["success"]))]
    named: list[str] = []
    for row in sorted(known, key=lambda row: _known(row[price])):
        x, y = _known(row[price]), _known(row["success"])
        chosen = row[on] is True
        marker = _MARKERS.get(str(row["hints"]), "o")
        axes.plot(x, y, marker=marker, color=_ACCENT, fillstyle="full" if chosen else "none", linestyle="")
        if chosen:
            named.append(f"{len(named) + 1}  {_plain(row['agent'])}, {row['hints']}")
            axes.annotate(str(len(named)), (x, y), xytext=(0, 5), textcoords="offset points", fontsize=7, ha="center")
    for level in dict.fromkeys(str(row["hints"]) for row in known):
        on_level = (row for row in known if row[on] is True and row["hints"] == level)
        front = sorted((_known(row[price]), _known(row["success"])) for row in on_level)
        axes.plot([x for x, _ in front], [y for _, y in front], color=_ACCENT, linestyle="--", linewidth=0.8)
    axes.set_xscale("log")
    ticks = round_values(*(math.log10(limit) for limit in axes.get_xlim()))
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(0, 1)
    axes.set_xlabel("\n".join([label, *named]), fontsize=7)
    axes.set_ylabel("success")


def _prices(numbers: Numbers) -> list[tuple[str, str, str]]:
    """Money and time, as far as they are known: fields of price and frontier, and the axis's label."""
    both = (
        ("usd_per_run", "on_cost_frontier", "US dollars per run"),
        ("agent_seconds_per_run", "on_time_frontier", "seconds per run"),
    )
    return [price for price in both if any(_known(row[price[0]]) > 0 for row in _rows(numbers, "frontier"))]


def _failures(numbers: Numbers) -> Figure:
    table = numbers.table("failures")
    assert table is not None
    agents = list(numbers.agents)
    outcomes = [name for name in OUTCOMES if any(row[1] == name for row in table.rows)]
    figure, axes = _new(6.0, 0.9 + 0.24 * len(agents))
    left = np.zeros(len(agents))
    for outcome in outcomes:
        width = np.array(
            [sum(int(str(row[3])) for row in table.rows if row[:2] == (agent, outcome)) for agent in agents], dtype=np.float64
        )
        colour, hatch = _COLOURS[OUTCOMES.index(outcome)], _HATCHES[OUTCOMES.index(outcome)]
        axes.barh(range(len(agents)), width, left=left, label=outcome, color=colour, hatch=hatch, edgecolor="white", linewidth=0.4)
        left += width
    axes.set_yticks(range(len(agents)), [_plain(agent) for agent in agents])
    axes.invert_yaxis()
    axes.set_xlabel("runs that failed")
    if outcomes:
        axes.legend(fontsize=6, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    return figure


def _new(width: float, height: float) -> "tuple[Figure, Axes]":
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _rows(numbers: Numbers, name: str) -> list[dict[str, Cell]]:
    table = numbers.table(name)
    return table.records() if table else []


def _known(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else float("nan")


def _plain(cell: Cell) -> str:
    """A name as it stands: a dollar sign would start a formula."""
    return str(cell).replace("$", r"\$")
