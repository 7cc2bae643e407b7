"""Small planes beside and below each other, each with a name above it: as many in a row as fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rexbench.reports.figures.svg import LINE, Drawn, line, lines_of_text, text, wrapped

_LEAST, _LEFT, _RIGHT, _BELOW = 160, 24, 20, 44


@dataclass(frozen=True)
class Frame:
    """Where a plane lies, and what its edges stand for."""

    left: float
    top: float
    width: float
    height: float
    low: float = 0.0
    high: float = 1.0
    """Of the upright axis."""

    def y(self, value: float) -> float:
        """Where a value lies; one beyond an edge lies on it."""
        return self.top + self.height * (1 - (min(max(value, self.low), self.high) - self.low) / (self.high - self.low))

    def x(self, share: float) -> float:
        """Where a share of the width lies."""
        return self.left + self.width * min(max(share, 0.0), 1.0)

    def lines(self, values: dict[float, str]) -> str:
        """A line across at each value, with its label; the lowest is the axis."""
        body = [line(self.left, self.y(at), self.left + self.width, self.y(at), "grid") for at in values if at > self.low]
        body += [text(self.left - 5, self.y(at), label, "soft small", "end") for at, label in values.items()]
        body.append(line(self.left, self.top + self.height, self.left + self.width, self.top + self.height, "axis"))
        return "".join(body)


def draw_panels(
    told: str, panels: Sequence[tuple[str, Callable[[Frame], str]]], width: int, frame: Frame, least: float = _LEAST
) -> Drawn:
    """Every panel in a frame like this one; `least` is what one takes of the width at least."""
    columns = max(1, int(width // least))
    panel = width / columns
    body: list[str] = []
    y = 0.0
    for start in range(0, len(panels), columns):
        beside = [(wrapped(name, panel - _LEFT - _RIGHT, strong=True), draw) for name, draw in panels[start : start + columns]]
        head = LINE * max(len(name) for name, _ in beside) + 10
        for at, (name, draw) in enumerate(beside):
            left = at * panel + _LEFT
            body.append(lines_of_text(left, y + LINE / 2, name, "strong"))
            body.append(draw(Frame(left, y + head, panel - _LEFT - _RIGHT, frame.height, frame.low, frame.high)))
        y += head + frame.height + _BELOW
    return Drawn(told, width, y - 10, "".join(body))
