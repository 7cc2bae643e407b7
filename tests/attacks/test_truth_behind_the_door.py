"""An experiment that may ask the laboratory looks for the truth instead: beside the socket, behind it, in every file."""

import json
from pathlib import Path

from rexbench.laboratory.door import INSIDE, Laboratory
from rexbench.sandbox.protocol import Job, ResourceLimits, Sandbox
from tests.conftest import CONFIGURED
from tests.laboratory.scene import HIDDEN, open_laboratory

SEARCH = """
import os, sys
(at, needle, *more), found = sys.argv[1:], []
needle = needle.encode()
places = [at, at + "/..", at + "/../..", *more]
for process in os.listdir("/proc"):
    if process.isdigit() and more:
        places += [f"/proc/{process}/root" + at, f"/proc/{process}/cwd", f"/proc/{process}/fd"]
for place in places:
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if name not in ("proc", "sys", "dev", "site-packages", "lib", "usr")]
        for name in files:
            path = os.path.join(folder, name)
            try:
                if os.path.isfile(path) and os.path.getsize(path) < 10**6 and needle in open(path, "rb").read():
                    found.append(path)
            except OSError:
                pass
for name in ("truth", "data", "laboratory.py", "questions.jsonl", "private"):
    for way in (at, at + "/..", "."):
        if os.path.exists(os.path.join(way, name)):
            found.append(os.path.join(way, name))
print("found", found)
import socket
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["REXBENCH_LABORATORY"])
line.sendall(b'{"x": 1}\\n')
print(line.recv(999).decode())
"""
EVERYWHERE = "/workspace /tmp /run /home /opt /var /root /etc /dev/shm"


def search(sandbox: Sandbox, laboratory: Laboratory, tmp_path: Path, places: str, variables: dict[str, str]) -> str:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "search.py").write_text(SEARCH)
    limits = ResourceLimits(seconds=120, memory_mb=500, processes=32, disk_mb=64, output_mb=4)
    at, _, more = places.partition(" ")
    command = f"python search.py {at} {json.dumps(HIDDEN)} {more}"
    done = sandbox.run(
        Job(command, tree, CONFIGURED.environments.describe("base"), limits, variables=variables, mounts=laboratory.mounts)
    )
    assert done.status == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_sandbox_shows_the_socket_and_nothing_of_the_world(home: Path, tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        told = search(CONFIGURED.any_sandbox("bubblewrap"), laboratory, tmp_path, f"{INSIDE} {EVERYWHERE}", laboratory.variables)
    assert "found []" in told and '"left": 4' in told


def test_without_a_sandbox_the_search_finds_it(home: Path, tmp_path: Path) -> None:
    with open_laboratory(tmp_path, 5) as laboratory:
        variables = {"REXBENCH_LABORATORY": str(laboratory.socket)}
        told = search(CONFIGURED.any_sandbox("process"), laboratory, tmp_path, str(laboratory.socket.parent), variables)
    assert "hidden.json" in told
