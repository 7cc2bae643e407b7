"""Memory is taken as System V segments and messages, which belong to no process and which nobody counts."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from tests.attacks.conftest import HELD_OUT
from tests.attacks.scene import host_untouched, limited
from tests.trials import evaluate

TAKE = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
for _ in range(10):
    segment = libc.shmget(0, 20 * 2**20, 0o1600)
    if segment >= 0:
        at = libc.shmat(segment, None, 0)
        ctypes.memset(at, 1, 20 * 2**20)
        libc.shmdt(ctypes.c_void_p(at))  # no process has it any more, and it is still there
        print("segment", flush=True)
        libc.shmctl(segment, 0, None)  # so that this test leaves nothing where it is not refused
print("queue", libc.msgget(0, 0o1600), "set", libc.semget(0, 100, 0o1600))
print("mail", ctypes.CDLL("librt.so.1").mq_open(b"/rexbench", 0o102, 0o600, None))
"""
KEPT = """
import multiprocessing, multiprocessing.shared_memory as shared
lock, queue = multiprocessing.Lock(), multiprocessing.Queue()
def work():
    with lock:
        queue.put("still there")
child = multiprocessing.Process(target=work)
child.start()
print(queue.get(), flush=True)
child.join()
block = shared.SharedMemory(create=True, size=100)
block.close(), block.unlink()
"""


def test_no_memory_can_be_had_that_belongs_to_nobody(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes], tmp_path: Path
) -> None:
    with host_untouched(tmp_path):
        verdict = evaluate(limited(toy, memory_mb=100), patch_of({"run.sh": "python take.py\n", "take.py": TAKE}), HELD_OUT, bench)

    assert "segment" not in logs(verdict)
    assert "queue -1 set -1\nmail -1" in logs(verdict)


def test_what_python_and_torch_share_between_processes_stays(
    toy: Task, bench: Bench, logs: Callable[..., str], patch_of: Callable[..., bytes]
) -> None:
    verdict = evaluate(toy, patch_of({"run.sh": "python kept.py\n", "kept.py": KEPT}), HELD_OUT, bench)
    assert "still there" in logs(verdict) and verdict.outcome == "bad_artifact", "it ended well, without the artefact"


def test_in_the_open_it_is_had(
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]], patch_of: Callable[..., bytes]
) -> None:
    done = unprotected(
        patch_of({"run.sh": "python take.py\n", "take.py": TAKE.replace('print("queue"', 'raise SystemExit\nprint("queue"')})
    )
    assert "segment" in done.stdout
