"""What the database keeps. Times are text in universal time, as in records; they sort as they stand."""

from typing import Any, Literal

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

Role = Literal["reader", "submitter", "keeper"]
ROLES: tuple[Role, ...] = ("reader", "submitter", "keeper")
"""Each may do what those before it may."""
State = Literal["queued", "judging", "judged", "fault"]


class Base(DeclarativeBase):
    """The tables."""

    type_annotation_map = {dict[str, Any]: JSON, Role: String(16), State: String(16)}  # noqa: RUF012


class Account(Base):
    """Somebody who may use the service."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[Role]
    token: Mapped[str] = mapped_column(String(64), unique=True)
    """The digest of what its owner was given once."""
    uploads_a_day: Mapped[int]
    most_waiting: Mapped[int]
    """Submissions that may be in the queue at a time."""
    made_at: Mapped[str] = mapped_column(String(32))
    closed_at: Mapped[str | None] = mapped_column(String(32))


class Season(Base):
    """A time in which everybody's patches are judged on the same seeds, which nobody knows before it is over."""

    __tablename__ = "season"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    running: Mapped[bool | None] = mapped_column(unique=True)
    """True or nothing, so that at most one is."""
    seed: Mapped[int]
    """The first held-out seed of every task, as `--variant-seed` takes it."""
    nonce: Mapped[str] = mapped_column(String(64))
    tasks: Mapped[dict[str, Any]]
    """Of each task, its digest and tier when the season began."""
    moderated: Mapped[bool]
    """Whether a keeper has to publish what was judged."""
    started_at: Mapped[str] = mapped_column(String(32))
    ended_at: Mapped[str | None] = mapped_column(String(32))


class Submission(Base):
    """An archive that somebody handed in to a season: one row, whatever becomes of it."""

    __tablename__ = "submission"
    __table_args__ = (UniqueConstraint("account_id", "digest", "season_id"), Index("submission_queue", "state", "id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"))
    digest: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    runs: Mapped[int]
    state: Mapped[State]
    lease: Mapped[str] = mapped_column(String(32))
    """Held by whoever judges it; only with it can a verdict be published."""
    tries: Mapped[int]
    """That ended in faults of ours."""
    not_before: Mapped[str] = mapped_column(String(32))
    note: Mapped[str] = mapped_column(Text)
    """The last fault, for the keeper."""
    published: Mapped[bool]
    handed_in_at: Mapped[str] = mapped_column(String(32))
    judged_at: Mapped[str | None] = mapped_column(String(32))
    account: Mapped[Account] = relationship(lazy="joined")
    season: Mapped[Season] = relationship(lazy="joined")


class Entry(Base):
    """A change that was made, and by whom. Entries are only ever added."""

    __tablename__ = "log"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str] = mapped_column(String(32))
    who: Mapped[str] = mapped_column(String(80))
    did: Mapped[str] = mapped_column(String(32))
    about: Mapped[str] = mapped_column(Text)
