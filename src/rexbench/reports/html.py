"""The report as one HTML file: no server, no network, nothing beside it but the links to what it had no room for.

Text from runs is escaped by the template or, inside the packed details, set as text by the page's script; a content policy in
the page lets no other script run and nothing be fetched, whatever a run may hold.
"""

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import rexbench
from rexbench.reports.content import Content
from rexbench.reports.figures.palette import OUTCOMES, figure_style, page_variables
from rexbench.reports.figures.svg import NARROW, WIDE
from rexbench.reports.packing import bundle_of, pack_runs
from rexbench.reports.reading import ReportedRun
from rexbench.reports.section import Figure
from rexbench.reports.table import shown
from rexbench.task.canary import CANARY

_LARGEST = 2_900_000
_LEAST_FOR_RUNS = 400_000
_BUNDLES = "<!-- bundles -->"
"""Where details of runs go, as far as the rest of the page leaves room; no text of a run can look like it, since `<` is escaped."""


def render(content: Content, target: Path) -> str:
    """The whole page, as it will stand in the folder `target`."""
    entries = _ordered(content)
    script = part("shown.js") + part("report.js")
    page = (
        templates(PackageLoader("rexbench.reports", "page"))
        .get_template("report.html.j2")
        .render(
            version=rexbench.__version__,
            canary=CANARY,
            content=content,
            reading=content.reading,
            outcomes=[name for name in OUTCOMES if any(entry.run.outcome == name for entry in entries)],
            flags=sorted({flag.kind for entry in entries for flag in entry.run.flags}),
            entries=[(entry, *bundle_of(at)) for at, entry in enumerate(entries)],
            style=Markup(page_style()),
            script=Markup(script),
            script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )
    packed = pack_runs(entries, max(_LARGEST - len(page.encode()), _LEAST_FOR_RUNS), target, content.with_patches)
    scripts = (f'<script type="text/plain" id="bundle-{at}">{bundle}</script>' for at, bundle in enumerate(packed))
    return page.replace(_BUNDLES, "\n".join(scripts))


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


def _ordered(content: Content) -> list[ReportedRun]:
    """Task by task, since runs of the same task pack best together."""
    names = content.reading
    places = [{name: at for at, name in enumerate(axis)} for axis in (names.tasks, names.agents, names.hints)]

    def place(entry: ReportedRun) -> tuple[int, int, int, int]:
        return places[0][entry.run.task], places[1][entry.agent], places[2][entry.run.hints], entry.run.repetition

    return sorted(names.runs, key=place)
