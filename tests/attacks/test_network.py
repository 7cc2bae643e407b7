"""A server on the host's loopback, an abstract socket, a socket file and the name service hold the answer for whoever calls."""

import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rexbench.task.folder import Task
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched

CALL = """
import os, socket
def ask(family, address):
    try:
        with socket.socket(family, socket.SOCK_STREAM) as line:
            line.settimeout(2)
            line.connect(address)
            loot = line.recv(65536).decode()
    except OSError as error:
        return print(family.name, error.strerror or error)
    os.makedirs("results", exist_ok=True)
    open("results/medians.csv", "w").write(loot)
    print(family.name, "answered")
ask(socket.AF_INET, ("127.0.0.1", PORT))
ask(socket.AF_UNIX, "\\0" + ABSTRACT)
ask(socket.AF_UNIX, FILE)
try:
    print("resolved", socket.getaddrinfo("example.com", 80)[0][4])
except OSError as error:
    print("names", error)
print("interfaces", [name for _, name in socket.if_nameindex()])
"""


def test_no_server_of_the_host_answers_inside(
    toy: Task,
    judge: Judge,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    loot = answer(toy)
    with ExitStack() as servers:
        port = servers.enter_context(_serve(socket.AF_INET, ("127.0.0.1", 0), loot))[1]
        abstract = f"rexbench-attack-{port}"
        file = f"/tmp/rexbench-attack-{port}.socket"
        servers.enter_context(_serve(socket.AF_UNIX, "\0" + abstract, loot))
        servers.enter_context(_serve(socket.AF_UNIX, file, loot))
        servers.callback(Path(file).unlink)
        known = f"PORT, ABSTRACT, FILE = {port}, {abstract!r}, {file!r}\n"
        patch = patch_of({"run.sh": "python call.py\n", "call.py": known + CALL})

        with host_untouched(tmp_path):
            verdict = judge(patch)

        assert verdict.outcome == "bad_artifact"
        assert "answered" not in logs(verdict) and "resolved" not in logs(verdict)
        assert "interfaces ['lo']" in logs(verdict)

        without_names = known + CALL.partition("try:\n    print")[0]
        assert unprotected(patch_of({"run.sh": "python call.py\n", "call.py": without_names})).stdout.count("answered") == 3
        assert (careless_tree / "results" / "medians.csv").read_text() == loot


@contextmanager
def _serve(family: socket.AddressFamily, address: object, loot: str) -> Iterator[tuple[str, int]]:
    with socket.socket(family, socket.SOCK_STREAM) as server:
        server.bind(address)  # type: ignore[arg-type]
        server.listen()
        server.settimeout(0.2)
        over = threading.Event()

        def answer_calls() -> None:
            while not over.is_set():
                try:
                    caller, _ = server.accept()
                except TimeoutError:
                    continue
                with caller:
                    caller.sendall(loot.encode())

        thread = threading.Thread(target=answer_calls)
        thread.start()
        try:
            yield server.getsockname()
        finally:
            over.set()
            thread.join()
