"""Requests that were not forwarded: all counted, few kept, so that refusing costs the host next to nothing."""

import hashlib
from collections.abc import Callable

from rexbench.text import printable

Tell = Callable[[str, str], None]
"""Tells the run's keeper of an event: limit, outage, refused, refusals."""
_TOLD = 50
_KEPT_IN_FULL = 20
_BEGINNING = 2_000


class Refusals:
    """Counts what was refused, and tells of each kind once."""

    def __init__(self, most: int, tell: Tell) -> None:
        self.count = 0
        self._most, self._tell = most, tell
        self._kinds: set[str] = set()

    @property
    def over(self) -> str | None:
        return f"{self._most} requests were refused" if self.count >= self._most else None

    def note(self, why: str, content: bytes) -> dict[str, object]:
        """Count one; gives what is kept of the request."""
        self.count += 1
        self.tell_once(why)
        kept: dict[str, object] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        if self.count <= _KEPT_IN_FULL:
            kept["beginning"] = content[:_BEGINNING].decode(errors="replace")
        return kept

    def tell_once(self, why: str) -> None:
        """Tell of something that the agent did not get."""
        words = printable(why, 200)
        if words not in self._kinds and len(self._kinds) < _TOLD:
            self._kinds.add(words)
            self._tell("refused", words)
