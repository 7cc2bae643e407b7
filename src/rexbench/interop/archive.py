"""Zip archives: written the same every time, and opened so that nothing one says of itself costs more than it is long.

zipfile reads an archive's directory whole and, asked for a whole member, unpacks as much as the stream holds; both are bounded
here. Whatever it raises over a damaged archive is one sentence.
"""

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rexbench.errors import RexbenchError
from rexbench.text import printable
from rexbench.untrusted import NotTaken, open_plain

_MAX_DIRECTORY = 32 * 1024 * 1024
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)
"""What zipfile raises over an archive that is not as it says."""


def add_member(archive: zipfile.ZipFile, name: str, content: bytes | str) -> None:
    """Put a file into an archive without the time at which that was done: the same content makes the same archive."""
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


class Damaged(NotTaken):
    """A plain file that is no whole archive."""


class _Bounded(io.FileIO):
    """A file of which nobody gets more at once than an archive's directory may take."""

    def read(self, size: int | None = -1, /) -> bytes:
        most = _MAX_DIRECTORY + 1
        content = super().read(most if size is None or size < 0 else min(size, most)) or b""
        if len(content) == most:
            raise zipfile.BadZipFile("its directory is too long")
        return content


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive; `Damaged` where it proves to be none or a damaged one, at once or while it is read."""
    try:
        with open_plain(path, follow=True) as file, _Bounded(os.dup(file.fileno())) as bounded, zipfile.ZipFile(bounded) as archive:
            yield archive
    except FileNotFoundError as error:
        raise RexbenchError(f"There is no file {path}.") from error
    except _DAMAGED as error:
        raise Damaged(path, f"is no zip archive, or a damaged one: {printable(str(error), 100)}") from error


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A member, as long as the archive says that it is."""
    with archive.open(name) as file:
        return file.read(archive.getinfo(name).file_size)
