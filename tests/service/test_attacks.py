"""Attacks on the service over its real socket: archives, bodies, roles, tokens, forms, names. None may succeed."""

import io
import re
import socket
import struct
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import func, select

from rexbench.api.bench import Bench
from rexbench.interop.judges import Staying
from rexbench.service.archives import Bounds
from rexbench.service.database import Database
from rexbench.service.seasons import end_season, start_season
from rexbench.service.serve import serving
from rexbench.service.tables import Account, Entry, Submission
from rexbench.task.folder import Task
from tests.service.conftest import BOUNDS, Archive, Up, form_token, open_accounts, sign_in
from tests.service.handed_in import patches, write_archive
from tests.waiting import wait_until

MARK = "<script>document.title='owned'</script>"
GOOD = "runs/solver/toy/none/1/patch.diff"


def count(up: Up) -> int:
    with up.database.reading() as session:
        return session.scalars(select(func.count()).select_from(Submission)).one()


def linked(name: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = 0o120777 << 16
    return made


def raw(path: Path, members: list[tuple[zipfile.ZipInfo | str, bytes]], manifest: dict[str, Any] | None = None) -> bytes:
    """An archive of any members, which its manifest agrees with."""
    write_archive(path, {}, {"files": {}} | (manifest or {}))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path.read_bytes()


def lying(content: bytes, name: str, says: int) -> bytes:
    """The same archive, whose directory says of a member that it is of another length."""
    at = content.rindex(b"PK\x01\x02", 0, content.rindex(name.encode()))
    return content[: at + 24] + struct.pack("<I", says) + content[at + 28 :]


def bomb(path: Path, toy: Task) -> bytes:
    files = {GOOD: toy.vault.gold} | {f"runs/solver/toy/none/1/log-{at}": bytes(300_000) for at in range(8)}
    return write_archive(path, files).read_bytes()


def quine(path: Path, toy: Task) -> bytes:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deep", bytes(900_000))
    nested = {f"runs/solver/toy/none/1/{at}.zip": inner.getvalue() for at in range(3)}
    return write_archive(
        path, {GOOD: toy.vault.gold, "runs/solver/toy/none/1/more/patch.diff": inner.getvalue(), **nested}
    ).read_bytes()


Made = Callable[[Path, Task], bytes]
HOSTILE: dict[str, tuple[Made, str]] = {
    "bomb of many members": (bomb, "unpacks to"),
    "archives within archives": (quine, "not where patches are"),
    "link in place of a patch": (lambda path, toy: raw(path, [(linked(GOOD), b"/etc/passwd")]), "is a link"),
    "way out of the folder": (lambda path, toy: raw(path, [("runs/../../../etc/cron.d/x", b"x")]), "leads out"),
    "absolute path": (lambda path, toy: raw(path, [("/etc/cron.d/x", b"x")]), "leads out"),
    "way out for Windows": (lambda path, toy: raw(path, [("runs\\..\\..\\x", b"x")]), "leads out"),
    "member twice": (lambda path, toy: raw(path, [(GOOD, b"one"), (GOOD, b"two")]), "more than once"),
    "less than it holds": (
        lambda path, toy: lying(write_archive(path, {GOOD: toy.vault.gold}).read_bytes(), GOOD, 10),
        "no zip archive",
    ),
    "more than it holds": (
        lambda path, toy: lying(write_archive(path, {GOOD: toy.vault.gold}).read_bytes(), GOOD, 2**31),
        "unpacks to",
    ),
    "another content than its manifest's": (
        lambda path, toy: write_archive(path, {GOOD: b"x"}, {"files": {GOOD: "0" * 64}}).read_bytes(),
        "digest differs",
    ),
    "member that no manifest names": (lambda path, toy: raw(path, [(GOOD, b"x")]), "not in the manifest"),
    "no archive at all": (lambda path, toy: b"PK\x03\x04 and then nothing", "no zip archive"),
    "half of an archive": (lambda path, toy: write_archive(path, {GOOD: toy.vault.gold}).read_bytes()[:200], "no zip archive"),
    "nothing": (lambda path, toy: b"", "no zip archive"),
    "no patch": (lambda path, toy: write_archive(path, {"runs/x": b"x"}).read_bytes(), "holds no patch"),
    "task that the season has not": (
        lambda path, toy: write_archive(path, patches("solver", "othello", [b""])).read_bytes(),
        "has no task othello",
    ),
    "task by a path": (
        lambda path, toy: write_archive(path, {"runs/solver/..%2ftasks/none/1/patch.diff": b""}).read_bytes(),
        "not where patches are",
    ),
    "agent with a script for a name": (
        lambda path, toy: write_archive(path, {f"runs/{MARK}/toy/none/1/patch.diff": b""}).read_bytes(),
        "not where patches are",
    ),
    "more patches than are taken": (
        lambda path, toy: write_archive(path, patches("solver", "toy", [b""] * 6)).read_bytes(),
        "at most 5 are taken",
    ),
    "manifest too deep": (
        lambda path, toy: raw_manifest(path, b'{"format": "rexbench-submission-1", "x": ' + b"[" * 5000 + b"]" * 5000 + b"}"),
        "manifest.json",
    ),
    "another format": (lambda path, toy: write_archive(path, {GOOD: b""}, {"format": "other"}).read_bytes(), "not of the format"),
    "encrypted member": (lambda path, toy: encrypted(write_archive(path, {GOOD: toy.vault.gold}).read_bytes()), "encrypted"),
}


def raw_manifest(path: Path, content: bytes) -> bytes:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(GOOD, b"")
        archive.writestr("manifest.json", content)
    return path.read_bytes()


def encrypted(content: bytes) -> bytes:
    at = content.index(b"PK\x01\x02")
    return content[: at + 8] + struct.pack("<H", 1) + content[at + 10 :]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_in_a_sentence(name: str, service: Up, toy: Task, tmp_path: Path) -> None:
    make, told = HOSTILE[name]
    content = make(tmp_path / "hostile.zip", toy)
    with service.program("ann") as client:
        answer = client.post("/api/submissions", content=content)
        assert answer.status_code == 400 and told in answer.json()["error"], answer.text
        assert str(service.bench.home.folder) not in answer.text and "Traceback" not in answer.text
        with service.browser("ann") as browser:
            by_form = {"csrf_token": form_token(browser.get("/submissions").text)}
            page = browser.post("/submissions", data=by_form, files={"archive": ("a.zip", content)})
        assert page.status_code == 400 and MARK not in page.text
    assert count(service) == 0
    assert not list((service.bench.home / "service" / "archives").rglob("*.zip"))


def talk(address: str, lines: list[str], body: bytes = b"") -> bytes:
    """Say something that no HTTP library would; gives all that is answered until the other side hangs up."""
    host = urlsplit(address)
    with socket.create_connection((host.hostname or "", host.port or 0), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        answer = b""
        while more := connection.recv(65536):
            answer += more
            if b"\r\n\r\n" in answer and b"HTTP/1.1 1" not in answer:
                break
        return answer


def head(up: Up, name: str, *more: str) -> list[str]:
    token = f"Authorization: Bearer {up.tokens[name]}"
    return ["POST /api/submissions HTTP/1.1", f"Host: {urlsplit(up.address).netloc}", token, *more]


def test_a_body_longer_than_may_be_is_cut_off_while_it_is_read(service: Up) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield bytes(10_000)

    with service.program("ann") as client, suppress(httpx.WriteError):  # hung up on in the middle
        assert client.post("/api/submissions", content=endless()).status_code == 413
    assert count(service) == 0
    assert not list((service.bench.home / "scratch").glob("*"))


def test_a_length_that_is_a_lie_uploads_nothing(service: Up, archive: Archive) -> None:
    content = archive().read_bytes()
    answer = talk(service.address, head(service, "ann", f"Content-Length: {len(content) + 5}"), content)
    assert b" 408 " in answer and count(service) == 0
    short = talk(service.address, head(service, "ann", f"Content-Length: {len(content) - 5}"), content)
    assert b" 400 " in short and count(service) == 0


def test_a_slow_upload_is_ended_and_keeps_nobody_else_waiting(service: Up, archive: Archive) -> None:
    answers: list[bytes] = []
    lines = head(service, "ann", "Content-Length: 100000")
    slow = threading.Thread(target=lambda: answers.append(talk(service.address, lines, b"PK")))
    slow.start()
    with service.program("bob") as client:
        assert client.post("/api/submissions", content=archive().read_bytes()).status_code == 201
    slow.join()
    assert b" 408 " in answers[0]
    assert not list((service.bench.home / "scratch").glob("upload*"))


def test_an_account_has_one_upload_at_a_time(service: Up, archive: Archive) -> None:
    lines = head(service, "ann", "Content-Length: 100000")
    slow = threading.Thread(target=lambda: talk(service.address, lines, b"PK"))
    slow.start()
    with service.program("ann") as client:
        content = archive().read_bytes()
        refused: list[int] = []
        wait_until(
            lambda: refused.append(client.post("/api/submissions", content=content).status_code) or 429 in refused or 201 in refused
        )
    slow.join()
    assert 429 in refused


ROLES: list[tuple[str, str, str, int]] = [
    ("", "GET", "/api/leaderboard", 401),
    ("", "GET", "/api/export.json", 401),
    ("", "POST", "/api/submissions", 401),
    ("rea", "POST", "/api/submissions", 403),
    ("rea", "GET", "/api/submissions", 403),
    ("rea", "GET", "/api/submissions/1/archive", 403),
    ("bob", "GET", "/api/submissions/1/archive", 404),
    ("bob", "GET", "/api/submissions/1", 404),
    ("rea", "GET", "/api/submissions/1", 404),
]


@pytest.mark.parametrize(("name", "method", "path", "status"), ROLES)
def test_nobody_does_what_their_role_may_not(
    name: str, method: str, path: str, status: int, service: Up, archive: Archive, toy: Task
) -> None:
    with service.database.change() as change:
        end_season(change, "test")
        start_season(change, "test", "two", [toy], moderated=True)
    service.hand_in("ann", archive())
    content = archive("other").read_bytes() if method == "POST" else None
    with service.program(name) as client:
        assert client.request(method, path, content=content).status_code == status
    assert count(service) == 1


@pytest.mark.parametrize("name", ["ann", "rea"])
@pytest.mark.parametrize("do", ["open", "close", "start", "end", "publish", "again"])
def test_only_a_keeper_keeps(name: str, do: str, service: Up) -> None:
    with service.browser(name) as client:
        form = form_token(client.get("/").text)
        given = {
            "csrf_token": form,
            "do": do,
            "name": "ann",
            "role": "keeper",
            "number": "1",
            "uploads_a_day": "9",
            "most_waiting": "9",
        }
        assert client.post("/keeper", data=given).status_code == 403
    with service.database.reading() as session:
        assert session.scalars(select(Account.role).where(Account.name == "ann")).one() == "submitter"
        assert session.scalars(select(func.count()).select_from(Entry).where(Entry.who == name)).one() == 0


FORGED = ["x", "rex_", "rex_" + "A" * 43, "' OR '1'='1", "1.99999999999." + "0" * 64, "null", "é" * 10]


@pytest.mark.parametrize("token", FORGED)
def test_a_forged_token_opens_nothing(token: str, service: Up) -> None:
    headers = [(b"authorization", b"Bearer " + token.encode())]
    assert httpx.get(f"{service.address}/api/seasons", headers=headers).status_code == 401
    with service.browser() as client:
        assert sign_in(client, token).status_code == 403
    cookie = {"cookie": f"rexbench-serve={token.encode('ascii', 'ignore').decode()}"}
    assert httpx.get(f"{service.address}/", headers=cookie).headers.get("location") == "/sign-in"


def test_what_is_in_the_database_opens_nothing(service: Up) -> None:
    """Whoever reads the database has digests; none is a token or makes a cookie."""
    with service.database.reading() as session:
        kept = session.scalars(select(Account.token)).all()
    assert not set(kept) & set(service.tokens.values())
    for digest in kept:
        assert httpx.get(f"{service.address}/api/seasons", headers={"authorization": f"Bearer {digest}"}).status_code == 401


def test_a_cookie_cannot_be_changed_to_another_accounts(service: Up) -> None:
    with service.browser("rea") as client:
        own = client.cookies["rexbench-serve"]
    number, until, seal = own.split(".")
    for forged in (
        f"4.{until}.{seal}",
        f"{number}.{int(until) + 1}.{seal}",
        f"{number}.{until}.{seal[::-1]}",
        f"{number}.0.{seal}",
    ):
        answer = httpx.get(f"{service.address}/", headers={"cookie": f"rexbench-serve={forged}"})
        assert answer.headers.get("location") == "/sign-in"
    assert httpx.get(f"{service.address}/", headers={"cookie": f"rexbench-serve={own}"}).status_code == 200


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(service: Up) -> None:
    with service.browser() as client:
        visit = client.get("/sign-in").headers["set-cookie"].lower()
        session = sign_in(client, service.tokens["ann"]).headers["set-cookie"].lower()
    for told in (visit, session):
        assert "httponly" in told and "samesite=strict" in told and "path=/" in told


@pytest.mark.parametrize("has_visited", [False, True])
def test_another_site_signs_nobody_in(has_visited: bool, service: Up) -> None:
    """It would see what its victim hands in under its own account. Browsers of old say nothing of where a form comes from."""
    with service.browser() as victim, service.browser() as attacker:
        form = {"csrf_token": form_token(attacker.get("/sign-in").text), "account_token": service.tokens["ann"]}
        if has_visited:
            victim.get("/sign-in")
        assert victim.post("/sign-in", data=form).status_code == 403
        assert victim.get("/").headers["location"] == "/sign-in"
        assert attacker.post("/sign-in", data=form).status_code == 303


@pytest.mark.parametrize("form", [None, "", "0" * 64, "another's"])
def test_a_form_from_elsewhere_changes_nothing(form: str | None, service: Up, archive: Archive) -> None:
    """The browser sends the cookie with it, as browsers of old do; the secret of the form is not theirs to know."""
    with service.browser("kim") as client, service.browser("ann") as other:
        another = form_token(other.get("/submissions").text)
        given = {} if form is None else {"csrf_token": another if form == "another's" else form}
        assert client.post("/keeper", data={**given, "do": "end"}).status_code == 403
        answer = client.post("/submissions", data=given, files={"archive": ("a.zip", archive().read_bytes())})
        assert answer.status_code == 403 and count(service) == 0
    with service.program("kim") as program:
        assert program.get("/api/seasons").json()[0]["running"]


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)
def test_a_browser_that_comes_from_another_site_is_refused(headers: dict[str, str], service: Up) -> None:
    with service.browser("kim") as client:
        form = form_token(client.get("/keeper").text)
        assert client.post("/keeper", data={"csrf_token": form, "do": "end"}, headers=headers).status_code == 403
        again = {"csrf_token": form, "account_token": service.tokens["rea"]}
        assert client.post("/sign-in", data=again, headers=headers).status_code == 403


def test_a_cookie_hands_nothing_in_by_the_door_for_programs(service: Up, archive: Archive) -> None:
    with service.browser("ann") as client:
        assert client.post("/api/submissions", content=archive().read_bytes()).status_code == 401


def test_a_rebound_name_is_refused(service: Up) -> None:
    for name in ("evil.example", f"evil.example:{urlsplit(service.address).port}", "", "127.0.0.1"):
        with service.program("kim") as client:
            assert client.get("/api/seasons", headers={"host": name}).status_code == 421


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_methods_that_nobody_needs_are_refused(method: str, service: Up) -> None:
    with service.program("kim") as client:
        assert client.request(method, "/api/submissions").status_code == 405


INJECTED = ["' OR 1=1 --", "one'; DROP TABLE submission; --", "one' UNION SELECT token FROM account --", "%", "\x00", "one\\"]


@pytest.mark.parametrize("text", INJECTED)
def test_a_text_that_is_sql_is_a_text(text: str, service: Up) -> None:
    with service.program("rea") as client, service.browser("kim") as keeper:
        assert client.get("/api/leaderboard", params={"season": text}).status_code == 404
        form = form_token(keeper.get("/keeper").text)
        limits = {"role": "keeper", "uploads_a_day": "1", "most_waiting": "1"}
        assert keeper.post("/keeper", data={"csrf_token": form, "do": "open", "name": text, **limits}).status_code == 400
        assert keeper.post("/keeper", data={"csrf_token": form, "do": "close", "name": text}).status_code == 400
        assert keeper.post("/keeper", data={"csrf_token": form, "do": "publish", "number": text}).status_code == 400
        assert client.get(f"/api/submissions/{text.encode().hex()}").status_code == 404
    with service.database.reading() as session:
        assert session.scalars(select(func.count()).select_from(Account)).one() == 4


def test_text_of_an_archive_is_never_obeyed_by_a_page(service: Up, archive: Archive) -> None:
    number = service.hand_in("ann", archive("solver", None, model=MARK, agent=MARK, agent_version='" onmouseover="x'))
    service.places(1)
    with service.browser("kim") as client:
        for path in ("/", f"/submissions/{number}", "/keeper", "/submissions"):
            page = client.get(path)
            assert "<script" not in page.text and 'onmouseover="x' not in page.text
            policy = page.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe-inline" not in policy and "frame-ancestors 'none'" in policy
        assert MARK.replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;") in client.get("/").text


def test_a_formula_in_an_export_is_a_text(service: Up, archive: Archive) -> None:
    service.hand_in("ann", archive("solver", None, model="=cmd|' /C calc'!A0"))
    with service.program("kim") as client:
        assert "'=cmd|" in client.get("/api/export.csv").text


def test_a_patch_is_never_shown_to_others(service: Up, archive: Archive, toy: Task) -> None:
    number = service.hand_in("ann", archive())
    service.places(1)
    line = next(line for line in toy.vault.gold.decode().splitlines() if line.startswith("+") and len(line) > 30)[1:].strip()
    for name in ("bob", "rea"):
        with service.program(name) as client, service.browser(name) as browser:
            seen = [client.get(path).text for path in (f"/api/submissions/{number}", "/api/export.json", "/api/export.csv")]
            seen += [browser.get(path).text for path in ("/", f"/submissions/{number}", f"/submissions/{number}/archive")]
            assert not [text for text in seen if line in text or "diff --git" in text or text.startswith("PK")]
            digest = service.program("ann").get(f"/api/submissions/{number}").json()["digest"]
            assert not [text for text in seen if digest in text]


def test_neither_seeds_nor_golds_numbers_are_told_while_a_season_runs(service: Up, archive: Archive) -> None:
    number = service.hand_in("ann", archive())
    service.places(1)
    with service.database.reading() as session:
        season = session.scalars(select(Submission)).one().season
    for name in ("ann", "kim"):
        with service.program(name) as client, service.browser(name) as browser:
            seen = [
                client.get(f"/api{path}").text for path in (f"/submissions/{number}", "/export.json", "/leaderboard", "/seasons")
            ]
            seen += [
                browser.get(path).text for path in ("/", f"/submissions/{number}", "/keeper" if name == "kim" else "/submissions")
            ]
            for secret in (str(season.seed), season.nonce, "evaluations", "gold"):
                assert not [text for text in seen if secret in text], secret


def test_too_many_requests_of_one_are_refused_and_others_go_on(bench: Bench, toy: Task) -> None:
    database = Database(bench.home)
    with database.change() as change:
        tokens = open_accounts(change)
        start_season(change, "test", "one", [toy], moderated=False)
    with serving(bench, database, Staying(1), 0, bounds=Bounds(asks_a_minute=30)) as address:
        up = Up(address, database, bench, tokens)
        with up.program("ann") as client, up.program("bob") as other:
            answers = [client.get("/api/seasons").status_code for _ in range(70)]
            assert set(answers) == {200, 429}
            assert other.get("/api/seasons").status_code == 200
        with up.browser() as client:
            form = {"csrf_token": form_token(client.get("/sign-in").text), "account_token": "x"}
            assert {client.post("/sign-in", data=form).status_code for _ in range(70)} == {403, 429}
    database.close()


def test_addresses_that_lead_out_are_not_found(service: Up) -> None:
    with service.browser("kim") as client:
        for path in (
            "/static/..%2f..%2fapp.py",
            "/static/base.html.j2",
            "/submissions/1%2f..%2f2/archive",
            "/submissions/999999999999",
        ):
            assert client.get(path).status_code == 404
    assert re.match(rb"HTTP/1.1 (400|404|421)", talk(service.address, ["GET /static/../../app.py HTTP/1.1", "Host: x"]))


@pytest.mark.parametrize("size", [BOUNDS.upload_bytes + 100_000, 70_000])
def test_a_form_without_end_is_refused(size: int, service: Up) -> None:
    with service.browser("kim") as client:
        form = form_token(client.get("/keeper").text)
        path = "/submissions" if size > BOUNDS.upload_bytes else "/keeper"
        files = {"archive": ("a.zip", bytes(size))}
        assert client.post(path, data={"csrf_token": form, "do": "end"}, files=files).status_code == 413
        many = {f"field-{at}": "x" for at in range(100)}
        assert client.post("/keeper", data={"csrf_token": form, **many}).status_code == 400


def test_every_answer_carries_what_keeps_a_browser_safe(service: Up, archive: Archive) -> None:
    """What a scanner of web sites looks for, on every page, on errors and on files."""
    number = service.hand_in("ann", archive())
    own = f"/submissions/{number}"
    pages = ["/", "/submissions", own, f"{own}/archive", "/keeper", "/sign-in", "/static/service.css", "/static/icon.svg"]
    programs = ["/openapi.json", "/api/leaderboard", "/api/seasons", "/api/submissions", "/api/export.json", "/api/export.csv"]
    with service.browser("kim") as client:
        for path in (*pages, *programs, "/nowhere", "/api/nowhere", "/submissions/999", "/?season=none"):
            answer = client.get(path)
            told = answer.headers
            assert told["x-content-type-options"] == "nosniff" and told["x-frame-options"] == "DENY", path
            assert "default-src 'none'" in told["content-security-policy"] and told["cache-control"] == "no-store", path
            assert "server" not in told and "x-powered-by" not in told and "access-control-allow-origin" not in told, path
            assert answer.status_code in (200, 404) and "Traceback" not in answer.text and "set-cookie" not in told, path
            if told["content-type"].startswith("text/html"):
                assert not re.search(r"<script|\son\w+=|\sstyle=|javascript:|https?://", answer.text), path
