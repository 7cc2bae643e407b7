# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""python -m pytest tests, or python tests/test_thoughts.py"""

import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tot.game import combine, parse_numbers  # noqa: E402
from tot.select import greedy  # noqa: E402
from tot.thoughts import list_thoughts, parse_line  # noqa: E402


def test_a_line_comes_back_as_it_was_written() -> None:
    line = "5 / 3 = 5/3 (left: 8 5/3 11)"
    thought = parse_line(line)
    assert thought is not None and thought.line() == line


def test_headings_and_cut_lines_are_no_thoughts() -> None:
    assert parse_line("Possible next steps:") is None
    assert parse_line("4 + 8 = 12 (left: 6 9") is None


def test_division_by_zero_has_no_result() -> None:
    assert combine(Fraction(3), "/", Fraction(0)) is None


def test_the_proposer_leaves_one_number_less() -> None:
    assert {len(thought.left) for thought in list_thoughts(parse_numbers("1 4 8 8"))} == {3}


def test_greedy_keeps_the_earlier_of_equals() -> None:
    assert greedy([1.0, 20.0, 1.0, 20.0], 3) == [1, 3, 0]


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print("ok")
