"""A request's JSON has one reading, or none."""

import json
from typing import Any

import pytest

from rexbench.gateway.admission import Refused, understood
from rexbench.gateway.strict import MOST_VALUES, parse, write
from rexbench.gateway.wires.choose import PATHS, WIRES
from tests.gateway.scene import BODIES, CHAT, MESSAGES, RESPONSES


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (rb'{"a": "\ud800"}', "no Unicode text"),
        (rb'{"a": {"\udfff x": 1}}', "no Unicode text"),
        (b'{"a": "\xed\xa0\x80"}', "no Unicode text"),
        (b'{"a": "\xff"}', "no Unicode text"),
        (b'\xef\xbb\xbf{"a": 1}', "BOM"),
        (json.dumps({"a": 1}).encode("utf-16"), "no Unicode text"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "'c' stands in it twice"),
        (rb'{"stream": true, "\u0073tream": false}', "'stream' stands in it twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1e999}', "Out of range"),
        (b'{"a": ' + b"9" * 19 + b"}", "more than 18 digits"),
        (b'{"a": ' + b"9" * 5000 + b"}", "more than 18 digits"),
        (b'{"a": ' + b"[" * 101 + b"]" * 101 + b"}", "nested deeper"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "nested deeper"),
        (b"[" * 100_000, "nested deeper"),
        (b'{"a": [' + b"[]," * MOST_VALUES + b"1]}", "more than 500000 values"),
        (b'{"a": "' + rb"\"" * 600_000, "Unterminated"),
        (b"[1]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"a": 1} {"a": 2}', "Extra data"),
        (b"", "Expecting value"),
    ],
)
def test_what_two_readers_could_read_in_two_ways_is_refused(content: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse(content)


def test_what_is_sound_is_written_anew_with_the_same_meaning() -> None:
    value: dict[str, Any] = {
        "text": 'ä\u2028 \x00"\\ 🙂',
        "numbers": [0, -1, 10**17, 0.1, 1e-300],
        "deep": [[[{}]]],
        "no": None,
        "yes": True,
    }
    spelled = json.dumps(value, indent=3).encode()
    assert parse(spelled) == value and json.loads(write(parse(spelled))) == value


WRONG: list[tuple[str, dict[str, Any]]] = [
    *((path, {"stream": wrong}) for path in BODIES for wrong in ("false", 0, 1, [], "true")),
    *((path, {"model": wrong}) for path in BODIES for wrong in (None, 7, ["m"], "m" * 63_000, "")),
    *((path, {"tools": wrong}) for path in BODIES for wrong in ({}, ["bash"], "bash")),
    *(
        (path, {"messages": wrong})
        for path in (MESSAGES, CHAT)
        for wrong in ([1], ["hi"], [[]], None, "hi", [{"role": 1}], {"role": "user"})
    ),
    *(
        (path, {"messages": [{"role": "user", "content": wrong}]})
        for path in (MESSAGES, CHAT)
        for wrong in (7, [7], ["x"], {}, True)
    ),
    *((path, {"max_tokens": wrong}) for path in BODIES for wrong in (-1, 0, "9", 1.5, True, 10**12)),
    (CHAT, {"n": 10**6}),
    (CHAT, {"stream_options": "include_usage"}),
    (CHAT, {"messages": [{"role": "assistant", "tool_calls": ["x"]}]}),
    (RESPONSES, {"input": 7}),
    (RESPONSES, {"input": ["hi"]}),
    (RESPONSES, {"instructions": ["hi"]}),
    (RESPONSES, {"max_output_tokens": -1}),
    (MESSAGES, {"system": 7}),
]


@pytest.mark.parametrize(("path", "wrong"), WRONG, ids=lambda value: str(value)[:40])
def test_a_request_with_wrong_types_is_refused_in_a_sentence(path: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="not one of this protocol") as refused:
        understood(WIRES[PATHS[path]], json.dumps(BODIES[path] | wrong).encode())
    assert refused.value.status == 400 and len(str(refused.value)) < 500


@pytest.mark.parametrize("path", BODIES)
def test_a_request_of_every_protocol_is_understood(path: str) -> None:
    assert understood(WIRES[PATHS[path]], json.dumps(BODIES[path] | {"stream": None}).encode()) == BODIES[path]
