"""Clauses: stated in the vault's notes, quoted from the texts, each proved by a near miss."""

import pytest

from rexbench.api.bench import Bench, HeldOut
from rexbench.campaign.checking import Candidate, Kind, Sample, Tier, sampled
from rexbench.task.clauses import read_clauses, stands_in
from rexbench.task.folder import Task

NOTES = """<!-- canary -->
# Notes

## Clauses

| id | clause | held by | near misses |
|---|---|---|---|
| ties | the lower of `a \\| b` wins | metric x | first, second-one |
| style | please comment | request: nobody reads it | |

## More

| id | clause | held by | near misses |
|---|---|---|---|
| none | this is another table | x | y |
"""


def test_clauses_are_read_from_the_notes() -> None:
    ties, style = read_clauses(NOTES)
    assert ties.quote == "the lower of `a | b` wins" and ties.near_misses == ("first", "second-one") and ties.judged
    assert not style.judged and not style.near_misses
    assert read_clauses("# Notes\n\nno table\n") == ()


def test_a_quote_is_found_however_it_is_broken_and_set() -> None:
    text = "Ties go to\n  the **lower** index. Nothing else\nchanges."
    assert stands_in("ties go to the lower `index`", text)
    assert stands_in("Ties go to ... nothing else changes.", text)
    assert not stands_in("Nothing else changes ... ties go to", text)
    assert not stands_in("ties go to the higher index", text) and not stands_in("...", text)


def told(toy: Task, old: str, new: str) -> list[str]:
    notes = toy.folder / "vault" / "notes.md"
    text = notes.read_text()
    assert old in text
    notes.write_text(text.replace(old, new))
    return [finding.what for finding in Bench().lint(toy.folder) if finding.level == "error"]


def test_a_clause_without_a_near_miss_is_found(toy: Task) -> None:
    assert told(toy, "| with-faults |", "| |") == ["clause faults is proved by no near miss"]


def test_a_near_miss_that_is_not_there_is_found(toy: Task) -> None:
    assert told(toy, "| with-faults |", "| with-fault |") == ["clause faults: there is no near miss 'with-fault'"]


def test_a_clause_that_no_text_states_is_found(toy: Task) -> None:
    assert any("no text of the task says" in what for what in told(toy, "two middle ones", "three middle ones"))


def test_a_task_without_clauses_is_found(toy: Task) -> None:
    assert any("## Clauses" in what for what in told(toy, "## Clauses", "## Sentences"))


def test_a_check_counts_the_clauses_that_were_held(toy: Task) -> None:
    bench = Bench()
    whole = bench.check(toy, HeldOut(1, 11))
    assert (whole.clauses, whole.held) == (3, 3) and whole.passed
    part = bench.check(toy, HeldOut(1, 11), only=["gold", "mean"])
    assert (part.clauses, part.held) == (3, 1)
    some = bench.check(toy, HeldOut(1, 11), only=Sample(2))
    assert (some.clauses, some.held) == (3, 2) and len(some.rows) == len(whole.rows) - 1


@pytest.mark.parametrize(
    ("tier", "kind"), [("replication", "near miss"), ("scored", "idea"), ("scored", "alternative"), ("replication", "alternative")]
)
def test_a_sample_leaves_out_what_there_is_much_of_and_nothing_else(tier: Tier, kind: Kind) -> None:
    others = [Candidate("gold", "gold", b""), Candidate("unchanged", "unchanged", b""), Candidate("attack", "1", b"")]
    many = [Candidate(kind, str(at), b"") for at in range(9)]
    kept = sampled(tier, [*others, *many], 2, [7])
    assert [candidate for candidate in kept if candidate in others] == others
    must_all_pass = (tier, kind) == ("replication", "alternative")
    assert len(kept) == len(others) + (9 if must_all_pass else 2)
    assert kept == sampled(tier, [*others, *many], 2, [7])
    assert (kept == sampled(tier, [*others, *many], 2, [8])) is must_all_pass
