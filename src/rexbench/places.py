"""Where things are kept on this machine, files written whole, and folders that clean up after a killed program.

    <home>/environments/     interpreters, keyed by digest
    <home>/variants/         data made from seeds
    <home>/evaluations/      the records
    <home>/secret            from which held-out seeds are drawn
    <home>/scratch/          work in flight; swept of what dead processes left

`REXBENCH_HOME` moves all of it; `REXBENCH_TASKS` names another folder of tasks.
"""

import hashlib
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

import platformdirs

from rexbench.errors import RexbenchError


def home() -> Path:
    """The folder of everything that rexbench keeps."""
    chosen = os.environ.get("REXBENCH_HOME")
    return Path(chosen).absolute() if chosen else Path(platformdirs.user_data_dir("rexbench"))


def tasks_folder() -> Path:
    """The folder that holds the tasks: `REXBENCH_TASKS`, or the one of this checkout or installation."""
    chosen = os.environ.get("REXBENCH_TASKS")
    if chosen:
        if not Path(chosen).is_dir():
            raise RexbenchError(f"REXBENCH_TASKS names {chosen}, which is not a folder.")
        return Path(chosen).absolute()
    package = Path(__file__).parent
    for candidate in (package.parents[1] / "tasks", package / "tasks"):
        if candidate.is_dir():
            return candidate
    raise RexbenchError("No tasks folder was found beside the package; set REXBENCH_TASKS to one.")


def kept_from_experiments() -> list[Path]:
    """Folders that no experiment may ever see, should they lie inside something that a sandbox shows."""
    return [tasks_folder(), home(), Path(__file__).parent]


def secret() -> bytes:
    """This machine's secret, made on first use and readable by its owner alone."""
    path = home() / "secret"
    with suppress(FileNotFoundError):
        return bytes.fromhex(path.read_text())
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_hex(32))
    with suppress(FileExistsError):  # another process may have made one first: then that one counts
        os.link(draft, path)
    draft.unlink()
    return bytes.fromhex(path.read_text())


@contextmanager
def scratch(purpose: str) -> Iterator[Path]:
    """A private folder on the same file system as the records, removed at the end; a killed owner's is swept later."""
    sweep_scratch(str(home()))
    folder = home() / "scratch" / f"{purpose}-{_host_mark()}-{owner_mark()}-{secrets.token_hex(4)}"
    folder.mkdir(parents=True, mode=0o700)
    try:
        yield folder
    finally:
        remove_tree(folder)


@lru_cache(maxsize=8)
def sweep_scratch(of_home: str) -> None:
    """Remove what processes of this host that no longer live left under scratch; once per process and home.

    A home may be shared by the nodes of a cluster, and only a process's own host knows whether it lives.
    """
    with suppress(FileNotFoundError):
        for folder in sorted(Path(of_home, "scratch").iterdir()):
            _, *host, owner, _ = folder.name.split("-")
            if host in ([], [_host_mark()]) and owner != owner_mark(int(owner.split("_")[0])):
                remove_tree(folder)


def _host_mark() -> str:
    """This host, in few letters: a socket's path below scratch must stay within a hundred."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:6]


def remove_tree(folder: Path) -> None:
    """Remove a folder even where the code that ran in it took away permissions or dug deeper than Python recurses."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwX", "--", str(folder)], ["rm", "-rf", "--", str(folder)]):
            subprocess.run(command, capture_output=True, check=False)


def write_whole(path: Path, content: str) -> None:
    """A file that is there whole or not at all."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)


def owner_mark(pid: int | None = None) -> str:
    """A process (ours by default), told apart from a later one that was given the same number."""
    pid = os.getpid() if pid is None else pid
    try:
        started = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        started = "gone" if pid != os.getpid() else "here"
    return f"{pid}_{started}"
