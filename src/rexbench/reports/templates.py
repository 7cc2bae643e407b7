"""What every page is made with: templates that escape, the style, the drawing of figures at two widths."""

from importlib.resources import files

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from rexbench.reports.figures.palette import figure_style, page_variables
from rexbench.reports.figures.svg import NARROW, WIDE
from rexbench.reports.section import Figure
from rexbench.reports.table import shown


def templates(loader: BaseLoader) -> Environment:
    """Templates that escape whatever they are given."""
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"shown": shown, "drawn": _drawn}
    return made


def page_style() -> str:
    """The style of pages and of the figures in them."""
    return page_variables() + figure_style() + part("report.css")


def part(name: str) -> str:
    """A file of the page."""
    return (files("rexbench.reports") / "page" / name).read_text(encoding="utf-8")


def _drawn(figure: Figure, width: str) -> Markup:
    draw = figure.draw_linked or figure.draw
    return Markup(draw(WIDE if width == "wide" else NARROW).inline())
