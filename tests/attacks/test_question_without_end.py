"""A question never ends: the line goes on until whoever reads it whole has no memory left."""

import io
from pathlib import Path

from rexbench.laboratory.lab import MAX_QUESTION
from tests.laboratory.scene import Client, open_laboratory

ENDLESS = 64 * 2**20


def test_a_line_is_refused_where_its_bound_is_and_the_laboratory_stays_small(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 10) as laboratory:
        before = peak_memory(laboratory.pid)
        sent = 0
        with Client(laboratory.socket) as client:
            try:
                while sent < ENDLESS:
                    client.say(b"[" * 65536)
                    sent += 65536
            except OSError:
                pass
            refused = client.hear()
        assert refused and f"at most {MAX_QUESTION} bytes" in refused["error"] and refused["left"] == 9
        assert sent < 2 * 2**20, "no more was read than the bound and what the kernel holds"
        assert peak_memory(laboratory.pid) - before < 16 * 1024
        with Client(laboratory.socket) as client:
            answered = client.ask({"x": 1})
            assert answered and answered["left"] == 8


def test_reading_a_line_whole_takes_all_of_it() -> None:
    assert len(io.BytesIO(b"[" * ENDLESS).readline()) == ENDLESS


def peak_memory(process: int) -> int:
    """Kilobytes that the process has had at most."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
