"""What is refused before anybody looks at it: strange names of this host, pages from elsewhere, bodies without end, haste.

A page from elsewhere can make a browser ask under a name of its own choosing, or send a form with the browser's cookie. The first
is refused by the name, the second by where the browser says that it comes from, by the cookie's own rule and by the form's token.
"""

import asyncio
import time
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope

from rexbench.viewer.guard import HEADERS, Guarding

_MOST_HEADERS = 100
_ANSWERED = HEADERS | {"referrer-policy": "same-origin"}
"""With no referrer at all, browsers do not say either where a form comes from."""


class Guard(Guarding):
    """The service's: requests under its own names, and forms of its own pages."""

    headers = _ANSWERED

    def __init__(self, app: ASGIApp, addresses: list[str]) -> None:
        super().__init__(app)
        self._origins = {address.rstrip("/") for address in addresses}
        self._hosts = {urlsplit(address).netloc for address in addresses}

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return PlainTextResponse("This service is known by another name; its keeper can give it yours with --address.", 421)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("Only GET, HEAD and POST are known here.", 405)
        if len(scope["headers"]) > _MOST_HEADERS:
            return PlainTextResponse("Too many headers.", 431)
        site, sends = headers.get("sec-fetch-site", "none"), scope["method"] == "POST"
        led_here = headers.get("sec-fetch-mode") == "navigate" and not sends
        if (site not in ("none", "same-origin") and not led_here) or (sends and not self._from_here(headers)):
            return PlainTextResponse("Pages from elsewhere may not ask here.", 403)
        return None

    def _from_here(self, headers: Headers) -> bool:
        return headers.get("origin") is None or headers["origin"] in self._origins


class Pace:
    """How often somebody has asked in this minute."""

    def __init__(self, most: int) -> None:
        self._most, self._minute = most, 0
        self._asked: Counter[str] = Counter()

    def check(self, who: str) -> None:
        """Count, and refuse where it is too much."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            self._minute, self._asked = minute, Counter()
        self._asked[who] += 1
        if self._asked[who] > self._most:
            raise HTTPException(429, f"More than {self._most} requests in a minute; wait for the next one.", {"Retry-After": "60"})


def bounded(receive: Receive, most: int, seconds: float) -> Receive:
    """A body that is refused where it is longer, or takes longer, than it may."""
    deadline = time.monotonic() + seconds
    received = 0

    async def take() -> Message:
        nonlocal received
        try:
            message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
        except TimeoutError as error:
            raise HTTPException(408, f"The upload took longer than {seconds:g} s.") from error
        received += len(message.get("body", b""))
        if received > most:
            raise HTTPException(413, f"At most {most} bytes are taken.")
        return message

    return take
