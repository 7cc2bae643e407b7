"""Archives that were handed in, each once, by digest; looked through before they are kept, and never unpacked."""

import os
from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import RexbenchError
from rexbench.interop.archive import Damaged, opened
from rexbench.interop.patches import HandedIn
from rexbench.interop.submission import read_submission
from rexbench.places import Home, flush_folder
from rexbench.service.tables import Season


@dataclass(frozen=True)
class Bounds:
    """What may come in."""

    upload_bytes: int = 64 * 2**20
    upload_seconds: float = 120.0
    """For all of an upload; what is slower is ended."""
    unpacked_bytes: int = 512 * 2**20
    patches: int = 2000
    uploads_at_once: int = 32
    """Of everybody together; an account has one at a time."""
    asks_a_minute: int = 600
    """Of an account, or of an address that is nobody's."""


class Archives:
    """The archives of a home."""

    def __init__(self, home: Home) -> None:
        self._folder = home.make("service", "archives")

    def path(self, digest: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.zip"

    def keep(self, draft: Path, digest: str) -> None:
        """Move a looked-through archive into place, where it is on disk for good when this returns."""
        target = self.path(digest)
        target.parent.mkdir(exist_ok=True)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(target)
        flush_folder(target.parent)


def look_through(path: Path, season: Season, bounds: Bounds) -> list[HandedIn]:
    """The patches of an archive that a season takes; refused, in a sentence without our paths, where it does not."""
    try:
        with opened(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > bounds.unpacked_bytes:
            raise RexbenchError(f"The archive unpacks to {unpacked} bytes; at most {bounds.unpacked_bytes} are taken.")
        patches = read_submission(path)
    except Damaged as error:
        raise RexbenchError(f"The archive {error.defect}.") from error
    except RexbenchError as error:
        raise RexbenchError(str(error).replace(str(path), "the archive")) from error
    if len(patches) > bounds.patches:
        raise RexbenchError(f"The archive holds {len(patches)} patches; at most {bounds.patches} are taken.")
    strange = sorted({one.task for one in patches} - season.tasks.keys())
    if strange:
        raise RexbenchError(f"The season {season.name} has no task {strange[0]}; it has: {', '.join(sorted(season.tasks))}.")
    return patches
