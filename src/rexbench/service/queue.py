"""Submissions from being handed in to being shown: each step is one transaction, so none is lost and none is judged twice."""

import datetime

from sqlalchemy import func, select, update

from rexbench.errors import RexbenchError
from rexbench.record.clock import now
from rexbench.service.database import Change, Database, new_lease
from rexbench.service.seasons import running_season
from rexbench.service.tables import Account, Season, Submission
from rexbench.text import printable

MOST_TRIES = 5
_WAIT_SECONDS = 10
"""After the first fault; twice as long after each further one."""
JUDGE = "the judge"


class OverQuota(RexbenchError):
    """An account has handed in as much as it may for now."""


class NoSeason(RexbenchError):
    """Nothing can be handed in between seasons."""


def hand_in(database: Database, account_id: int, season_id: int, digest: str, size: int, runs: int) -> tuple[Submission, bool]:
    """Put an archive that is in its place into the queue; the same archive again is the same submission. True: it is new."""
    with database.change() as change:
        account = change.scalars(select(Account).where(Account.id == account_id).with_for_update()).one()
        season = change.scalars(select(Season).where(Season.id == season_id).with_for_update(read=True)).one()
        same = Submission.account_id == account_id, Submission.digest == digest, Submission.season_id == season_id
        found = change.scalar(select(Submission).where(*same))
        if found:
            return found, False
        if not season.running or account.closed_at:
            raise NoSeason("The season has ended, or the account was closed, while the archive came in.")
        _check_quota(change, account)
        made = Submission(
            account=account, season=season, digest=digest, size=size, runs=runs, state="queued", lease="", tries=0, not_before="",
            note="", published=False, handed_in_at=now(),
        )  # fmt: skip
        change.add(made)
        change.flush()
        change.note(account.name, "handed in", f"submission {made.id}, archive {digest}, {runs} runs")
        return made, True


def season_for(database: Database) -> Season:
    """The one that submissions go to."""
    with database.reading() as session:
        season = running_season(session)
    if season is None:
        raise NoSeason("No season is running; nothing can be handed in until the next one starts.")
    return season


def _check_quota(change: Change, account: Account) -> None:
    own = select(func.count()).select_from(Submission).where(Submission.account_id == account.id)
    waiting = change.scalars(own.where(Submission.state.in_(("queued", "judging")))).one()
    if waiting >= account.most_waiting:
        raise OverQuota(f"{waiting} submissions of {account.name} wait to be judged, and no more may; hand in again when one is.")
    since = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)).isoformat(timespec="seconds")
    uploaded = change.scalars(own.where(Submission.handed_in_at > since)).one()
    if uploaded >= account.uploads_a_day:
        raise OverQuota(f"{account.name} has handed in {uploaded} submissions in 24 hours, and no more may; wait.")


def take(database: Database) -> Submission | None:
    """The next submission, leased to whoever asks."""
    with database.change() as change:
        waiting = select(Submission).where(Submission.state == "queued", Submission.not_before <= now())
        found = change.scalar(waiting.order_by(Submission.id).limit(1).with_for_update(skip_locked=True, of=Submission))
        if found:
            found.state, found.lease = "judging", new_lease()
        return found


def take_back(database: Database) -> int:
    """Put into the queue again what a judge that is no more had taken; only who holds the judge's lock may."""
    with database.change() as change:
        lost = update(Submission).where(Submission.state == "judging").values(state="queued", lease="")
        return int(getattr(change.execute(lost), "rowcount", 0))


def publish(database: Database, taken: Submission, told: str) -> bool:
    """Make a judged submission's verdicts count; False where the lease is not held any more, and nothing happens."""
    with database.change() as change:
        found = _leased(change, taken)
        if found is None:
            return False
        found.state, found.lease, found.note, found.judged_at = "judged", "", "", now()
        found.published = not found.season.moderated
        change.note(JUDGE, "judged", f"submission {found.id}: {told}")
        if found.published:
            change.note(JUDGE, "published", f"submission {found.id}")
        return True


def put_back(database: Database, taken: Submission, fault: str, for_good: bool = False) -> None:
    """A fault of ours: it is tried again later, a few times; then, or where that cannot help, a keeper has to look."""
    with database.change() as change:
        found = _leased(change, taken)
        if found is None:
            return
        found.tries += 1
        found.state = "fault" if for_good or found.tries >= MOST_TRIES else "queued"
        found.lease, found.note = "", printable(fault, 1000)
        later = datetime.timedelta(seconds=_WAIT_SECONDS * 2 ** (found.tries - 1))
        found.not_before = (datetime.datetime.now(datetime.UTC) + later).isoformat(timespec="seconds")
        change.note(JUDGE, "fault", f"submission {found.id}, try {found.tries}: {fault}")


def _leased(change: Change, taken: Submission) -> Submission | None:
    held = Submission.id == taken.id, Submission.state == "judging", Submission.lease == taken.lease
    return change.scalar(select(Submission).where(*held).with_for_update(of=Submission))


def show_or_hide(change: Change, who: str, number: int, show: bool) -> None:
    """A keeper's decision on what was judged."""
    found = change.scalar(select(Submission).where(Submission.id == number).with_for_update(of=Submission))
    if found is None or found.state != "judged":
        raise RexbenchError(f"There is no judged submission {number}.")
    found.published = show
    change.note(who, "published" if show else "withdrawn", f"submission {number}")


def try_again(change: Change, who: str, number: int) -> None:
    """Put a submission that was given up into the queue again."""
    found = change.scalar(select(Submission).where(Submission.id == number).with_for_update(of=Submission))
    if found is None or found.state != "fault":
        raise RexbenchError(f"There is no submission {number} that was given up.")
    found.state, found.tries, found.not_before = "queued", 0, ""
    change.note(who, "tried again", f"submission {number}")
