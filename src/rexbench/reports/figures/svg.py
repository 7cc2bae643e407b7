"""The elements of a drawing, and a drawing as a whole. Whatever text comes in goes out escaped and printable."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from rexbench.reports.figures.palette import figure_style
from rexbench.text import printable

WIDE, NARROW = 720, 340
"""Widths at which figures are drawn: for a desk or a printed page, and for a phone."""
SIZE, LINE = 12, 15
"""Of text, and from one line to the next."""
_STRONG = 1.13
_MARGIN = 8
_PIECES = re.compile(r"[^-_ ./+(:]*[-_ ./+(:]?")


@dataclass(frozen=True)
class Drawn:
    """A figure at one width."""

    told: str
    """What it shows, for those who cannot see it."""
    width: float
    height: float
    body: str
    holds_links: bool = False

    def inline(self) -> str:
        """For a page that has the figures' style already."""
        width, height, role = _short(self.width), _short(self.height), "group" if self.holds_links else "img"
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        return f'<svg class="fig" {size} role="{role}" aria-label="{escape(self.told)}">{self.body}</svg>'

    def file(self) -> str:
        """For a file of its own: with style, and a ground that follows the reader's light or dark mode."""
        x, y, width, height = -_MARGIN, -_MARGIN, self.width + 2 * _MARGIN, self.height + 2 * _MARGIN
        size = f'viewBox="{x} {y} {_short(width)} {_short(height)}" width="{_short(width)}" height="{_short(height)}"'
        ground = box(x, y, width, height, "paper")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" {size} role="img"><title>{escape(self.told)}</title>'
            f"<style>{figure_style()}</style>{ground}{self.body}</svg>\n"
        )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{_short(x1)}" y1="{_short(y1)}" x2="{_short(x2)}" y2="{_short(y2)}"/>'


def path(points: list[tuple[float, float]], kind: str) -> str:
    """A line through points."""
    return f'<polyline class="{kind}" points="{" ".join(f"{_short(x)},{_short(y)}" for x, y in points)}"/>'


def dot(x: float, y: float, kind: str, told: str = "", radius: float = 5) -> str:
    return f'<circle class="{kind}" cx="{_short(x)}" cy="{_short(y)}" r="{radius}">{_title(told)}</circle>'


def box(x: float, y: float, width: float, height: float, kind: str, told: str = "") -> str:
    corner = f'x="{_short(x)}" y="{_short(y)}"'
    return f'<rect class="{kind}" {corner} width="{_short(width)}" height="{_short(height)}">{_title(told)}</rect>'


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start", turned: bool = False) -> str:
    """One line of text whose middle is at `y`; turned: it reads upwards from there."""
    place = f'x="{_short(x)}" y="{_short(y)}" dy=".35em"'
    if turned:
        place = f'transform="translate({_short(x)} {_short(y)}) rotate(-90)" dy=".35em"'
    return f'<text class="{kind}" {place} text-anchor="{anchor}">{escape(printable(content))}</text>'


def lines_of_text(x: float, y: float, lines: list[str], kind: str = "", anchor: str = "start") -> str:
    """Lines below each other, the first one's middle at `y`."""
    return "".join(text(x, y + at * LINE, each, kind, anchor) for at, each in enumerate(lines))


def width_of(content: str) -> float:
    """About what text takes, rather too much than too little: the reader's font is not known here."""
    return SIZE * sum(_em(letter) for letter in content)


def strong_width_of(content: str) -> float:
    """The same for text in bold."""
    return _STRONG * width_of(content)


def wrapped(content: str, most: float, strong: bool = False) -> list[str]:
    """The whole text in lines of at most this width, broken after a separator where there is one."""
    most = most / _STRONG if strong else most
    lines = [""]
    for piece in _breakable(content, most):
        if lines[-1] and width_of(lines[-1] + piece.rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [each.strip() for each in lines]


def _breakable(content: str, most: float) -> Iterator[str]:
    for piece in _PIECES.findall(content):
        yield from (piece,) if width_of(piece.rstrip()) <= most else piece


def _em(letter: str) -> float:
    if letter in "iljtfrI.,:;!|'()[]- ":
        return 0.38
    return 0.95 if letter in "mwMWQO@%" else 0.68 if letter.isupper() or letter.isdigit() else 0.6


def _title(told: str) -> str:
    return f"<title>{escape(printable(told))}</title>" if told else ""


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
