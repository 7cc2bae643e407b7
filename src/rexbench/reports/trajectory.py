"""What an agent did, turn by turn, from the trajectory beside its patch (ATIF). A file that is damaged is as good as none."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rexbench.reports.shortening import Shown, even_share, length, shortened
from rexbench.untrusted import NotTaken, parse_json, read_plain

_LARGEST = 20_000_000
"""Bytes; a longer one is not read, since that would take longer than the rest of the report."""
_LEAST = 80
"""Characters of a text; where there is not even that for each, turns in the middle are left out."""


@dataclass(frozen=True)
class Turn:
    """Somebody's turn."""

    who: str
    texts: tuple[tuple[str, Shown], ...]
    """What was a `thought`, what was `said`, what was called for (`call`), what came back (`result`)."""


@dataclass(frozen=True)
class Trajectory:
    """Turns in order, but for some in the middle that had no room."""

    turns: tuple[Turn, ...] = ()
    left_out: int = 0
    """Turns that are missing."""
    missing_at: int = 0
    """Before which turn."""

    @property
    def is_whole(self) -> bool:
        return not self.left_out and all(isinstance(text, str) for turn in self.turns for _, text in turn.texts)

    def within(self, room: int) -> "Trajectory":
        """As much as fits into so many characters: long texts are shortened before short ones, and turns are left out last."""
        texts = sum(len(turn.texts) for turn in self.turns)
        kept, left_out, missing_at = self.turns, self.left_out, self.missing_at
        if texts * _LEAST > room:
            half = max(1, int(len(kept) * room / (texts * _LEAST)) // 2)
            if 2 * half < len(kept):
                left_out, missing_at = left_out + len(kept) - 2 * half, half
                kept = *kept[:half], *kept[len(kept) - half :]
        most = max(_LEAST, even_share([length(text) for turn in kept for _, text in turn.texts], room))
        turns = (Turn(turn.who, tuple((kind, shortened(text, most)) for kind, text in turn.texts)) for turn in kept)
        return Trajectory(tuple(turns), left_out, missing_at)


def read_trajectory(path: Path) -> Trajectory:
    """All of it; a note in its place where the file is too long."""
    try:
        size = path.lstat().st_size
        if size > _LARGEST:
            return Trajectory((Turn("note", (("said", (f"{size / 1e6:.0f} MB, too long to be shown here", size)),)),))
        found = parse_json(read_plain(path, _LARGEST), path)["steps"]
        return Trajectory(tuple(Turn(str(step["source"]), tuple(texts_of(step))) for step in found))
    except (OSError, NotTaken, ValueError, KeyError, TypeError, AttributeError):
        return Trajectory()


def texts_of(step: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a step of the file holds, in order."""
    if step.get("reasoning_content"):
        yield "thought", str(step["reasoning_content"])
    if step.get("message"):
        yield "said", str(step["message"])
    for call in step.get("tool_calls") or ():
        given = call["arguments"]
        values = [str(value) if len(given) == 1 else f"{name}: {value}" for name, value in given.items()]
        yield "call", "\n".join([str(call["function_name"]), *values])
    for result in (step.get("observation") or {}).get("results", ()):
        yield "result", str(result.get("content") or "")
