"""What a campaign is at, for whoever looks on from another process: `underway.json` in its folder, only while it is conducted.

Nothing is decided by it. A conductor that was killed leaves one behind, which its host knows to be nobody's.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.campaign.conduct import Event, Observe
from rexbench.places import owner_mark
from rexbench.record.clock import now
from rexbench.untrusted import NotTaken, read_plain

_FILE = "underway.json"


class UnderWayStep(BaseModel):
    """A step that was handed over and is not over."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    label: str
    """The run, and which of its steps."""
    where: str
    """The node; empty while it waits for one."""
    waits_for: str


class UnderWay(BaseModel):
    """What a conductor last said."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    host: str
    owner: str
    """The conductor's process."""
    steps: tuple[UnderWayStep, ...]
    queued: int
    held_back: int
    given_up: dict[str, str]
    """Runs without a verdict, with the fault that stood in the way."""
    written_at: str


@contextmanager
def shown_to_others(folder: Path, observe: Observe) -> Iterator[Observe]:
    """An observer that writes down what is under way before it passes an event on; the file is gone at the end."""
    path, wrote = folder / _FILE, False

    def tell(event: Event) -> None:
        nonlocal wrote
        if event.ended is None:  # told again before the next wait, when what follows was handed over
            _write(path, event)
            wrote = True
        observe(event)

    try:
        yield tell
    finally:
        if wrote:
            path.unlink(missing_ok=True)


def read_under_way(folder: Path) -> UnderWay | None:
    """What the campaign in this folder is at; None where nobody conducts it, as far as this host knows."""
    try:
        found = UnderWay.model_validate_json(read_plain(folder / _FILE))
        number = int(found.owner.partition("_")[0])
    except (FileNotFoundError, NotTaken, ValidationError, ValueError):
        return None
    return found if found.host != socket.gethostname() or found.owner == owner_mark(number) else None


def _write(path: Path, event: Event) -> None:
    progress = event.progress
    told = UnderWay(
        host=socket.gethostname(),
        owner=owner_mark(),
        steps=tuple(UnderWayStep(label=step.label, where=step.where, waits_for=step.waits_for) for step in progress.running),
        queued=progress.queued,
        held_back=progress.held_back,
        given_up=progress.given_up,
        written_at=now(),
    )
    draft = path.with_name(f".{path.name}")
    draft.write_text(told.model_dump_json(), encoding="utf-8")
    os.replace(draft, path)
