"""Which steps were handed to a cluster and have not been heard of since.

A cluster outlives the program that gave it work. Each submission is noted under a token before it is made, which also goes with
it to the cluster, and completed with the cluster's own names after; so whatever instant the program dies at, the next one can
tell the work that is still under way from the work that is to be given out.

    <undertaking>/.slurm/ledger/TOKEN.json
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from rexbench.campaign.undertaking import Step
from rexbench.places import write_whole

Which = tuple[str, str, int]
VISIBLE_SECONDS = 90.0
"""How long work that says it is done is given until a slow network file system shows what it wrote."""


def which(step: Step) -> Which:
    """What makes a step the same one, by whatever path its undertaking was come to."""
    return step.name, step.kind, step.number


class Entry(BaseModel):
    """One submission."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    token: str
    steps: tuple[Step, ...]
    jobs: tuple[str, ...] = ()
    """The cluster's name of each step's job, in the same order; empty where the submission may not have come about."""


class Ledger:
    """The submissions of one undertaking to one kind of cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, entry: Entry) -> None:
        """Write an entry, or what has become of it; whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._folder / f"{entry.token}.json", entry.model_dump_json())

    def forget(self, token: str) -> None:
        (self._folder / f"{token}.json").unlink(missing_ok=True)

    def entries(self) -> list[Entry]:
        found = []
        for path in sorted(self._folder.glob("*.json")):
            try:
                found.append(Entry.model_validate_json(path.read_bytes()))
            except (ValidationError, FileNotFoundError):  # of another version: its jobs, if any live, only repeat what is recorded
                continue
        return found
