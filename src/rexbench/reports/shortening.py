"""Texts that do not fit: cut between two words, and always saying how much is left out."""

from collections.abc import Sequence

Shown = str | tuple[str, int]
"""A whole text, or a part of one with the number of characters left out."""
_LONGEST_WORD = 200
"""A run of characters without a blank that is longer is no word, and may be cut."""


def length(text: Shown) -> int:
    """Characters that are shown."""
    return len(text) if isinstance(text, str) else len(text[0])


def shortened(text: Shown, most: int, keep_end: bool = False) -> Shown:
    """Whole where it fits, else its beginning, or its end, without half a word."""
    part, left_out = (text, 0) if isinstance(text, str) else text
    if len(part) <= most:
        return text
    kept = _end(part, most) if keep_end else _beginning(part, most)
    return kept, left_out + len(part) - len(kept)


def even_share(lengths: Sequence[int], room: int) -> int:
    """The length to which texts are cut so that together they fill the room, and no short one pays for a long one."""
    ordered = sorted(lengths)
    for at, each in enumerate(ordered):
        if each * (len(ordered) - at) > room:
            return room // (len(ordered) - at)
        room -= each
    return max(lengths, default=0)


def _beginning(text: str, most: int) -> str:
    if text[most].isspace():
        return text[:most]
    at = max(text.rfind(blank, 0, most) for blank in (" ", "\n"))
    return text[: max(at, 0)] if most - at <= _LONGEST_WORD else text[:most]


def _end(text: str, most: int) -> str:
    start = len(text) - most
    if text[start - 1].isspace():
        return text[start:]
    at = min((found for blank in (" ", "\n") if (found := text.find(blank, start)) >= 0), default=len(text) - 1)
    return text[at + 1 :] if at - start <= _LONGEST_WORD else text[start:]
