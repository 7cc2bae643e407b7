"""A part of the report: what is said, drawn and tabulated under one title. Page, terminal and files show all parts alike."""

from collections.abc import Callable
from dataclasses import dataclass

from rexbench.reports.figures.svg import Drawn
from rexbench.reports.table import Table


@dataclass(frozen=True)
class Figure:
    """A figure that can be drawn at any width."""

    name: str
    """Also the name of its file."""
    draw: Callable[[int], Drawn]
    draw_linked: Callable[[int], Drawn] | None = None
    """For the page, where its parts lead to runs."""
    note: str = ""
    """How to read it."""


@dataclass(frozen=True)
class Section:
    """One part."""

    name: str
    short: str
    """In the page's list of sections."""
    title: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    says: tuple[str, ...] = ()
    """What the numbers say, in sentences."""
    caveat: str = ""
    """What has to be known before they are read."""
    unfolded: bool = False
    """Whether the page shows the first table at once."""
