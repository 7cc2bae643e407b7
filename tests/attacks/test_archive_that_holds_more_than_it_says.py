"""An archive says that a member has ten bytes, or that its directory has gigabytes, and its reader runs out of memory."""

import io
import resource
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from rexbench.interop.submission import FORMAT, check_submission
from rexbench.task.folder import Task
from tests.attacks.workspaces import in_child
from tests.conftest import CONFIGURED

ROOM = 300 * 2**20


def _bounded(work: object) -> str:
    """What `work` comes to with little memory."""

    def tried() -> str:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, resource.RLIM_INFINITY))
        try:
            return str(work())  # type: ignore[operator]
        except MemoryError:
            return "out of memory"

    return in_child(tried)


def _understated(path: Path, claimed: int, size: int) -> None:
    """An archive with a manifest whose stream unpacks to `size` while the archive says `claimed`."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join([*(packer.compress(bytes(2**20)) for _ in range(size // 2**20)), packer.flush()])
    name = b"manifest.json"
    common = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, zlib.crc32(bytes(claimed)), len(packed), claimed, len(name), 0)
    local = b"PK\x03\x04" + common + name + packed
    central = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    path.write_bytes(local + central + end)


def _long_directory(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, size, 0, 0))


def test_a_member_is_unpacked_as_far_as_the_archive_says(toy: Task, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    _understated(path, 10, 2**30)
    assert "manifest.json is not JSON" in _bounded(lambda: check_submission(path, CONFIGURED.suite))
    assert _bounded(lambda: zipfile.ZipFile(path).read("manifest.json")) == "out of memory", "zipfile believes the stream"


def test_a_directory_that_is_too_long_is_not_read(toy: Task, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    _long_directory(path, 2**30)
    assert "its directory is too long" in _bounded(lambda: check_submission(path, CONFIGURED.suite))
    assert _bounded(lambda: zipfile.ZipFile(path)) == "out of memory"


@pytest.mark.parametrize(
    "manifest",
    [
        f'{{"format": "{FORMAT}", "files": ' + '{"a":' * 10_000 + "1" + "}" * 10_001,
        f'{{"format": "{FORMAT}", "files": {{"\\ud800": ""}}}}',
        f'{{"format": "{FORMAT}", "files": {{"\\u001b[2Jx": ""}}}}',
        f'{{"format": "{FORMAT}", "files": [], "tasks": 3}}',
        "[" * 100_000,
        '{"format": ["x"]}',
    ],
)
def test_a_manifest_of_any_shape_is_told_in_lines_that_can_be_printed(toy: Task, tmp_path: Path, manifest: str) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("manifest.json", manifest)
    (tmp_path / "x.zip").write_bytes(archive.getvalue())
    defects = check_submission(tmp_path / "x.zip", CONFIGURED.suite)
    assert defects and all(defect.isprintable() and len(defect) <= 400 for defect in defects)
