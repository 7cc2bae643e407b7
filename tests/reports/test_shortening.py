"""What is cut: between words, as little as possible, and never without saying how much."""

import pytest

from rexbench.reports.shortening import Shown, even_share, shortened
from rexbench.reports.trajectory import Trajectory, Turn

TEXT = "the quick brown fox jumps over the lazy dog"


@pytest.mark.parametrize("most", range(len(TEXT) + 2))
@pytest.mark.parametrize("keep_end", [False, True])
def test_no_word_is_halved_and_what_is_missing_is_counted(most: int, keep_end: bool) -> None:
    found = shortened(TEXT, most, keep_end)
    if most >= len(TEXT):
        assert found == TEXT
        return
    assert isinstance(found, tuple)
    text, left_out = found
    assert len(text) <= most and len(text) + left_out == len(TEXT)
    assert set(text.split()) <= set(TEXT.split())
    assert TEXT.endswith(text) if keep_end else TEXT.startswith(text)


def test_a_text_that_was_cut_may_be_cut_again() -> None:
    twice = shortened(shortened(TEXT, 30), 10)
    assert isinstance(twice, tuple) and len(twice[0]) + twice[1] == len(TEXT)


def test_what_is_no_word_is_cut_anywhere() -> None:
    assert shortened("x" * 1000, 600) == ("x" * 600, 400)


@pytest.mark.parametrize(
    ("lengths", "room", "share"),
    [([10, 10, 100], 50, 30), ([10, 10], 50, 10), ([100, 100], 50, 25), ([], 5, 0), ([5, 50, 50], 65, 30)],
)
def test_long_texts_pay_before_short_ones(lengths: list[int], room: int, share: int) -> None:
    assert even_share(lengths, room) == share
    assert sum(min(length, share) for length in lengths) <= room


def story(turns: int, text: Shown = "one two three four five " * 20) -> Trajectory:
    return Trajectory(tuple(Turn(f"{at}", (("said", text),)) for at in range(turns)))


def test_a_trajectory_with_room_is_whole() -> None:
    assert story(5).within(10_000) == story(5) and story(5).is_whole


def test_every_turn_stays_as_long_as_there_is_room_for_a_line_of_each() -> None:
    found = story(20).within(20 * 200)
    assert [turn.who for turn in found.turns] == [str(at) for at in range(20)] and not found.left_out and not found.is_whole


@pytest.mark.parametrize("rooms", [(800,), (4000, 800), (1600, 1200, 800)])
def test_turns_in_the_middle_go_last_and_are_counted_however_often_it_is_shortened(rooms: tuple[int, ...]) -> None:
    found = story(50)
    for room in rooms:
        found = found.within(room)
    kept = [int(turn.who) for turn in found.turns]
    assert found.left_out == 50 - len(kept) > 0
    assert kept == [*range(found.missing_at), *range(50 - len(kept) + found.missing_at, 50)]
    assert sum(len(text) for turn in found.turns for _, (text, _) in turn.texts) <= 800  # type: ignore[misc]
