"""The laboratory's process: who reaches it, what bounds it, how it ends, and that it is reached from inside the sandboxes."""

import json
import os
import select
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rexbench.errors import SystemFault
from rexbench.laboratory import lab
from rexbench.laboratory.door import VARIABLE
from rexbench.laboratory.record import Usage, read_record
from rexbench.sandbox.protocol import Job, ResourceLimits, Sandbox
from tests.conftest import CONFIGURED
from tests.laboratory.scene import WORLD, Client, open_laboratory

DOCKER = CONFIGURED.any_sandbox("docker")
PROGRAM = """
from lab import Lab, Refused
lab = Lab()
print([lab.ask({"x": x})["above"] for x in (0, 10**6)], lab.left)
try:
    lab.ask({})
except Refused as refused:
    print(refused)
print([type(answer).__name__ for answer in lab.ask_many([{"x": 1}] * 3)])
"""


def job(folder: Path, variables: dict[str, str], mounts: dict[str, Path]) -> Job:
    tree = folder / "tree"
    tree.mkdir()
    (tree / "lab.py").write_text(Path(lab.__file__).read_text())
    (tree / "program.py").write_text(PROGRAM)
    limits = ResourceLimits(seconds=60, memory_mb=300, processes=32, disk_mb=64, output_mb=4)
    return Job("python program.py", tree, CONFIGURED.environments.describe("base"), limits, variables=variables, mounts=mounts)


@pytest.mark.parametrize(
    "sandbox",
    [
        CONFIGURED.any_sandbox("bubblewrap"),
        pytest.param(
            DOCKER, marks=[pytest.mark.docker, pytest.mark.skipif(DOCKER.missing() is not None, reason=f"{DOCKER.missing()}")]
        ),
    ],
    ids=lambda sandbox: str(sandbox.name),
)
def test_a_program_in_a_sandbox_asks_with_the_client_alone(sandbox: Sandbox, home: Path, tmp_path: Path) -> None:
    sandbox.prepare("base")
    with open_laboratory(tmp_path, 5) as laboratory:
        done = sandbox.run(job(tmp_path, laboratory.variables, laboratory.mounts))
    assert done.status == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == ["[False, True] 3", "x is a number.", "['dict', 'dict', 'Refused']"]
    assert laboratory.usage == Usage(asked=6, answered=4, refused=2, spent=5, left=0)


def test_a_program_without_a_sandbox_asks_on_the_hosts_own_path_however_long(home: Path, tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    with open_laboratory(deep, 5) as laboratory:
        assert len(str(laboratory.socket)) > 108
        done = CONFIGURED.any_sandbox("process").run(job(tmp_path, {VARIABLE: str(laboratory.socket)}, {}))
    assert done.stdout.startswith(b"[False, True] 3\n"), done.stderr.decode()


def test_what_it_keeps_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with open_laboratory(tmp_path, 5) as laboratory:
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (laboratory.socket, *laboratory.socket.parents[:2])]
            assert list(laboratory.mounts.values()) == [laboratory.socket.parent]
            assert [path.name for path in laboratory.socket.parent.iterdir()] == ["laboratory.sock"]
    finally:
        os.umask(before)
    assert modes == [0o666, 0o711, 0o700]
    assert stat.S_IMODE((tmp_path / "questions.jsonl").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("world", "words"),
    [
        (WORLD.replace("hidden.json", "gone.json"), "laboratory.py raised FileNotFoundError in line 10"),
        ("import no_such_module\n", "laboratory.py raised ModuleNotFoundError in line 1"),
        ("class Laboratory\n", "SyntaxError"),
        ("", "AttributeError"),
        (WORLD.replace("def cost", "pace = 'slow'\n    def cost"), "could not convert"),
    ],
    ids=["setting up", "importing", "syntax", "no class", "pace"],
)
def test_a_laboratory_that_cannot_start_says_why_and_leaves_no_process(world: str, words: str, tmp_path: Path) -> None:
    laboratory = open_laboratory(tmp_path, 5, world)
    with pytest.raises(SystemFault, match="did not start") as raised, laboratory:
        pass
    assert words in str(raised.value)
    assert not Path(f"/proc/{laboratory.pid}").exists()


ENDINGS = {
    "memory": ("bytearray(2**31)", {"memory": 2**30}, "raised MemoryError"),
    "one question's time": ("while True: pass", {"question_seconds": 0.2}, "took more than 0.2 s of CPU time over one question"),
    "time in all": ("while True: pass", {"cpu_seconds": 1}, "took more than 1 s of CPU time"),
    "a crash": ("import os; os.kill(os.getpid(), 11)", {}, "was killed (status -11)"),
}


@pytest.mark.parametrize("kind", ENDINGS)
def test_a_laboratory_that_passes_its_bounds_is_a_fault_that_names_the_question(kind: str, tmp_path: Path) -> None:
    code, limits, words = ENDINGS[kind]
    world = WORLD.replace(
        "        self.asked += 1\n",
        f"        self.asked += 1\n        if question == {{}}: {code}\n".replace(": while", ":\n            while"),
    )
    with open_laboratory(tmp_path, 9, world, **limits) as laboratory, Client(laboratory.socket) as client:
        assert client.ask({"x": 1})
        client.say({})
        while client.hear():
            pass
        os.waitid(os.P_PID, laboratory.pid, os.WEXITED | os.WNOWAIT)
        assert laboratory.fault and words in laboratory.fault
    assert laboratory.usage.fault == laboratory.fault
    assert (laboratory.usage.asked, laboratory.usage.answered, laboratory.usage.refused) == (2, 1, 0)
    last = list(read_record(tmp_path / "questions.jsonl"))[-1]
    assert (last.line, last.cost, last.reply) == (b"{}", None, None)


def test_a_laboratory_that_somebody_kills_is_a_fault_and_its_record_still_counts(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 9) as laboratory, Client(laboratory.socket) as client:
        for line in ({"x": 1}, {}, {"x": 2, "times": 3}):
            client.ask(line)
        os.kill(laboratory.pid, signal.SIGKILL)
        assert client.hear() is None
    assert laboratory.usage == Usage(asked=3, answered=2, refused=1, spent=5, left=4, fault="the laboratory was killed (status -9)")


def test_a_question_in_progress_does_not_keep_the_run_from_ending(tmp_path: Path) -> None:
    world = WORLD.replace("        self.asked += 1\n", "        import time; time.sleep(3600 * (question == {}))\n")
    with open_laboratory(tmp_path, 9, world, question_seconds=0.1) as laboratory, Client(laboratory.socket) as client:
        client.say({})
        while b'"line": "{}"' not in (tmp_path / "questions.jsonl").read_bytes():
            time.sleep(0.01)
    assert laboratory.fault and not Path(f"/proc/{laboratory.pid}").exists()


def test_many_questions_that_wait_do_not_keep_the_run_from_ending(tmp_path: Path) -> None:
    world = WORLD.replace("class Laboratory:\n", "class Laboratory:\n    pace = 0.2\n")
    with open_laboratory(tmp_path, 5000, world) as laboratory, Client(laboratory.socket) as client:
        client.ask(*[{"x": 1}] * 1000)
    assert laboratory.fault is None and laboratory.usage.asked < 1000


def test_a_fork_of_the_keepers_that_lives_on_does_not_keep_it_open(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        child = os.fork()
        if child == 0:
            time.sleep(600)
            os._exit(0)
    try:
        assert laboratory.fault is None
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


KEEPER = """
import os, sys, time
from pathlib import Path
from tests.laboratory.scene import open_laboratory
with open_laboratory(Path(sys.argv[1]), 5) as laboratory:
    print(laboratory.pid, flush=True)
    time.sleep(600)
"""


def test_it_ends_with_a_keeper_that_is_killed(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", KEEPER, str(tmp_path)], cwd=root, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout
        ended = os.pidfd_open(int(keeper.stdout.readline()))
        keeper.kill()
    assert _wait(ended)


def _wait(process: int) -> bool:
    try:
        return bool(select.select([process], [], [], 60)[0])
    finally:
        os.close(process)


def test_what_the_worlds_code_prints_disturbs_nobody(tmp_path: Path) -> None:
    world = WORLD.replace("        self.asked += 1\n", "        self.asked += 1\n        print('x' * 200_000)\n")
    with open_laboratory(tmp_path, 5, world) as laboratory, Client(laboratory.socket) as client:
        reply = client.ask({"x": 1})
    assert reply and json.dumps(reply) and laboratory.usage.answered == 1
