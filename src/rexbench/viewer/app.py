"""The pages and what they ask for. Everything is read from the campaigns' folders at the moment it is asked for."""

import json
from collections import OrderedDict
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, PackageLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

import rexbench
from rexbench.campaign.folder import RUN_NAME
from rexbench.errors import RexbenchError
from rexbench.reports.figures.palette import OUTCOMES
from rexbench.reports.templates import page_style, part, templates
from rexbench.task.canary import CANARY
from rexbench.untrusted import MAX_BYTES, NotTaken, open_inside
from rexbench.viewer.details import curve_figure, figures, run_page
from rexbench.viewer.listing import STATES, Listing
from rexbench.viewer.searching import runs_that_hold
from rexbench.viewer.turns import Turn, find_turns, read_turns

_KEPT = 8
"""Trajectories of which it is remembered where their turns begin."""
_MOST_TURNS = 100
"""That are given at once."""
_SCRIPTS = ("viewer.js", "list.js", "run.js")
_FILES = ("patch.diff", "trajectory.json", "stdout.log", "stderr.log", "agent.json", "run.json")
"""What is offered as it is."""


class Viewer:
    """The campaigns that are shown, under the names that stand in addresses."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        self.listings = {listing.name: listing for listing in listings}
        loaders = [PackageLoader(f"rexbench.{room}", "page") for room in ("viewer", "reports")]
        self._templates = templates(ChoiceLoader(loaders))
        self._turns: OrderedDict[Path, tuple[int, list[Turn]]] = OrderedDict()
        routes = {
            "/": self.home,
            "/c/{campaign}": self.campaign,
            "/run/{campaign}/{run:path}": self.run,
            "/beside": self.beside,
            "/static/{name}": self.static,
            "/api/campaigns": self.standings,
            "/api/runs/{campaign}": self.runs,
            "/api/figures/{campaign}": self.figures,
            "/api/search/{campaign}": self.search,
            "/api/run/{campaign}/{run:path}": self.run_details,
            "/api/turns/{campaign}/{run:path}": self.turns,
            "/file/{campaign}/{path:path}": self.file,
        }
        self.app = Starlette(
            routes=[Route(path, endpoint) for path, endpoint in routes.items()],
            exception_handlers={RexbenchError: _told, HTTPException: _told},
        )

    def home(self, request: Request) -> Response:
        if len(self.listings) == 1:
            return RedirectResponse(f"/c/{quote(next(iter(self.listings)))}", 303)
        return self._page("home.html.j2", "Campaigns", listings=self.listings.values())

    def campaign(self, request: Request) -> Response:
        listing = self._listing(request)
        listing.look()
        outcomes = [*OUTCOMES, *STATES]
        return self._page("campaign.html.j2", listing.name, listing=listing, outcomes=outcomes, figures=figures(listing))

    def run(self, request: Request) -> Response:
        listing, name = self._run(request)
        curve = curve_figure(listing, name)
        return self._page("run.html.j2", name, listing=listing, name=name, curve=curve, near=_near(listing, name))

    def beside(self, request: Request) -> Response:
        who = [f"{listing.name}/{agent}" for listing in self.listings.values() for agent in listing.agents]
        tasks = list(dict.fromkeys(task for listing in self.listings.values() for task in listing.plan.tasks))
        hints = list(dict.fromkeys(level for listing in self.listings.values() for level in listing.plan.hints))
        return self._page("beside.html.j2", "Side by side", who=who, tasks=tasks, hints=hints)

    def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name == "viewer.css":
            return Response(page_style() + _own("viewer.css"), media_type="text/css")
        if name == "viewer.js":
            return Response(part("shown.js") + "".join(map(_own, _SCRIPTS)), media_type="text/javascript")
        if name == "icon.svg":
            return Response(_own(name), media_type="image/svg+xml")
        raise HTTPException(404, "There is no such file.")

    def standings(self, request: Request) -> Response:
        for listing in self.listings.values():
            listing.look()
        return _json([listing.standing() for listing in self.listings.values()])

    def runs(self, request: Request) -> Response:
        """What has changed since the count of changes that the page has."""
        listing = self._listing(request)
        changes = listing.look()
        lines = listing.since(_number(request, "since", -1))
        return _json({"changes": changes, "runs": lines, "scored": listing.scored, "standing": listing.standing()})

    def figures(self, request: Request) -> Response:
        listing = self._listing(request)
        listing.look()
        return HTMLResponse(self._templates.get_template("figures.html.j2").render(figures=figures(listing)))

    def search(self, request: Request) -> Response:
        """Names of runs that hold a text in their patch, turns or logs, line by line as they are found."""
        found = runs_that_hold(self._listing(request), request.query_params.get("q", ""))
        return StreamingResponse((f"{name}\n" for name in found), media_type="text/plain")

    def run_details(self, request: Request) -> Response:
        listing, name = self._run(request)
        found = run_page(listing, name)
        found["whole"] = f"/file/{quote(listing.name)}/{name}/attempt-{found['attempt']}"
        found["turns"], found["untold"] = 0, ""
        if found["attempt"] and not found["is_gold"]:
            try:
                found["turns"] = len(self._turns_of(listing, name, found["attempt"]))
            except (FileNotFoundError, NotTaken) as error:
                found["untold"] = str(error) if isinstance(error, NotTaken) else ""
        return _json(found)

    def turns(self, request: Request) -> Response:
        """Some turns of a run's attempt, from one up to another, counted from 0."""
        listing, name = self._run(request)
        attempt, first = max(1, _number(request, "attempt", 1)), max(0, _number(request, "from", 0))
        last = min(_number(request, "to", first + 1), first + _MOST_TURNS)
        step = listing.campaign.agent_step(name, attempt)
        if step is None or step.agent == "gold":
            raise HTTPException(404, "This attempt has no turns to show.")
        found = self._turns_of(listing, name, attempt)
        return _json(read_turns(listing.campaign.attempt_folder(name, attempt) / "trajectory.json", found, first, last))

    def file(self, request: Request) -> Response:
        """A file of a run as it is, as text."""
        listing = self._listing(request)
        path = Path(request.path_params["path"])
        name, rest = "/".join(path.parts[:4]), path.parts[4:]
        step = listing.campaign.agent_step(name, 1) if RUN_NAME.fullmatch(name) else None
        if not RUN_NAME.fullmatch(name) or len(rest) not in (1, 2) or rest[-1] not in _FILES or (step and step.agent == "gold"):
            raise HTTPException(404, "There is no such file, or it is gold's, whose place is the vault.")
        try:
            with open_inside(listing.campaign.folder, Path("runs", name, *rest)) as opened:
                return PlainTextResponse(opened.read(2 * MAX_BYTES).decode(errors="replace"))
        except FileNotFoundError as error:
            raise HTTPException(404, f"{path} is not there.") from error

    def _page(self, template: str, title: str, **values: Any) -> Response:
        given = {"title": title, "version": rexbench.__version__, "canary": CANARY, "several": len(self.listings) > 1} | values
        return HTMLResponse(self._templates.get_template(template).render(given))

    def _listing(self, request: Request) -> Listing:
        found = self.listings.get(request.path_params["campaign"])
        if found is None:
            raise HTTPException(404, f"No campaign of that name is shown; there are: {', '.join(self.listings)}.")
        return found

    def _run(self, request: Request) -> tuple[Listing, str]:
        listing, name = self._listing(request), request.path_params["run"]
        if not RUN_NAME.fullmatch(name):
            raise HTTPException(404, "A run is called AGENT/TASK/HINTS/N.")
        listing.look()
        if name not in listing.lines:
            raise HTTPException(404, f"{listing.name} has no run {name}.")
        return listing, name

    def _turns_of(self, listing: Listing, name: str, attempt: int) -> list[Turn]:
        """Where turns begin, remembered for the trajectories that were looked at last."""
        path = listing.campaign.attempt_folder(name, attempt) / "trajectory.json"
        written = path.lstat().st_mtime_ns
        kept = self._turns.get(path)
        if kept is None or kept[0] != written:
            kept = written, find_turns(path)
        self._turns[path] = kept
        self._turns.move_to_end(path)
        while len(self._turns) > _KEPT:
            self._turns.popitem(last=False)
        return kept[1]


def _near(listing: Listing, name: str) -> list[str]:
    """Other runs on the same task, for laying beside."""
    task = name.split("/")[1]
    return [run for run in listing.lines if run.split("/")[1] == task and run != name]


async def _told(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return PlainTextResponse(error.detail if isinstance(error, HTTPException) else str(error), status)


def _json(value: Any) -> Response:
    return Response(json.dumps(value, separators=(",", ":"), allow_nan=False), media_type="application/json")


def _number(request: Request, name: str, otherwise: int) -> int:
    try:
        return int(request.query_params.get(name, otherwise))
    except ValueError as error:
        raise HTTPException(400, f"{name} is a whole number.") from error


def _own(name: str) -> str:
    return (files("rexbench.viewer") / "page" / name).read_text(encoding="utf-8")
