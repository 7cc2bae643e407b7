"""Whatever goes wrong in an agent's step has its right name, and nothing that is in the tree is lost."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rexbench.gateway.exchange import read_exchanges
from tests.agent.conftest import RunTiny

EDIT: dict[str, Any] = {"edit": {"path": "NOTE.md", "write": "kept\n"}, "usage": {"input": 900, "output": 100}}
END: dict[str, Any] = {"finish": "Done.", "usage": {"input": 900, "output": 100}}


def kept(tmp_path: Path) -> bool:
    return b"+kept" in (tmp_path / "attempt" / "patch.diff").read_bytes()


@pytest.mark.parametrize("fault", ["429", "500", "503", "529", "drop"])
def test_a_storm_that_passes_is_ridden_out(fault: str, run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END | {"fault": fault, "times": 4}])
    assert (step.outcome, step.turns) == ("finished", 2) and kept(tmp_path)
    assert len(list(read_exchanges(tmp_path / "attempt" / "exchanges.jsonl.gz"))[-1].tries) == 4


@pytest.mark.parametrize("fault", ["429", "500", "drop"])
def test_a_storm_that_lasts_is_a_fault_of_the_system(fault: str, run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END | {"fault": fault, "times": 10_000}])
    assert step.outcome == "system_fault" and "no answer for 2 s" in step.detail and kept(tmp_path)
    assert step.fault and (step.fault.by, step.fault.why) == ("system", step.detail)


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("fault", ["stall", "cut", "malformed"])
def test_a_broken_answer_is_asked_for_again(fault: str, streamed: bool, run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END | {"fault": fault}], streamed, retry_seconds=10.0)
    assert (step.outcome, step.turns) == ("finished", 2) and kept(tmp_path)


@pytest.mark.parametrize("fault", ["stall", "cut", "malformed"])
def test_answers_that_keep_breaking_are_a_fault_of_the_system(fault: str, run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END | {"fault": fault, "times": 10_000}], streamed=True, stall_seconds=0.5)
    assert step.outcome == "system_fault" and kept(tmp_path)


def test_a_killed_gateway_is_a_fault_of_the_system(run_tiny: RunTiny, tmp_path: Path, home: Path) -> None:
    def kill() -> None:
        for _ in range(400):
            time.sleep(0.05)
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit():
                    try:
                        line = (entry / "cmdline").read_bytes()
                    except OSError:
                        continue
                    if b"rexbench.gateway.serve" in line and os.fsencode(home) in line and b"ran 0" in seen():
                        os.kill(int(entry.name), signal.SIGKILL)
                        return

    def seen() -> bytes:
        return b"".join(path.read_bytes() for path in home.glob("scratch/agent-*/output/stdout.log"))

    killer = threading.Thread(target=kill)
    killer.start()
    step = run_tiny([EDIT, END | {"delay": 20.0}], seconds=60)
    killer.join()
    assert (step.outcome, step.detail) == ("system_fault", "the gateway was killed") and kept(tmp_path)
    assert step.fault and step.fault.by == "system"
    first, second = read_exchanges(tmp_path / "attempt" / "exchanges.jsonl.gz")
    assert (first.ending, second.ending) == ("whole", "lost"), "what was under way is on record, and charged"
    assert step.tokens.input > 900 + 900 and step.requests == 2


def test_a_killed_agent_has_crashed_and_its_work_counts(run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END], command="echo kept > NOTE.md; echo last words; kill -9 $$")
    assert (step.outcome, step.status) == ("crashed", 137) and "last words" in step.detail and kept(tmp_path)
    assert step.fault and step.fault.by == "agent"


def test_an_agent_out_of_memory_has_crashed_and_its_work_counts(run_tiny: RunTiny, tmp_path: Path) -> None:
    command = "echo kept > NOTE.md; python -c 'x = bytearray(900_000_000); print(len(x))'; sleep 2"
    step = run_tiny([EDIT], command=command, limits={"memory_mb": 400})
    assert step.outcome == "crashed" and "memory" in step.detail and kept(tmp_path)


def test_an_agent_that_fills_the_disk_has_crashed_and_its_work_counts(run_tiny: RunTiny, tmp_path: Path) -> None:
    fill = "echo kept > NOTE.md; for i in $(seq 40); do head -c 8000000 /dev/zero > $1/fill$i; done; sleep 5"
    step = run_tiny([EDIT], command=f"set -- /output; {fill}", limits={"disk_mb": 100})
    assert step.outcome == "crashed" and "disk" in step.detail and kept(tmp_path)


def test_a_budget_that_is_used_up_ends_the_run_with_its_work(run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, EDIT, EDIT, END], limits={"tokens": 1500})
    assert step.outcome == "agent_limit" and "1500 tokens" in step.detail and kept(tmp_path)
    assert step.tokens.input == 1800, "the answer that went over the limit is counted"


def test_a_budget_that_streams_use_up_ends_the_run_with_its_work(run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END], streamed=True, price_as="anthropic/claude-sonnet-4-5", limits={"usd": 0.004})
    assert step.outcome == "agent_limit" and "US dollars" in step.detail and kept(tmp_path)
    assert step.fault and step.fault.by == "agent"


def test_an_agent_that_goes_on_after_its_limit_is_ended(run_tiny: RunTiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rexbench.agent.step.GRACE", 0.5)
    stubborn = "echo kept > NOTE.md; while true; do ( " + _tiny() + "\n); sleep 0.1; done"
    step = run_tiny([END] * 9, command=stubborn, limits={"requests": 1})
    assert step.outcome == "agent_limit" and kept(tmp_path)


def test_the_time_limit_ends_the_run_with_its_work(run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([EDIT, END | {"delay": 60.0}], seconds=4)
    assert step.outcome == "agent_limit" and "stopped after" in step.detail and kept(tmp_path)


def test_an_agent_that_ends_with_an_error_has_crashed(run_tiny: RunTiny) -> None:
    step = run_tiny([END], command="echo this is why; exit 7")
    assert (step.outcome, step.status) == ("crashed", 7) and "this is why" in step.detail


def _tiny() -> str:
    from tests.agent.conftest import tiny_command

    return tiny_command()
