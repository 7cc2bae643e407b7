"""Taking declared artefacts out of a tree in which anything may have happened.

A path without a star is one file, taken as it is. A path with stars must match as many files as are asked for; more of them are no
defect. All that match are handed to the judge, which opens its files by name, so that what lies beside them changes no verdict;
of those that match, the ones that cannot be taken (links, folders, oversized files) are passed over as long as enough remain.
"""

import os
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from rexbench.digest import digest_bytes
from rexbench.evaluation.reading import BrokenContract
from rexbench.places import remove_tree
from rexbench.record.model import CollectedFile
from rexbench.task.schema import Artefact
from rexbench.untrusted import THEIRS, NotTaken, folder_inside, open_plain

MAX_EXTRA = 256
"""Files that may match a path beside those that are asked for."""
MAX_EXTRA_BYTES = 256 * 2**20
"""What they may come to."""
_MAX_NAMES = 1_000_000
"""Names of a folder that are looked at."""


def collect_artefacts(tree: Path, artefacts: tuple[Artefact, ...], target: Path) -> tuple[CollectedFile, ...]:
    """Copy what is declared to `target`: plain files only, no link on the way, sizes and counts as declared."""
    collected: list[CollectedFile] = []
    for artefact in artefacts:
        found = _match(tree, artefact.path)
        if not len(found) - MAX_EXTRA <= artefact.files <= len(found):
            one = artefact.files == 1 and not found
            raise BrokenContract(
                f"{artefact.path} " + ("is missing" if one else f"matches {len(found)} files, {artefact.files} are asked for")
            )
        collected += _collect(tree, artefact, found, target)
    return tuple(collected)


def _collect(tree: Path, artefact: Artefact, found: list[str], target: Path) -> list[CollectedFile]:
    most = int(artefact.max_mb * 2**20)
    room = most * artefact.files + MAX_EXTRA_BYTES
    collected: list[CollectedFile] = []
    defects: list[BrokenContract] = []
    for path in found:
        try:
            content = _read(tree, path, most)
        except BrokenContract as error:
            defects.append(error)
            continue
        room -= len(content)
        if room < 0:
            raise BrokenContract(f"the {len(found)} files that match {artefact.path} are too much to be collected")
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        collected.append(CollectedFile(path=path, size=len(content), sha256=digest_bytes(content)))
    if len(collected) < artefact.files:
        raise defects[0]
    return collected


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
    """Paths below `tree` that match, sorted, walked without following a link; a link on the way matches nothing."""
    found = [""]
    for segment in pattern.split("/"):
        deeper = [f"{folder}/{name}" if folder else name for folder in found for name in _names(tree, folder, segment)]
        found = sorted(deeper)
    return found


def _names(tree: Path, folder: str, segment: str) -> list[str]:
    try:
        with folder_inside(tree, PurePosixPath(folder)) as fd:
            if not set("*?[") & set(segment):
                os.stat(segment, dir_fd=fd, follow_symlinks=False)
                return [segment]
            with os.scandir(fd) as listed:
                names = []
                for number, item in enumerate(listed):
                    if number >= _MAX_NAMES:
                        raise BrokenContract(f"{folder or 'the tree'} holds more than {_MAX_NAMES} names")
                    if fnmatchcase(item.name, segment):
                        names.append(item.name)
                return names
    except OSError as error:
        if error.errno not in THEIRS:
            raise
        return []


def _read(tree: Path, path: str, limit: int) -> bytes:
    if not path.isprintable():
        raise BrokenContract(f"{path!a:.100} has a name that cannot be printed")
    at = PurePosixPath(path)
    try:
        with folder_inside(tree, at.parent) as parent, open_plain(Path(at.name), parent) as file:
            if os.fstat(file.fileno()).st_nlink != 1:
                raise BrokenContract(f"{path} is a hard link")
            content = file.read(limit + 1)
    except NotTaken as error:
        raise BrokenContract(f"{path} cannot be taken: it {error.defect}") from error
    except OSError as error:
        if error.errno not in THEIRS:
            raise
        raise BrokenContract(f"{path} cannot be taken: {error.strerror} (a link, or no plain file)") from error
    if len(content) > limit:
        raise BrokenContract(f"{path} is larger than the {limit // 2**20} MB that are allowed")
    return content
