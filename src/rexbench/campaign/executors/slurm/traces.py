"""What the jobs of an undertaking have under `.slurm` in its folder.

.slurm/ledger/TOKEN.json         a submission that is awaited
.slurm/jobs/TOKEN/               submitit's files and the logs; kept where there was a fault
.slurm/ended/TOKEN-PLACE.json    a job's own note of how it ended
"""

import os
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from rexbench.campaign.executors.attempt import Note
from rexbench.campaign.executors.ledger import Ledger
from rexbench.digest import digest_value
from rexbench.places import remove_tree


class Traces:
    """The folder, and the name that all jobs of the undertaking bear in Slurm."""

    def __init__(self, undertaking: Path) -> None:
        self._folder = undertaking / ".slurm"
        self.ledger = Ledger(self._folder / "ledger")
        # Of the folder itself: who resumes may have come to it by another path.
        self.name = f"rexbench-{digest_value(str(undertaking.resolve()))[:12]}"

    def jobs(self, token: str) -> Path:
        return self._folder / "jobs" / token

    def note(self, token: str, place: int) -> Path:
        return self._folder / "ended" / f"{token}-{place}.json"

    def notes(self) -> set[str]:
        """Names of the notes that are there."""
        with suppress(FileNotFoundError):
            return set(os.listdir(self._folder / "ended"))
        return set()

    def read_note(self, token: str, place: int) -> Note | None:
        with suppress(OSError, ValidationError):
            return Note.model_validate_json(self.note(token, place).read_bytes())
        return None

    def clear(self, token: str, keep_logs: bool = False) -> None:
        """Nothing of this submission is awaited any more."""
        self.ledger.forget(token)
        for name in self.notes():
            if name.startswith(f"{token}-"):
                (self._folder / "ended" / name).unlink(missing_ok=True)
        if not keep_logs and self.jobs(token).exists():
            remove_tree(self.jobs(token))


def place_of(number: str) -> int:
    """A job's place in its array; 0 where it stands alone."""
    return int(number.partition("_")[2] or 0)
