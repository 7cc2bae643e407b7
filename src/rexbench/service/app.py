"""Who asks, what for, and in which words they are answered; the pages and the JSON are in files of their own."""

import hmac
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from anyio.to_thread import run_sync
from jinja2 import ChoiceLoader, PackageLoader
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

import rexbench
from rexbench.api.bench import Bench
from rexbench.errors import RexbenchError, SystemFault
from rexbench.record.model import Run
from rexbench.reports.templates import templates
from rexbench.service.accounts import COOKIE_SECONDS, Door, may
from rexbench.service.archives import Bounds
from rexbench.service.board import Board, Standings
from rexbench.service.database import Database
from rexbench.service.guard import Pace, bounded
from rexbench.service.queue import NoSeason, OverQuota
from rexbench.service.receiving import Receiver
from rexbench.service.seasons import find_season
from rexbench.service.shown import is_for
from rexbench.service.tables import Account, Role, Season, Submission
from rexbench.task.canary import CANARY
from rexbench.viewer.guard import cookie_of

_FORM_BYTES, _FORM_SECONDS = 2**16, 20.0
Answer = Callable[[Request, Account | None], Awaitable[Response] | Response]


class Desk:
    """What pages and JSON have in common: the parts of the service, and who stands before it."""

    def __init__(self, bench: Bench, database: Database, bounds: Bounds, public: bool, secure: bool) -> None:
        self.bench, self.database, self.bounds, self.public, self.secure = bench, database, bounds, public, secure
        self.door = Door(database, bench.home.secret())
        self.board = Board(bench)
        self.receiver = Receiver(bench.home, database, bounds)
        self.cookie_name = "__Host-rexbench" if secure else "rexbench-serve"
        self._pace = Pace(bounds.asks_a_minute)
        self._templates = templates(ChoiceLoader([PackageLoader(f"rexbench.{room}", "page") for room in ("service", "reports")]))

    def route(self, path: str, answer: Answer, role: Role | None, method: str = "GET") -> Route:
        """Answers only whom this role is given; None: anybody."""

        async def endpoint(request: Request) -> Response:
            account = await run_sync(self._who, request)
            self._pace.check(account.name if account else f"from {request.client.host if request.client else ''}")
            if role is not None and not may(account, role) and not (role == "reader" and self.public):
                if account is None and not path.startswith("/api"):
                    return RedirectResponse("/sign-in", 303)
                raise HTTPException(401 if account is None else 403, f"This needs a token of a {role}.")
            answered = answer(request, account)
            return answered if isinstance(answered, Response) else await answered

        return Route(path, endpoint, methods=[method])

    def read(self, path: str, answer: Callable[[Request, Account | None], Response], role: Role | None) -> Route:
        """The same for what is looked up in the database, which takes a while."""
        return self.route(path, lambda request, account: run_sync(answer, request, account), role)

    async def form(self, request: Request, most: int = _FORM_BYTES) -> dict[str, Any]:
        """What a form of ours says; refused where it is not of ours."""
        seconds = _FORM_SECONDS if most == _FORM_BYTES else self.bounds.upload_seconds
        given = await Request(request.scope, bounded(request.receive, most, seconds)).form(max_files=1, max_fields=10)
        cookie, told = self.cookie(request), str(given.get("csrf_token", ""))
        if not cookie or not hmac.compare_digest(told.encode(), self.door.form_token(cookie).encode()):
            raise HTTPException(403, "The form is not this session's; open its page again.")
        return dict(given)

    def cookie(self, request: Request) -> str:
        return cookie_of(request.headers.get("cookie", ""), self.cookie_name)

    def give(self, answer: Response, cookie: str) -> None:
        answer.set_cookie(self.cookie_name, cookie, COOKIE_SECONDS, path="/", secure=self.secure, httponly=True, samesite="strict")

    def page(self, request: Request, account: Account | None, template: str, status: int = 200, **values: Any) -> Response:
        given = {
            "account": account,
            "csrf_token": self.door.form_token(self.cookie(request)),
            "may": lambda role: may(account, role),
            "version": rexbench.__version__,
            "canary": CANARY,
            "at": request.url.path,
        }
        return HTMLResponse(self._templates.get_template(template).render(given | values), status)

    def standings(self, name: str) -> tuple[Season | None, list[Standings], list[Season]]:
        """A season by its name, its leaderboards, and all seasons."""
        with self.database.reading() as session:
            season = find_season(session, name)
            if season is None and name:
                raise HTTPException(404, "There is no such season.")
            seasons = list(session.scalars(select(Season).order_by(Season.id.desc())))
            chosen = select(Submission).where(Submission.season_id == (season.id if season else 0), Submission.published.is_(True))
            published = list(session.scalars(chosen.order_by(Submission.id)))
        return season, self.board.standings(season, published) if season else [], seasons

    def submission(self, request: Request, account: Account | None) -> Submission:
        """The one that a path names; one that this account may not see is not there."""
        number = request.path_params["number"]
        with self.database.reading() as session:
            found = session.get(Submission, number) if number < 2**31 else None
        if found is None or not (found.published or is_for(found, account)):
            raise HTTPException(404, "There is no such submission.")
        return found

    def runs(self, submission: Submission) -> list[Run] | None:
        return self.board.runs(submission) if submission.state == "judged" else None

    def _who(self, request: Request) -> Account | None:
        """By the token that a program sends, or by a browser's cookie; what changes something by JSON takes tokens alone."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        is_program = request.url.path.startswith("/api/")
        if is_program and kind.lower() == "bearer":
            return self.door.by_token(token.strip())
        if is_program and request.method == "POST":
            return None
        return self.door.by_cookie(self.cookie(request))

    async def told(self, request: Request, error: Exception) -> Response:
        """An error in one sentence, as a page or as JSON."""
        headers = error.headers if isinstance(error, HTTPException) else None
        status, told = _status(error), error.detail if isinstance(error, HTTPException) else str(error)
        if isinstance(error, SystemFault):
            traceback.print_exception(error, file=sys.stderr)
            told = "A fault of this service kept that from being done; its keeper is told."
        told = told.replace(str(self.bench.home.folder), "the home")
        if request.url.path.startswith("/api/"):
            return as_json({"error": told}, status, dict(headers or {}))
        answer = self.page(request, None, "error.html.j2", status, told=told)
        answer.headers.update(headers or {})
        return answer


def make_app(desk: Desk, routes: list[Route]) -> Starlette:
    handlers = dict.fromkeys((RexbenchError, HTTPException), desk.told)
    return Starlette(routes=routes, exception_handlers=handlers)


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    content = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Response(content, status, headers, "application/json")


def _status(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    kinds = ((OverQuota, 429), (NoSeason, 409), (SystemFault, 500))
    return next((status for kind, status in kinds if isinstance(error, kind)), 400)
