"""Public data shipped from one machine are the maker's on another, whose processor sums in another order.

On a newer processor lint refused four tasks whose stored floors differed in the sixteenth digit.
"""

from pathlib import Path

import numpy as np
import pytest

from rexbench.task.likeness import alike


def folders(at: Path, mine: dict[str, object], theirs: dict[str, object]) -> tuple[Path, Path]:
    """Two folders with an archive of these arrays, or these texts."""
    for name, files in (("mine", mine), ("theirs", theirs)):
        (at / name).mkdir()
        for file, content in files.items():
            if isinstance(content, str):
                (at / name / file).write_text(content)
            else:
                np.savez(at / name / file, values=np.asarray(content))
    return at / "mine", at / "theirs"


THIRD = 1 / 3
LAST_DIGIT = np.nextafter(THIRD, 1)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"world.npz": [THIRD, np.nan, 1e-18]}, {"world.npz": [LAST_DIGIT, np.nan, 2e-18]}),
        ({"world.json": f'{{"floor": {THIRD!r}, "id": 7}}'}, {"world.json": f'{{"floor": {float(LAST_DIGIT)!r}, "id": 7}}'}),
        ({"table.csv": "a,1.5e-3\n"}, {"table.csv": "a,0.0015000001\n"}),
    ],
)
def test_the_last_digits_may_differ(tmp_path: Path, mine: dict[str, object], theirs: dict[str, object]) -> None:
    assert alike(*folders(tmp_path, mine, theirs))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"world.npz": [THIRD]}, {"world.npz": [THIRD + 1e-5]}),
        ({"world.npz": [THIRD]}, {"world.npz": [THIRD, THIRD]}),
        ({"world.npz": [THIRD]}, {"world.npz": np.array([THIRD], np.float32)}),
        ({"world.npz": [1, 2]}, {"world.npz": [1, 3]}),
        ({"world.npz": ["a"]}, {"world.npz": ["b"]}),
        ({"world.npz": [THIRD]}, {"world.npz": "no archive"}),
        ({"world.npz": [THIRD]}, {}),
        ({"one.npz": [THIRD]}, {"other.npz": [THIRD]}),
        ({"world.json": '{"floor": 0.25}'}, {"world.json": '{"floor": 0.2501}'}),
        ({"world.json": '{"id": 1000000}'}, {"world.json": '{"id": 1000001}'}),
        ({"world.json": '{"floor": 0.25}'}, {"world.json": '{"floor": 0.25, "b": 0.5}'}),
    ],
)
def test_anything_more_is_a_difference(tmp_path: Path, mine: dict[str, object], theirs: dict[str, object]) -> None:
    assert not alike(*folders(tmp_path, mine, theirs))
