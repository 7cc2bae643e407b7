"""A patch of a few hundred kilobytes holds a binary file that unpacks to a thousand times that, on the host, before any sandbox."""

import base64
import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path

from rexbench.workspace.patch import MAX_UNPACKED
from tests.attacks.conftest import Judge
from tests.attacks.scene import SOLUTION, host_untouched

SIZE = 2 * MAX_UNPACKED
"""Far more than a patch taken from a workspace can hold in one file; little enough not to hurt where nothing stops it."""


def test_what_a_patch_unpacks_to_is_bounded(judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path) -> None:
    bomb = _binary_file("bomb.bin", SIZE)
    assert len(bomb) < SIZE // 200

    with host_untouched(tmp_path):
        verdict = judge(patch_of({"run.sh": "python s.py\nls -l bomb.bin\n", "s.py": SOLUTION}) + bomb)

    assert verdict.outcome == "patch_rejected"


def test_a_small_binary_file_made_the_same_way_is_taken(judge: Judge, patch_of: Callable[..., bytes]) -> None:
    small = _binary_file("small.bin", 4096)
    assert judge(patch_of({"run.sh": "python s.py\nls -l small.bin\n", "s.py": SOLUTION}) + small).outcome == "success"


def _binary_file(name: str, size: int) -> bytes:
    """A new file of zeros as git writes it: deflated, in base 85, at most 52 bytes a line behind their count."""
    digest = hashlib.sha1(b"blob %d\0" % size)
    packer = zlib.compressobj(9)
    packed = b""
    for at in range(0, size, 2**20):
        chunk = bytes(min(2**20, size - at))
        digest.update(chunk)
        packed += packer.compress(chunk)
    packed += packer.flush()
    lines = []
    for at in range(0, len(packed), 52):
        line = packed[at : at + 52]
        count = chr(ord("A") + len(line) - 1) if len(line) <= 26 else chr(ord("a") + len(line) - 27)
        lines.append(count.encode() + base64.b85encode(line + bytes(-len(line) % 4)))
    head = f"diff --git a/{name} b/{name}\nnew file mode 100644\nindex {'0' * 40}..{digest.hexdigest()}\nGIT binary patch\n"
    return head.encode() + b"literal %d\n" % size + b"\n".join(lines) + b"\n\nliteral 0\nHcmV?d00001\n\n"
