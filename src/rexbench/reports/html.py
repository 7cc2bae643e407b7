"""The report as one HTML file: no server, no network, nothing beside it but the links to what it had no room for.

Text from runs is escaped by the template or, inside the packed details, set as text by the page's script; a content policy in
the page lets no other script run and nothing be fetched, whatever a run may hold.
"""

import base64
import hashlib
from pathlib import Path

from jinja2 import PackageLoader
from markupsafe import Markup

import rexbench
from rexbench.reports.content import Content
from rexbench.reports.figures.palette import OUTCOMES
from rexbench.reports.packing import bundle_of, pack_runs
from rexbench.reports.reading import ReportedRun
from rexbench.reports.templates import page_style, part, templates
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


def _ordered(content: Content) -> list[ReportedRun]:
    """Task by task, since runs of the same task pack best together."""
    names = content.reading
    places = [{name: at for at, name in enumerate(axis)} for axis in (names.tasks, names.agents, names.hints)]

    def place(entry: ReportedRun) -> tuple[int, int, int, int]:
        return places[0][entry.run.task], places[1][entry.agent], places[2][entry.run.hints], entry.run.repetition

    return sorted(names.runs, key=place)
