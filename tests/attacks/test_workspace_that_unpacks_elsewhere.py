"""A container's archiver is replaced by one that sends a link out of the workspace and a file behind it: the host unpacks both."""

import io
import tarfile
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.interop.inspect.elsewhere import unpacked_patch
from rexbench.task.folder import Task


def _bent(out: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        link = tarfile.TarInfo("door")
        link.type, link.linkname = tarfile.SYMTYPE, str(out)
        archive.addfile(link)
        for name in ("door/planted", f"../../../../../../..{out}/climbed", f"{out}/rooted", "work.txt"):
            member = tarfile.TarInfo(name)
            member.size = 5
            archive.addfile(member, io.BytesIO(b"mine\n"))
    return packed.getvalue()


def test_what_a_container_sends_is_unpacked_where_nothing_else_can_be_reached(toy: Task, bench: Bench, tmp_path: Path) -> None:
    out, plain = tmp_path / "out", tmp_path / "plain"
    out.mkdir()
    plain.mkdir()
    with tarfile.open(fileobj=io.BytesIO(_bent(out))) as archive:
        archive.extractall(plain, filter="fully_trusted")
    assert (out / "planted").exists()
    (out / "planted").unlink()
    (out / "rooted").unlink()
    (out / "climbed").unlink(missing_ok=True)
    patch = unpacked_patch(_bent(out), toy, "none", bench)
    assert list(out.iterdir()) == []
    assert b"work.txt" in patch


def test_an_archive_that_is_none_or_has_no_end_is_no_patch_and_no_fault(toy: Task, bench: Bench) -> None:
    for sent in (b"", b"no archive", _bent(Path("/nowhere"))[:40]):
        assert unpacked_patch(sent, toy, "none", bench) == b""
