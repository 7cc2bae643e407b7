"""JSON from an agent, read in one way only: what is forwarded and recorded is what was understood here, written anew.

Two readers of the same bytes may differ over keys that stand twice, halves of a character, numbers without end or a great depth.
All of these are refused, so that the gateway, the provider and whoever reads the record see the same request.
"""

import json
import re
from collections import Counter
from typing import Any

from rexbench.gateway.wires.protocol import DEEPEST, Body, is_deep

MOST_VALUES = 500_000
"""A short text can hold millions of empty lists, each of which takes many times its length in memory."""
_FEW_BYTES = 1024 * 1024
_LONGEST_INTEGER = 18
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)


def parse(content: bytes) -> Body:
    """The object that the bytes hold; raises `ValueError` with the reason in words."""
    if len(content) > _FEW_BYTES:
        bare = _STRINGS.sub(b"", content)
        if sum(bare.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
            raise ValueError(f"it holds more than {MOST_VALUES} values")
    try:
        value = json.loads(content.decode(), object_pairs_hook=_unique, parse_int=_integer, parse_constant=_constant)
        if not isinstance(value, dict):
            raise ValueError("it is not a JSON object")
        if is_deep(value):
            raise RecursionError
        write(value)
    except RecursionError as error:
        raise ValueError(f"it is nested deeper than {DEEPEST} levels") from error
    except UnicodeError as error:
        raise ValueError("it holds what is no Unicode text") from error
    return value


def write(body: Body) -> bytes:
    """The object as it is forwarded; raises `ValueError` for what JSON or UTF-8 cannot say."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def _unique(pairs: list[tuple[str, Any]]) -> Body:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice[:60]!a} stands in it twice")
    return found


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise ValueError(f"a number in it has more than {_LONGEST_INTEGER} digits")
    return int(digits)


def _constant(name: str) -> None:
    raise ValueError(f"it holds {name}, which is not JSON")
