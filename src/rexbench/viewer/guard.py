"""Who may look: a browser of this machine that knows the token, and nobody that it was lured by.

A page from elsewhere can make a browser ask loopback under a name of its own choosing (DNS rebinding); it is refused by the name.
Another user of the same machine can ask too; they lack the token. It comes once, in the address that the command prints, and is a
cookie from then on. What is answered may run no script but the viewer's own, and fetch nothing but from it.
"""

import hmac
from abc import ABC, abstractmethod
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
}


class Guarding(ABC):
    """Lets requests through to an application that may pass, and puts the headers on whatever is answered."""

    headers = HEADERS

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await (self._refusal(scope) or self._app)(scope, receive, headed)

    @abstractmethod
    def _refusal(self, scope: Scope) -> Response | None:
        """What is answered in place of the application; None: it may answer."""


def cookie_of(sent: str, name: str) -> str:
    """A cookie out of what a browser sends; empty where there is none."""
    try:
        found = SimpleCookie(sent).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


class Guard(Guarding):
    """The viewer's: this machine's browsers that know the token."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        super().__init__(app)
        self._token = token
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._cookie = f"rexbench-view-{port}"

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return PlainTextResponse("This is a viewer for the machine that it runs on; open it as 127.0.0.1.", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Nothing can be changed here.", 405)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and headers.get("sec-fetch-mode") != "navigate":
            return PlainTextResponse("Pages from elsewhere may not ask here.", 403)
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in asked if name == "token"]
        if given:
            return self._enter(given[0], scope["path"], [pair for pair in asked if pair[0] != "token"])
        if not self._matches(cookie_of(headers.get("cookie", ""), self._cookie)):
            return PlainTextResponse("Open the address that rexbench view has printed; it lets this browser in.", 403)
        return None

    def _enter(self, token: str, path: str, rest: list[tuple[str, str]]) -> Response:
        if not self._matches(token):
            return PlainTextResponse("The token is not this viewer's; open the address that rexbench view has printed.", 403)
        target = "/" + quote(path.lstrip("/")) + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(target, 303)
        answer.set_cookie(self._cookie, self._token, max_age=30 * 86400, httponly=True, samesite="lax")
        return answer

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())
