"""From handing in to the verdict, without HTTP: the queue, the judge, faults of ours."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select

from rexbench.api.bench import Bench
from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError
from rexbench.interop.judges import Staying
from rexbench.service import queue
from rexbench.service.accounts import close_account, open_account
from rexbench.service.archives import Archives
from rexbench.service.database import Database
from rexbench.service.judging import Judge, judged_folder
from rexbench.service.queue import NoSeason, OverQuota, hand_in, publish, put_back, take, take_back
from rexbench.service.seasons import commitment, end_season, start_season
from rexbench.service.tables import Account, Base, Entry, Submission
from rexbench.task.folder import Task
from tests.service.databases import DATABASES, fresh_database
from tests.service.handed_in import patches, write_archive
from tests.waiting import wait_until


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, bench: Bench) -> Iterator[Database]:
    with fresh_database(request.param) as address:
        opened = Database(bench.home, address)
        yield opened
        opened.close()


@pytest.fixture
def season(database: Database, toy: Task) -> int:
    with database.change() as change:
        open_account(change, "test", "ann", "submitter", 6, 4)
        return start_season(change, "test", "one", [toy], moderated=False).id


def put_in(database: Database, bench: Bench, season: int, tmp_path: Path, name: str, contents: list[bytes]) -> int:
    """Hand in an archive as the account `ann`; the submission's number."""
    told = {"model": "m", "agent": "x", "agent_version": "2"}
    archive = write_archive(tmp_path / "draft.zip", patches(name, "toy", contents, told))
    Archives(bench.home).keep(archive, name * 8)
    return hand_in(database, 1, season, name * 8, 100, len(contents))[0].id


def state(database: Database, number: int) -> Submission:
    with database.reading() as session:
        return session.scalars(select(Submission).where(Submission.id == number)).one()


def log(database: Database) -> list[str]:
    with database.reading() as session:
        return [f"{entry.did}: {entry.about}" for entry in session.scalars(select(Entry).order_by(Entry.id))]


def judge_until(bench: Bench, database: Database, number: int, wanted: str) -> None:
    judge = Judge(bench, database, Staying(1))
    judge.start()
    try:
        wait_until(lambda: state(database, number).state == wanted)
    finally:
        judge.end()


def test_a_submission_is_judged_on_the_seasons_seeds(
    database: Database, bench: Bench, season: int, toy: Task, tmp_path: Path
) -> None:
    number = put_in(database, bench, season, tmp_path, "solver", [toy.vault.gold, b""])
    judge_until(bench, database, number, "judged")
    found = state(database, number)
    assert found.published and found.judged_at and not found.lease
    runs = Campaign(judged_folder(bench, found)).runs()
    assert {run.id: run.outcome for run in runs} == {"solver/toy/none/1": "success", "solver/toy/none/2": "empty_patch"}
    seeds = {evaluation.variant_seed for run in runs for evaluation in run.evaluations}
    assert seeds == {found.season.seed + at for at in range(toy.spec.held_out)}
    assert runs[0].step.agent_version == "x 2" and runs[0].step.model == "m" and runs[0].step.cost_usd is None
    assert [line for line in log(database) if "submission" in line][1:] == [
        f"judged: submission {number}: empty_patch 1, success 1",
        f"published: submission {number}",
    ]


def test_the_same_archive_again_is_the_same_submission(database: Database, bench: Bench, season: int) -> None:
    first, is_new = hand_in(database, 1, season, "a" * 64, 10, 1)
    again, is_new_again = hand_in(database, 1, season, "a" * 64, 10, 1)
    assert (first.id, is_new, is_new_again) == (again.id, True, False)


def test_quotas_hold(database: Database, bench: Bench, season: int) -> None:
    for at in range(4):
        hand_in(database, 1, season, f"{at:064}", 10, 1)
    with pytest.raises(OverQuota, match="4 submissions of ann wait"):
        hand_in(database, 1, season, "b" * 64, 10, 1)
    for _ in range(4):
        taken = take(database)
        assert taken and publish(database, taken, "")
    for at in range(4, 6):
        hand_in(database, 1, season, f"{at:064}", 10, 1)
    with pytest.raises(OverQuota, match="6 submissions in 24 hours"):
        hand_in(database, 1, season, "b" * 64, 10, 1)


def test_nothing_is_handed_in_after_a_season_or_by_a_closed_account(database: Database, bench: Bench, season: int) -> None:
    with database.change() as change:
        close_account(change, "test", "ann")
    with pytest.raises(NoSeason):
        hand_in(database, 1, season, "b" * 64, 10, 1)
    with database.change() as change:
        open_account(change, "test", "ann", "submitter", 6, 4)
        ended = end_season(change, "test")
    with pytest.raises(NoSeason):
        hand_in(database, 1, season, "b" * 64, 10, 1)
    assert commitment(ended) in " ".join(log(database))


def test_only_one_season_runs_and_names_are_not_used_twice(database: Database, season: int, toy: Task) -> None:
    with pytest.raises(RexbenchError, match="one is running"), database.change() as change:
        start_season(change, "test", "two", [toy], moderated=False)
    with database.change() as change:
        end_season(change, "test")
    with pytest.raises(RexbenchError, match="another name"), database.change() as change:
        start_season(change, "test", "one", [toy], moderated=False)


def test_a_lost_lease_publishes_nothing(database: Database, bench: Bench, season: int) -> None:
    hand_in(database, 1, season, "a" * 64, 10, 1)
    first = take(database)
    assert first and take(database) is None
    assert take_back(database) == 1
    second = take(database)
    assert second and second.id == first.id
    assert not publish(database, first, "late")
    put_back(database, first, "late")
    assert publish(database, second, "once")
    assert [line for line in log(database) if line.startswith("judged")] == ["judged: submission 1: once"]


def test_a_fault_of_ours_is_tried_again_and_then_left_to_the_keeper(
    database: Database, bench: Bench, season: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_WAIT_SECONDS", 0)
    number = hand_in(database, 1, season, "a" * 64, 10, 1)[0].id  # an archive that is not there: a fault of ours
    judge_until(bench, database, number, "fault")
    found = state(database, number)
    assert found.tries == queue.MOST_TRIES and "There is no file" in found.note and not found.published
    with database.change() as change:
        queue.try_again(change, "test", number)
    assert state(database, number).state == "queued"


def test_a_task_that_changed_in_a_season_judges_nobody(
    database: Database, bench: Bench, season: int, toy: Task, tmp_path: Path
) -> None:
    number = put_in(database, bench, season, tmp_path, "late", [toy.vault.gold])
    with (toy.folder / "judge.py").open("a") as file:
        file.write("\n# changed\n")
    judge_until(bench, database, number, "fault")
    assert "has changed since the season one began" in state(database, number).note
    assert not judged_folder(bench, state(database, number)).exists()


def test_the_migrations_make_the_tables_of_the_program(database: Database) -> None:
    with database.reading() as session:
        assert compare_metadata(MigrationContext.configure(session.connection()), Base.metadata) == []


def test_a_change_that_fails_leaves_no_trace(database: Database, season: int) -> None:
    before = log(database)
    with pytest.raises(RexbenchError), database.change() as change:
        open_account(change, "test", "bob", "reader", 1, 1)
        raise RexbenchError("no")
    with database.reading() as session:
        assert session.scalars(select(Account.name)).all() == ["ann"]
    assert log(database) == before


def test_verdicts_of_another_database_of_the_same_home_are_not_taken_for_this_ones(
    database: Database, bench: Bench, season: int, toy: Task, tmp_path: Path
) -> None:
    number = put_in(database, bench, season, tmp_path, "solver", [toy.vault.gold])
    judge_until(bench, database, number, "judged")
    other = Database(bench.home, f"sqlite:///{tmp_path / 'other.db'}")
    with other.change() as change:
        open_account(change, "test", "ann", "submitter", 6, 4)
        seed = start_season(change, "test", "one", [toy], moderated=False).seed
    again = put_in(other, bench, 1, tmp_path, "solver", [toy.vault.gold])
    judge_until(bench, other, again, "judged")
    assert again == number
    (run,) = Campaign(judged_folder(bench, state(other, again))).runs()
    assert run.evaluations[0].variant_seed == seed
    other.close()
