"""The service for people: leaderboard, submissions, the keeper's page. Pages of plain HTML, without any script."""

import secrets
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any

from anyio.to_thread import run_sync
from sqlalchemy import select
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rexbench.errors import RexbenchError
from rexbench.reports.templates import page_style
from rexbench.service.accounts import MOST_WAITING, UPLOADS_A_DAY, close_account, open_account
from rexbench.service.api import give_archive
from rexbench.service.app import Desk
from rexbench.service.board import LEVEL
from rexbench.service.database import Change
from rexbench.service.queue import show_or_hide, try_again
from rexbench.service.seasons import end_season, running_season, start_season
from rexbench.service.shown import is_for, told_account, told_entry, told_season, told_submission
from rexbench.service.tables import ROLES, Account, Entry, Submission

_MOST_SHOWN = 200
_ENVELOPE = 2**16
"""Of a form around its file."""


class Pages:
    """Answers people."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self) -> list[Route]:
        desk = self._desk
        return [
            desk.read("/", self.leaderboard, "reader"),
            desk.read("/submissions", self.submissions, "submitter"),
            desk.read("/submissions/{number:int}", self.submission, "reader"),
            desk.read("/submissions/{number:int}/archive", lambda *asked: give_archive(desk, *asked), "submitter"),
            desk.read("/keeper", self.keeper, "keeper"),
            desk.read("/sign-in", self.sign_in_page, None),
            desk.read("/static/{name}", _static, None),
            desk.route("/submissions", self.hand_in, "submitter", "POST"),
            desk.route("/keeper", self.keep, "keeper", "POST"),
            desk.route("/sign-in", self.sign_in, None, "POST"),
            desk.route("/sign-out", self.sign_out, "reader", "POST"),
        ]

    def leaderboard(self, request: Request, account: Account | None) -> Response:
        season, standings, seasons = self._desk.standings(request.query_params.get("season", ""))
        told = told_season(season) if season else None
        return self._page(request, account, "leaderboard.html.j2", season=told, standings=standings, seasons=seasons, level=LEVEL)

    def submissions(self, request: Request, account: Account | None) -> Response:
        assert account is not None
        with self._desk.database.reading() as session:
            chosen = select(Submission).where(Submission.account_id == account.id).order_by(Submission.id.desc())
            found = [told_submission(one, account) for one in session.scalars(chosen.limit(_MOST_SHOWN))]
            season = running_season(session)
        return self._page(
            request, account, "submissions.html.j2", submissions=found, season=season, most=self._desk.bounds.upload_bytes
        )

    def submission(self, request: Request, account: Account | None) -> Response:
        found = self._desk.submission(request, account)
        told = told_submission(found, account, self._desk.runs(found))
        return self._page(
            request,
            account,
            "submission.html.j2",
            submission=told,
            own=is_for(found, account),
            over=found.season.ended_at is not None,
        )

    async def hand_in(self, request: Request, account: Account | None) -> Response:
        assert account is not None
        with self._desk.receiver.turn(account):
            given = await self._desk.form(request, self._desk.bounds.upload_bytes + _ENVELOPE)
            archive = given.get("archive")
            if not isinstance(archive, UploadFile):
                raise HTTPException(400, "Choose an archive first.")
            made, _ = await self._desk.receiver.take(account, _chunks(archive))
        return RedirectResponse(f"/submissions/{made.id}", 303)

    def keeper(self, request: Request, account: Account | None, told: str = "", status: int = 200) -> Response:
        with self._desk.database.reading() as session:
            numbered = select(Submission).order_by(Submission.id.desc()).limit(_MOST_SHOWN)
            waiting = session.scalars(select(Submission.id).where(Submission.state.in_(("queued", "judging")))).all()
            season = running_season(session)
            values: dict[str, Any] = {
                "faults": [told_submission(one, account) for one in session.scalars(numbered.where(Submission.state == "fault"))],
                "judged": [told_submission(one, account) for one in session.scalars(numbered.where(Submission.state == "judged"))],
                "accounts": [told_account(one) for one in session.scalars(select(Account).order_by(Account.name))],
                "log": [told_entry(one) for one in session.scalars(select(Entry).order_by(Entry.id.desc()).limit(_MOST_SHOWN))],
            }
        limits = {"uploads": UPLOADS_A_DAY, "waiting_most": MOST_WAITING, "roles": ROLES}
        values |= {"season": season, "waiting": len(waiting), "told": told, **limits}
        return self._page(request, account, "keeper.html.j2", status, **values)

    async def keep(self, request: Request, account: Account | None) -> Response:
        """One thing that a keeper does."""
        assert account is not None
        given = await self._desk.form(request)

        def change() -> Response:
            with self._desk.database.change() as begun:
                told = self._kept(begun, account.name, given)
            return self.keeper(request, account, told)

        return await run_sync(change)

    def _kept(self, change: Change, who: str, given: dict[str, Any]) -> str:
        """Do what the form says; returns what the keeper has to be told."""
        do, name = str(given.get("do", "")), str(given.get("name", ""))
        if do == "open":
            limits = _number(given, "uploads_a_day"), _number(given, "most_waiting")
            token = open_account(change, who, name, str(given.get("role", "")), *limits)
            return f"The token of {name}, which is not shown again: {token}"
        if do == "close":
            close_account(change, who, name)
            return f"The account {name} is closed."
        if do == "start":
            start_season(change, who, name, self._desk.bench.tasks(), moderated="moderated" in given)
            return f"The season {name} has started."
        if do == "end":
            season = end_season(change, who)
            return f"The season {season.name} is over; its seed is {season.seed}."
        if do in ("publish", "withdraw"):
            show_or_hide(change, who, _number(given, "number"), show=do == "publish")
            return f"Submission {given['number']} is {'published' if do == 'publish' else 'withdrawn'}."
        if do == "again":
            try_again(change, who, _number(given, "number"))
            return f"Submission {given['number']} is in the queue again."
        raise RexbenchError("There is no such thing to do.")

    def sign_in_page(self, request: Request, account: Account | None) -> Response:
        """A visitor gets a cookie that names nobody, so that signing in too takes a form that another site cannot make."""
        if self._desk.cookie(request):
            return self._page(request, account, "sign_in.html.j2", told="")
        cookie = secrets.token_hex(32)
        answer = self._page(request, None, "sign_in.html.j2", told="", csrf_token=self._desk.door.form_token(cookie))
        self._desk.give(answer, cookie)
        return answer

    async def sign_in(self, request: Request, account: Account | None) -> Response:
        given = await self._desk.form(request)
        found = await run_sync(self._desk.door.by_token, str(given.get("account_token", "")).strip())
        if found is None:
            return self._page(request, None, "sign_in.html.j2", 403, told="This is nobody's token.")
        answer = RedirectResponse("/", 303)
        self._desk.give(answer, self._desk.door.cookie(found))
        return answer

    async def sign_out(self, request: Request, account: Account | None) -> Response:
        await self._desk.form(request)
        answer = RedirectResponse("/sign-in", 303)
        answer.delete_cookie(self._desk.cookie_name, path="/", secure=self._desk.secure, httponly=True, samesite="strict")
        return answer

    def _page(self, request: Request, account: Account | None, template: str, status: int = 200, **values: Any) -> Response:
        return self._desk.page(request, account, template, status, **values)


def _static(request: Request, account: Account | None) -> Response:
    name = request.path_params["name"]
    if name == "service.css":
        own = (files(f"rexbench.{room}") / "page" / f"{room}.css" for room in ("viewer", "service"))
        return Response(page_style() + "".join(part.read_text(encoding="utf-8") for part in own), media_type="text/css")
    if name == "icon.svg":
        return Response((files("rexbench.viewer") / "page" / name).read_bytes(), media_type="image/svg+xml")
    raise HTTPException(404, "There is no such file.")


async def _chunks(archive: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await archive.read(2**20):
        yield chunk


def _number(given: dict[str, Any], name: str) -> int:
    text = str(given.get(name, ""))
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RexbenchError(f"{name} is a whole number; {text[:20]!r} is none.")
    return int(text)
