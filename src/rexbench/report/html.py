"""The report as one HTML file: no server, no network, nothing beside it.

Text from runs is escaped by the template or, inside the packed details, set as text by the page's script; a content policy in
the page lets no other script run and nothing be fetched, whatever a run may hold.
"""

import base64
import hashlib
from collections import Counter
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import rexbench
from rexbench.places import home
from rexbench.record.store import Store
from rexbench.report.charts import HEIGHT, OUTCOMES, WIDTH, Stack, bars, lines, scatter, stacks
from rexbench.report.content import Content
from rexbench.report.packing import bundle_of, pack_runs
from rexbench.report.reading import ReportedRun
from rexbench.report.table import shown

_LARGEST = 2_900_000
_BYTES_PER_ROW = 420
"""What a run takes in the list, about."""


def render(content: Content) -> str:
    """The whole page."""
    script = _part("report.js")
    entries = _ordered(content)
    headline, frontier = content.tables[0], content.table("frontier")
    room = (
        _LARGEST
        - 150_000
        - _BYTES_PER_ROW * len(entries)
        - sum(60 * len(table.rows) * len(table.columns) for table in content.tables)
    )
    environment = Environment(
        loader=PackageLoader("rexbench.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    return environment.get_template("report.html.j2").render(
        version=rexbench.__version__,
        content=content,
        headline=headline,
        bars=bars(headline),
        lines=lines(headline, content.results.hints),
        scatters=[
            made
            for made in (
                frontier and scatter(frontier, "usd_per_run", "on_cost_frontier", "US dollars per run"),
                frontier and scatter(frontier, "agent_seconds_per_run", "on_time_frontier", "seconds per run"),
            )
            if made
        ],
        plane=(WIDTH, HEIGHT),
        stacks=_stacks(content),
        outcomes=[name for name in OUTCOMES if name in set(content.results.outcome)],
        entries=[(entry, *bundle_of(at)) for at, entry in enumerate(entries)],
        bundles=pack_runs(entries, Store(home()), max(room, 400_000)),
        style=Markup(_part("report.css")),
        script=Markup(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _stacks(content: Content) -> list[Stack]:
    counted = {agent: Counter[str]() for agent in content.results.agents}
    for entry in content.reading.runs:
        counted[entry.agent][entry.run.outcome] += 1
    return stacks({agent: {name: found[name] for name in OUTCOMES if found[name]} for agent, found in counted.items()})


def _ordered(content: Content) -> list[ReportedRun]:
    """Task by task, since runs of the same task pack best together."""
    names = content.reading
    places = [{name: at for at, name in enumerate(axis)} for axis in (names.tasks, names.agents, names.hints)]

    def place(entry: ReportedRun) -> tuple[int, int, int, int]:
        return places[0][entry.run.task], places[1][entry.agent], places[2][entry.run.hints], entry.run.repetition

    return sorted(names.runs, key=place)


def _part(name: str) -> str:
    return (files("rexbench.report") / "page" / name).read_text(encoding="utf-8")
