"""A request's body, bounded while it is read: in size, in time, and together with all others that are under way."""

import asyncio

from starlette.types import Receive

from rexbench.gateway.admission import Refused


class HungUp(Exception):
    """The agent went away."""


class Bodies:
    """The bodies that requests under way hold in memory."""

    def __init__(self, longest: int, seconds: float) -> None:
        self._longest, self._seconds = longest, seconds
        self._most = 4 * longest
        self._held = 0

    async def read(self, receive: Receive, declared: str) -> bytes:
        """A whole body, to be given back by `release`; refuses one that is too long or too slow before it is all here."""
        if declared.isascii() and declared.isdigit() and int(declared[:20]) > self._longest:
            raise self._too_long()
        content = bytearray()
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise HungUp
                    part: bytes = message.get("body", b"")
                    content += part
                    self._held += len(part)
                    if len(content) > self._longest:
                        raise self._too_long()
                    if self._held > self._most:
                        raise Refused(429, f"Requests of more than {self._most} bytes are under way at once; wait for some to end.")
                    if not message.get("more_body"):
                        return bytes(content)
        except TimeoutError as error:
            self._held -= len(content)
            raise Refused(408, f"The request did not arrive within {self._seconds:g} s.") from error
        except (HungUp, Refused):
            self._held -= len(content)
            raise

    def release(self, size: int) -> None:
        self._held -= size

    def _too_long(self) -> Refused:
        return Refused(413, f"The request is longer than {self._longest} bytes.")
