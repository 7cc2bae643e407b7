"""An agent's own log is a pipe, a folder, a link, or JSON too deep to be read, and reading it ends in an exception of ours."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rexbench.agent.catalog import SHIPPED
from tests.attacks.scene import canary

DEEP = '{"type": "result", "result": ' + "[" * 100_000 + "]" * 100_000 + "}"
LEFT: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "link": lambda path: path.symlink_to(path.parent.parent / "canary.txt"),
    "deep": lambda path: path.write_text(DEEP),
    "deep info": lambda path: path.write_text('{"info": ' + '{"exit_status":' * 50_000 + "1" + "}" * 50_001),
    "list": lambda path: path.write_text('[{"info": 1}]'),
    "no text": lambda path: path.write_bytes(b"\xff\xfe" * 1000),
    "surrogates": lambda path: path.write_text('{"type": "result", "result": "\\ud800", "info": {"exit_status": "\\ud800"}}'),
    "endless": lambda path: os.truncate(path, 10**12) if path.touch() is None else None,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", sorted(LEFT))
@pytest.mark.parametrize("agent", SHIPPED, ids=lambda agent: agent.name)
def test_a_log_of_any_kind_is_read_as_far_as_it_goes(agent: object, what: str, tmp_path: Path) -> None:
    canary(tmp_path)
    (tmp_path / "output").mkdir()
    for name in ("stdout.log", "stderr.log", "mini-trajectory.json"):
        LEFT[what](tmp_path / "output" / name)

    said = agent.read_log(tmp_path / "output")  # type: ignore[attr-defined]

    assert "untouched" not in said.last_words, "a file of the host came out as the agent's last words"
    said.last_words.encode()


def test_the_standard_reader_ends_in_an_exception() -> None:
    with pytest.raises(RecursionError):
        json.loads(DEEP)
