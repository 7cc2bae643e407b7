"""Seasons: seeds are drawn when one starts and published when it ends. A commitment to them stands from the first day on."""

import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from rexbench.digest import digest_bytes
from rexbench.errors import RexbenchError
from rexbench.record.clock import now
from rexbench.service.accounts import NAME
from rexbench.service.database import Change
from rexbench.service.tables import Season
from rexbench.task.folder import Task

_LEAST, _MOST = 2**20, 2**31 - 2**16
"""Seeds of variants are below 2**31, and a task takes some from the first on."""


def running_season(session: Session) -> Season | None:
    return session.scalar(select(Season).where(Season.running.is_(True)))


def find_season(session: Session, name: str) -> Season | None:
    """By its name; without one, the one that runs, or the last."""
    if name:
        return session.scalar(select(Season).where(Season.name == name))
    return session.scalar(select(Season).order_by(Season.running.is_(None), Season.id.desc()).limit(1))


def start_season(change: Change, who: str, name: str, tasks: list[Task], moderated: bool) -> Season:
    """Draw a season's seed; refused while another one runs."""
    if not NAME.fullmatch(name):
        raise RexbenchError(f"{name!r} is no name of a season: letters, digits, dots, dashes and underscores, at most 64.")
    running = running_season(change)
    if running:
        raise RexbenchError(f"The season {running.name} is running; end it first with: rexbench serve season end")
    if find_season(change, name):
        raise RexbenchError(f"There was a season {name} before; give this one another name.")
    if not tasks:
        raise RexbenchError("A season needs a task at least.")
    season = Season(
        name=name,
        running=True,
        seed=_LEAST + secrets.randbelow(_MOST - _LEAST),
        nonce=secrets.token_hex(32),
        tasks={task.id: {"digest": task.digest, "tier": task.spec.kind} for task in tasks},
        moderated=moderated,
        started_at=now(),
    )
    change.add(season)
    change.flush()
    change.note(who, "season started", f"{name}, {len(tasks)} tasks, commitment {commitment(season)}")
    return season


def end_season(change: Change, who: str) -> Season:
    """Publish the seed of the season that runs; what was handed in before is judged on it still."""
    season = change.scalar(select(Season).where(Season.running.is_(True)).with_for_update())
    if season is None:
        raise RexbenchError("No season is running; start one with: rexbench serve season start NAME")
    season.running, season.ended_at = None, now()
    change.note(who, "season ended", f"{season.name}, seed {season.seed}, nonce {season.nonce}")
    return season


def commitment(season: Season) -> str:
    """SHA-256 of `SEED:NONCE`; shows at the end that the seed is the one that was drawn at the start."""
    return digest_bytes(f"{season.seed}:{season.nonce}".encode())
