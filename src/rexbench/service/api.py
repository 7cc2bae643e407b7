"""The service for programs: JSON and CSV, and a description of both."""

from typing import Any

from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

import rexbench
from rexbench.reports.table import Column, Table, to_csv
from rexbench.service.accounts import may
from rexbench.service.app import Desk, as_json
from rexbench.service.guard import bounded
from rexbench.service.shown import is_for, told_account, told_entry, told_season, told_standings, told_submission
from rexbench.service.tables import Account, Entry, Role, Season, Submission

_SAYS: dict[str, tuple[str, Role | None, str]] = {
    "GET /api/leaderboard": ("Leaderboards of a season, the one that runs by default.", "reader", "json"),
    "GET /api/seasons": ("All seasons; seeds of those that are over.", "reader", "json"),
    "GET /api/submissions": ("Your own submissions; a keeper's are everybody's.", "submitter", "json"),
    "POST /api/submissions": ("Hand in an archive; the same one again is the same submission.", "submitter", "json"),
    "GET /api/submissions/{number}": ("A submission and its verdicts, as far as you may see them.", "reader", "json"),
    "GET /api/submissions/{number}/archive": ("The archive, for its owner.", "submitter", "zip"),
    "GET /api/export.json": ("Everything that you may see.", "reader", "json"),
    "GET /api/export.csv": ("The same verdicts, a run a line.", "reader", "csv"),
    "GET /openapi.json": ("This description.", None, "json"),
}  # fmt: skip
_KINDS = {"json": "application/json", "csv": "text/csv", "zip": "application/zip"}


class Api:
    """Answers programs."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self) -> list[Route]:
        read = {
            "/api/leaderboard": self.leaderboard,
            "/api/seasons": self.seasons,
            "/api/submissions": self.submissions,
            "/api/submissions/{number:int}": self.submission,
            "/api/submissions/{number:int}/archive": self.archive,
            "/api/export.json": self.export_json,
            "/api/export.csv": self.export_csv,
            "/openapi.json": self.description,
        }
        routes = [self._desk.read(path, answer, _SAYS[f"GET {path.replace(':int', '')}"][1]) for path, answer in read.items()]
        return [*routes, self._desk.route("/api/submissions", self.hand_in, "submitter", "POST")]

    def leaderboard(self, request: Request, account: Account | None) -> Response:
        season, standings, _ = self._desk.standings(request.query_params.get("season", ""))
        return as_json({"season": told_season(season) if season else None, "standings": told_standings(standings)})

    def seasons(self, request: Request, account: Account | None) -> Response:
        with self._desk.database.reading() as session:
            return as_json([told_season(season) for season in session.scalars(select(Season).order_by(Season.id))])

    def submissions(self, request: Request, account: Account | None) -> Response:
        return as_json([told_submission(one, account) for one in self._visible(account, own=True)])

    async def hand_in(self, request: Request, account: Account | None) -> Response:
        assert account is not None
        bounds = self._desk.bounds
        body = Request(request.scope, bounded(request.receive, bounds.upload_bytes, bounds.upload_seconds))
        with self._desk.receiver.turn(account):
            made, is_new = await self._desk.receiver.take(account, body.stream())
        return as_json(told_submission(made, account), 201 if is_new else 200)

    def submission(self, request: Request, account: Account | None) -> Response:
        found = self._desk.submission(request, account)
        return as_json(told_submission(found, account, self._desk.runs(found)))

    def archive(self, request: Request, account: Account | None) -> Response:
        """As it was handed in."""
        return give_archive(self._desk, request, account)

    def export_json(self, request: Request, account: Account | None) -> Response:
        told: dict[str, Any] = {
            "submissions": [told_submission(one, account, self._desk.runs(one)) for one in self._visible(account)],
        }
        with self._desk.database.reading() as session:
            told["seasons"] = [told_season(season) for season in session.scalars(select(Season).order_by(Season.id))]
            if may(account, "keeper"):
                told["accounts"] = [told_account(one) for one in session.scalars(select(Account).order_by(Account.id))]
                told["log"] = [told_entry(one) for one in session.scalars(select(Entry).order_by(Entry.id))]
        return as_json(told)

    def export_csv(self, request: Request, account: Account | None) -> Response:
        rows: list[dict[str, Any]] = []
        for one in self._visible(account):
            told = told_submission(one, account, self._desk.runs(one))
            about = {"submission": one.id, "account": one.account.name, "season": one.season.name, "published": one.published}
            rows += [about | run for run in told.get("runs", ())]
        names = [name for name in dict.fromkeys(name for row in rows for name in row) if not isinstance(rows[0].get(name), list)]
        columns = tuple(Column(name) for name in names)
        table = Table("export", "", columns, tuple(tuple(row.get(name) for name in names) for row in rows))
        return Response(
            to_csv(table), media_type="text/csv", headers={"content-disposition": 'attachment; filename="rexbench.csv"'}
        )

    def description(self, request: Request, account: Account | None) -> Response:
        return as_json(describe())

    def _visible(self, account: Account | None, own: bool = False) -> list[Submission]:
        """Submissions that an account may see, or that are its own."""
        chosen = select(Submission).order_by(Submission.id)
        if not may(account, "keeper"):
            mine = Submission.account_id == (account.id if account else 0)
            chosen = chosen.where(mine if own else mine | Submission.published.is_(True))
        with self._desk.database.reading() as session:
            return list(session.scalars(chosen))


def give_archive(desk: Desk, request: Request, account: Account | None) -> Response:
    """An archive, to whom it belongs."""
    found = desk.submission(request, account)
    if not is_for(found, account):
        raise HTTPException(404, "There is no such archive.")
    return FileResponse(desk.receiver.archive(found), media_type="application/zip", filename=f"submission-{found.id}.zip")


def describe() -> dict[str, Any]:
    """The description of all this, as OpenAPI has it."""
    paths: dict[str, Any] = {}
    for name, (says, role, kind) in _SAYS.items():
        method, path = name.split()
        error = {"schema": {"$ref": "#/components/schemas/Error"}}
        told: dict[str, Any] = {
            "summary": says,
            "responses": {
                "200": {"description": "What was asked for.", "content": {_KINDS[kind]: {}}},
                "default": {"description": "One sentence.", "content": {"application/json": error}},
            },
        }
        if role:
            told["security"] = [{"token": []}]
            told["description"] = f"For a {role}, or a role above."
        if "{number}" in path:
            told["parameters"] = [{"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}]
        if path == "/api/leaderboard":
            told["parameters"] = [{"name": "season", "in": "query", "schema": {"type": "string"}}]
        if method == "POST":
            told["requestBody"] = {
                "required": True,
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
            told["responses"]["201"] = {"description": "A new submission.", "content": {_KINDS[kind]: {}}}
        paths.setdefault(path, {})[method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {"title": "rexbench serve", "version": rexbench.__version__},
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}},
        },
    }
