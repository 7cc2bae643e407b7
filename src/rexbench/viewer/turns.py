"""A trajectory, turn by turn, however long it is: the file is gone through once for where its steps begin, and then read in parts.

What time and money had been used by a turn is known from that first pass, so that a reader may jump anywhere. Of a damaged file
the turns are shown that can be read.
"""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.reports.shortening import shortened
from rexbench.reports.trajectory import texts_of
from rexbench.untrusted import NotTaken, open_plain, parse_json, read_plain

LARGEST = 128 * 2**20
"""Bytes; a longer file is not read, and only offered as it is."""
LONGEST_TEXT = 20_000
"""Characters of a text in a page of turns; a turn by itself is whole."""
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}]', re.DOTALL)


class _Metrics(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


class _Step(BaseModel):
    """Of a step, what it took."""

    model_config = ConfigDict(extra="ignore")

    timestamp: datetime.datetime | None = None
    metrics: _Metrics | None = None


@dataclass(frozen=True)
class Turn:
    """Where a turn stands in the file, and what it took."""

    begin: int
    end: int
    at: str
    after: float | None
    """Seconds since the first turn; None where the file does not say."""
    took: float | None
    """Seconds until the next turn: the model, and the tools it called."""
    tokens: tuple[int | None, int | None, int | None]
    """In, out, and of those that went in, from a cache."""
    usd: float | None
    spent: float
    """US dollars by then, this turn included."""


def find_turns(path: Path) -> list[Turn]:
    """All turns of a file; raises `NotTaken` where it is too long, `FileNotFoundError` where it is not there."""
    content = read_plain(path, LARGEST)
    found: list[tuple[int, int, _Step]] = []
    for begin, end in _elements(content):
        try:
            found.append((begin, end, _Step.model_validate_json(content[begin:end])))
        except ValidationError:
            found.append((begin, end, _Step()))
    return list(_told(found))


def read_turns(path: Path, turns: list[Turn], first: int, last: int) -> list[dict[str, Any]]:
    """The turns from `first` up to and without `last`, counted from 0; one alone is whole, of several long texts are shortened."""
    chosen = turns[first:last]
    shown = []
    with open_plain(path) as file:
        for number, turn in enumerate(chosen, first):
            file.seek(turn.begin)
            shown.append(_shown(number, turn, _step(file.read(turn.end - turn.begin), path), len(chosen) == 1))
    return shown


def _shown(number: int, turn: Turn, step: dict[str, Any], whole: bool) -> dict[str, Any]:
    try:
        texts = list(texts_of(step))
    except (KeyError, TypeError, AttributeError):
        texts = [("said", "(this turn is damaged)")]
    return {
        "number": number + 1,
        "who": str(step.get("source", "?")),
        "at": turn.at,
        "after": turn.after,
        "took": turn.took,
        "tokens": turn.tokens,
        "usd": turn.usd,
        "spent": turn.spent,
        "texts": [(kind, text if whole else shortened(text, LONGEST_TEXT)) for kind, text in texts],
    }


def _step(content: bytes, path: Path) -> dict[str, Any]:
    try:
        found = parse_json(content, path)
    except NotTaken:
        found = None
    return found if isinstance(found, dict) else {}


def _elements(content: bytes) -> Iterator[tuple[int, int]]:
    """Where the elements of the list `steps` at the top of a JSON object begin and end."""
    depth, inside, key, begin = 0, False, b"", 0
    for token in _TOKEN.finditer(content):
        sign = token[0]
        if sign in (b"{", b"["):
            if depth == 1:
                inside = key == b'"steps"' and sign == b"["
            elif depth == 2 and inside:
                begin = token.start()
            depth += 1
        elif sign in (b"}", b"]"):
            depth -= 1
            if depth == 2 and inside:
                yield begin, token.end()
        elif depth == 1:
            key = sign


def _told(found: list[tuple[int, int, _Step]]) -> Iterator[Turn]:
    times = [step.timestamp.timestamp() if step.timestamp else None for _, _, step in found]
    start = next((time for time in times if time is not None), None)
    spent = 0.0
    for at, (begin, end, step) in enumerate(found):
        own, following = times[at], times[at + 1] if at + 1 < len(times) else None
        used = step.metrics or _Metrics()
        spent += used.cost_usd or 0.0
        yield Turn(
            begin,
            end,
            step.timestamp.isoformat() if step.timestamp else "",
            None if own is None or start is None else own - start,
            None if own is None or following is None else following - own,
            (used.prompt_tokens, used.completion_tokens, used.cached_tokens),
            used.cost_usd,
            spent,
        )
