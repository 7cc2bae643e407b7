"""Whatever an agent leaves behind is its own: the step ends in an outcome of the agent, with what it used on record."""

import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rexbench.agent.catalog import SHIPPED
from rexbench.agent.keeping import _keep_logs
from rexbench.agent.outcome import blame, read_said
from rexbench.agent.protocol import Adapter, read_bounded
from rexbench.errors import RexbenchError, SystemFault
from rexbench.record.model import AgentStep
from tests.agent.conftest import RunTiny, tiny_command
from tests.small_disk import small_disk

END: dict[str, Any] = {"finish": "Done.", "usage": {"input": 900, "output": 100}}

LEAVINGS = {
    "a pipe for a log": "rm /output/stdout.log; mkfifo /output/stdout.log /output/stderr.fifo",
    "a folder for a log": "rm /output/stdout.log /output/stderr.log; mkdir -p /output/stdout.log/a /output/stderr.log",
    "a link for a log": "ln -sf /etc/passwd /output/stdout.log; ln -sf / /output/root; ln -s loop /output/loop",
    "logs that may not be read": "echo x > /output/x; mkdir /output/d; chmod 000 /output/x /output/d /output/stdout.log",
    "holes": "for i in $(seq 40); do truncate -s 1500M /output/hole$i; done",
    "a socket": "python -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"/output/s\")'",
    "names that are no text": r"for name in $'\xff\xfe' $'a\nb\e[31m'; do printf x > $name; printf x > /output/$name; done",
    "folders without end": 'python -c \'import os\nos.chdir("/output")\nfor _ in range(3000): os.mkdir("d"); os.chdir("d")\'',
    "a thousand logs": "for i in $(seq 3000); do echo $i > /output/log$i; done",
    "no folder": "rm -rf /output/* /output/.[a-z]*; chmod 000 /output",
    "a tree without permissions": "mkdir -p closed/inner; echo x > closed/file; chmod -R 000 closed; chmod 000 .",
    "pipes in the tree": "mkfifo pipe; mkdir -p x; mkfifo x/y; rm -rf README.md; mkfifo README.md",
    "thousands of files": "mkdir many; cd many; seq 20500 | xargs touch",
}


def charged(step: AgentStep, attempt: Path) -> bool:
    """Whether what the agent used is on record, and its exchanges beside it."""
    return (step.tokens.input, step.tokens.output, step.requests) == (900, 100, 1) and (attempt / "exchanges.jsonl.gz").is_file()


@pytest.mark.parametrize("mess", LEAVINGS)
def test_a_mess_is_the_agents_own_and_all_it_used_is_on_record(mess: str, run_tiny: RunTiny, tmp_path: Path) -> None:
    step = run_tiny([END], command=f"{tiny_command()}\necho kept > NOTE.md\n({LEAVINGS[mess]})\ntrue", seconds=120)
    attempt = tmp_path / "attempt"
    assert step.outcome != "system_fault" and (step.fault is None or step.fault.by == "agent"), step.detail
    assert charged(step, attempt)
    assert AgentStep.model_validate_json(step.model_dump_json()) == step
    kept = [path for path in (attempt / "agent").rglob("*") if path.is_file()]
    assert sum(path.stat().st_blocks * 512 for path in kept) < 100_000_000 and len(kept) <= 2_000
    assert not any(path.is_symlink() for path in (attempt / "agent").rglob("*"))
    if mess not in ("thousands of files", "a tree without permissions"):
        assert b"+kept" in (attempt / "patch.diff").read_bytes() and step.outcome == "finished"


@pytest.mark.skipif(os.getuid() != 0, reason="mounting a small disk is root's")
def test_a_disk_that_others_fill_is_ours_and_what_was_used_is_kept(
    run_tiny: RunTiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environments: Path
) -> None:
    with small_disk(tmp_path / "disk", "64m") as disk:
        home = disk.folder / "home"
        home.mkdir()
        (home / "environments").symlink_to(environments)
        monkeypatch.setenv("REXBENCH_HOME", str(home))

        def fill() -> None:
            for _ in range(3000):
                if any("finished" in read_bounded(path) for path in home.glob("scratch/agent-*/output/stdout.log")):
                    break
                time.sleep(0.05)
            disk.fill()

        filling = threading.Thread(target=fill)
        filling.start()
        step = run_tiny([END], command=f"{tiny_command()}\nwhile head -c 9000 /dev/zero >> /output/log; do sleep 0.1; done; exit 1")
        filling.join()
        disk.free()
    assert step.outcome == "system_fault" and step.fault and step.fault.by == "system" and "full" in step.detail
    assert charged(step, tmp_path / "attempt")


@pytest.mark.parametrize("agent", SHIPPED, ids=lambda agent: agent.name)
@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe" * 100, b"[" * 200_000, b'{"type": "result", "result": ' + b"[" * 5_000, b'{"info": 7}', b'{"info": []}'],
)
def test_a_log_that_makes_no_sense_says_nothing(agent: Adapter, content: bytes, tmp_path: Path) -> None:
    for name in ("stdout.log", "stderr.log", "mini-trajectory.json"):
        (tmp_path / name).write_bytes(content)
    assert read_said(agent, tmp_path).finished is not True


def test_an_error_is_the_agents_only_where_its_own_files_are_the_reason(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "file").touch()
    with pytest.raises(NotADirectoryError) as error:
        os.listdir(tmp_path / "workspace" / "file")
    assert blame(error.value, tmp_path)[1].by == "agent"
    with pytest.raises(FileNotFoundError) as error:
        os.listdir(tmp_path / "door")
    assert blame(error.value, tmp_path)[1].by == "system"
    assert blame(OSError(28, "No space left on device", str(tmp_path / "workspace" / "file")), tmp_path)[1].by == "system"
    assert blame(SystemFault("git failed"), tmp_path)[1].by == "system"
    assert blame(RexbenchError("too many files"), tmp_path)[1].by == "agent"


@pytest.mark.skipif(os.getuid() != 0, reason="becoming an ordinary user is root's")
@pytest.mark.parametrize("mode", [0o000, 0o444, 0o111, 0o222])
def test_an_ordinary_user_keeps_the_logs_of_an_agent_that_closes_its_folders(mode: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o777)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setgid(65534)
                os.setuid(65534)
                (folder / "output" / "closed").mkdir(parents=True)
                for name in ("closed/inner.log", "secret.log", "stdout.log"):
                    (folder / "output" / name).write_text(name)
                (folder / "output" / "secret.log").chmod(mode & 0o333)
                (folder / "output" / "closed").chmod(mode)
                _keep_logs(folder / "output", folder / "kept")
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert (folder / "kept" / "stdout.log").read_text() == "stdout.log"
