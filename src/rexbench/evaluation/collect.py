"""Taking declared artefacts out of a tree in which anything may have happened."""

import os
import stat
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from rexbench.digest import digest_bytes
from rexbench.evaluation.reading import BrokenContract
from rexbench.places import remove_tree
from rexbench.record.model import CollectedFile
from rexbench.task.schema import Artefact

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAX_NAMES = 10_000


def collect_artefacts(tree: Path, artefacts: tuple[Artefact, ...], target: Path) -> tuple[CollectedFile, ...]:
    """Copy what is declared to `target`: plain files only, no link on the way, sizes and counts as declared."""
    collected: list[CollectedFile] = []
    for artefact in artefacts:
        found = _match(tree, artefact.path)
        if len(found) != artefact.files:
            wanted = (
                "is missing" if artefact.files == 1 and not found else f"matches {len(found)} files, {artefact.files} are asked for"
            )
            raise BrokenContract(f"{artefact.path} {wanted}")
        for path in found:
            content = _read(tree, path, int(artefact.max_mb * 2**20))
            copy = target / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
            collected.append(CollectedFile(path=path, size=len(content), sha256=digest_bytes(content)))
    return tuple(collected)


def wipe_artefacts(tree: Path, artefacts: tuple[Artefact, ...]) -> None:
    """Remove whatever stands where an artefact will be written, so that only the run itself can put it there."""
    for artefact in artefacts:
        for path in _match(tree, artefact.path):
            at = tree / path
            if at.is_dir() and not at.is_symlink():
                remove_tree(at)
            else:
                at.unlink()


def _match(tree: Path, pattern: str) -> list[str]:
    """Paths below `tree` that match, walked without following a link; a link on the way matches nothing."""
    found = [""]
    for segment in pattern.split("/"):
        deeper: list[str] = []
        for folder in found:
            with suppress(OSError), _opened(tree, folder) as fd:
                names = sorted(os.listdir(fd)[:_MAX_NAMES])
                deeper += [f"{folder}/{name}" if folder else name for name in names if fnmatchcase(name, segment)]
                if not all(name.isprintable() for name in deeper):
                    raise BrokenContract(f"a file that matches {pattern} has a name that cannot be printed")
        found = deeper
    return found


class _opened:  # noqa: N801
    """A folder's descriptor, reached from the tree's root one component at a time without following links."""

    def __init__(self, tree: Path, folder: str) -> None:
        self._tree, self._parts = tree, [part for part in folder.split("/") if part]

    def __enter__(self) -> int:
        self._fd = os.open(self._tree, _FOLDER)
        for part in self._parts:
            try:
                deeper = os.open(part, _FOLDER, dir_fd=self._fd)
            finally:
                os.close(self._fd)
            self._fd = deeper
        return self._fd

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)


def _read(tree: Path, path: str, limit: int) -> bytes:
    folder, _, name = path.rpartition("/")
    try:
        with _opened(tree, folder) as parent, os.fdopen(os.open(name, _FILE, dir_fd=parent), "rb") as file:
            info = os.fstat(file.fileno())
            if not stat.S_ISREG(info.st_mode):
                raise BrokenContract(f"{path} is not a plain file")
            if info.st_nlink != 1:
                raise BrokenContract(f"{path} is a hard link")
            content = file.read(limit + 1)
    except OSError as error:
        raise BrokenContract(f"{path} cannot be taken: {error.strerror} (a link, or no plain file)") from error
    if len(content) > limit:
        raise BrokenContract(f"{path} is larger than the {limit // 2**20} MB that are allowed")
    return content
