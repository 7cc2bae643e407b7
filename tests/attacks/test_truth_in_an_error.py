"""An error says more than the answer would: a missing key's name, the shape of a hidden array, the value that was looked for."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.laboratory.scene import HIDDEN, WORLD, Client, open_laboratory

NONSENSE, FAILED = "The question makes no sense.", "The laboratory failed."
LEAKS = {
    "the shape of what is hidden": ("return {'y': (numpy.zeros(self.hidden) + numpy.zeros(2)).tolist()}", NONSENSE),
    "a value that is not found": ("return {'y': [self.hidden].index(1)}", NONSENSE),
    "a number that is none": ("return {'y': int(f'{self.hidden}?')}", NONSENSE),
    "text that is none": ("return {'y': (str(self.hidden).encode() + bytes([255])).decode()}", NONSENSE),
    "an error passed on": ("\n        try: int(f'{self.hidden}?')\n        except ValueError: raise", NONSENSE),
    "a missing key": ("return {}[self.hidden]", FAILED),
    "an assertion": ("assert question['x'] == self.hidden, self.hidden", FAILED),
    "an exit": ("raise SystemExit(self.hidden)", FAILED),
}


@pytest.mark.parametrize("kind", LEAKS)
def test_only_what_the_author_wrote_for_readers_is_told(kind: str, tmp_path: Path) -> None:
    code, words = LEAKS[kind]
    world = "import numpy\n" + WORLD.replace("        return {", f"        {code}\n        return {{")
    with open_laboratory(tmp_path, 10, world) as laboratory, Client(laboratory.socket) as client:
        reply = client.ask({"x": 1})
    assert reply == {"error": words, "left": 9}
    assert (laboratory.fault is None) == (words == NONSENSE)
    assert str(HIDDEN) not in json.dumps(reply) + str(laboratory.fault)


def test_the_authors_own_words_are_told_wherever_in_the_file_they_are_raised(tmp_path: Path) -> None:
    world = WORLD.replace('raise ValueError("x is a number.")', "refuse('x')") + (
        "\n\ndef refuse(name):\n    try:\n        return int('no')\n    except ValueError as error:\n"
        "        raise ValueError(f'{name} is\\n no number.') from error\n"
    )
    with open_laboratory(tmp_path, 10, world) as laboratory, Client(laboratory.socket) as client:
        assert client.ask({}) == {"error": "x is no number.", "left": 9}


def test_a_librarys_words_tell_what_was_hidden() -> None:
    with pytest.raises(ValueError, match=str(HIDDEN)):
        np.zeros(HIDDEN) + np.zeros(2)
