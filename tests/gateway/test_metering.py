"""Whatever an agent sends and however it hangs up, the record is never below the provider's own count."""

from bench.metering import play_all


def test_hostile_sequences_are_counted_in_full_and_held_to_their_budgets() -> None:
    found = play_all(30, seed=3)
    assert sum(one.counted.answers for one in found) > 50
    assert [number for number, one in enumerate(found) if not one.sound] == []
