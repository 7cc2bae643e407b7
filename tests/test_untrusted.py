"""Whatever a path leads to, its reader neither waits nor follows it out of its folder, and says in one sentence what is wrong."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.untrusted import MAX_DEPTH, NotTaken, folder_inside, parse_json, parse_toml, read_plain


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


MADE: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "socket": _socket,
    "link to a file": lambda path: path.symlink_to(Path(__file__)),
    "link to nothing": lambda path: path.symlink_to("nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a terminal": lambda path: path.symlink_to("/dev/tty"),
    "too large": lambda path: path.write_bytes(b"x" * 101),
    "sparse": lambda path: os.truncate(path, 10**12) if path.touch() is None else None,
}


@pytest.mark.parametrize("kind", sorted(MADE))
def test_what_is_no_plain_file_of_bounded_size_is_not_taken(tmp_path: Path, kind: str) -> None:
    MADE[kind](tmp_path / "x")
    with pytest.raises(NotTaken, match=r"x (is|cannot be)"):
        read_plain(tmp_path / "x", 100)
    with pytest.raises(NotTaken, match=r"x (is|cannot be)"):
        read_plain(Path("x"), 100, inside=tmp_path)


def test_a_plain_file_is_read_and_a_missing_one_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "x").write_bytes(b"content")
    assert read_plain(tmp_path / "deep" / "x", 7) == read_plain(Path("deep/x"), 7, inside=tmp_path) == b"content"
    for missing in ("deep/y", "y/x"):
        with pytest.raises(FileNotFoundError):
            read_plain(Path(missing), inside=tmp_path)


def test_a_folder_from_elsewhere_is_left_by_no_way(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("kept")
    received = tmp_path / "received"
    received.mkdir()
    (received / "linked").symlink_to(tmp_path)
    for way in ("linked/secret", "../secret", "linked/received/linked/secret", str(tmp_path / "secret")):
        with pytest.raises(NotTaken):
            read_plain(Path(way), inside=received)
    with pytest.raises(OSError, match="Not a directory"), folder_inside(received, Path("linked")):
        pass
    assert (received / "linked" / "secret").read_text() == "kept", "a plain read goes there"


def test_a_link_that_the_user_names_is_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"content")
    (tmp_path / "link").symlink_to("x")
    assert read_plain(tmp_path / "link", follow=True) == b"content"
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-pipe").symlink_to("pipe")
    with pytest.raises(NotTaken, match="not a plain file"):
        read_plain(tmp_path / "to-pipe", follow=True)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"NaN", b"[Infinity]", b'{"a": 1, "a": 1}', b"[" * 10**6, b"9" * 5000, b'"\\ud800"', b'{"\\uDFFF": 1}', b'"\xff"',
     "[]".encode("utf-16"), b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), b'{"a":' * 101 + b"1" + b"}" * 101],
)  # fmt: skip
def test_json_that_is_not_strict_or_too_deep_is_not_taken(content: bytes) -> None:
    with pytest.raises(NotTaken, match=r"^told "):
        parse_json(content, "told")


@pytest.mark.parametrize("content", [b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, b'"\\ud83d\\ude00 \\\\ud800"', b"1", b"{}", b"[[], {}]"])
def test_json_that_is_strict_is_taken(content: bytes) -> None:
    parse_json(content, "told")


@pytest.mark.parametrize(
    "content",
    [b"x = ", b"\xff", b"x = " + b"[" * 5000, b"a" + b".a" * 200 + b" = 1", b"a" + b".a" * 60_000 + b" = 1", b"x = " + b"9" * 4301,
     b"x = 0000-01-01", b"x = 1\n" * 2 + b"# " * 10**6, b"[" + b"a." * 300 + b"a]"],
)  # fmt: skip
def test_toml_that_is_damaged_deep_or_long_is_not_taken(content: bytes) -> None:
    with pytest.raises(NotTaken, match=r"^told "):
        parse_toml(content, "told")
