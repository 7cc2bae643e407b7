"""Where rexbench keeps things, files written whole, and folders that clean up after a killed program.

    <home>/environments/     interpreters, keyed by digest
    <home>/agents/           the agents' programs
    <home>/variants/         data made from seeds
    <home>/executions/, evaluations/    the records
    <home>/plans/            work that is under way
    <home>/inspect/          what agents left in evaluations of Inspect
    <home>/service/          archives that were handed in, their verdicts, and the service's database
    <home>/secret            from which held-out seeds are drawn
    <home>/scratch/          work in flight; swept of what dead processes left

A `Home` is made once, at the edge, and handed down. Nobody else on the machine may look into it.
"""

import hashlib
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock

from rexbench.errors import RexbenchError, SystemFault

_SECRET_BYTES = 32


class Home:
    """The folder of everything that rexbench keeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._swept = False

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def make(self, *names: str) -> Path:
        """A folder below the home, there and private to its owner when this returns."""
        try:
            if not self.folder.is_dir():
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = self.folder.joinpath(*names)
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SystemFault(
                f"{error.filename or self.folder} cannot be made ({error.strerror}); REXBENCH_HOME names another home."
            ) from error
        return folder

    def lock(self, name: str) -> FileLock:
        """A lock that processes of all machines that share the home respect."""
        return FileLock(self.make("locks") / f"{name}.lock")

    def secret(self) -> bytes:
        """This home's secret, made on first use and readable by its owner alone."""
        path = self.make() / "secret"
        if not path.exists():
            draft = path.with_suffix(f".{os.getpid()}")
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_hex(_SECRET_BYTES))
            with suppress(FileExistsError):  # another process may have made one first: then that one counts
                os.link(draft, path)
            draft.unlink()
        try:
            found = bytes.fromhex(path.read_text())
        except (OSError, ValueError) as error:
            raise RexbenchError(f"{path} cannot be read as a secret; remove it, and a new one is made.") from error
        if len(found) < _SECRET_BYTES:
            raise RexbenchError(
                f"{path} holds {len(found)} bytes where a secret has {_SECRET_BYTES}; remove it, and a new one is made."
            )
        return found

    @contextmanager
    def scratch(self, purpose: str) -> Iterator[Path]:
        """A private folder on the same file system as the records, removed at the end; a killed owner's is swept later."""
        self.sweep()
        folder = self.make("scratch") / f"{purpose}-{_host_mark()}-{owner_mark()}-{secrets.token_hex(4)}"
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            remove_tree(folder)

    def sweep(self) -> None:
        """Remove what processes of this host that no longer live left under scratch; once in a home's life.

        A home may be shared by the nodes of a cluster, and only a process's own host knows whether it lives.
        """
        if self._swept:
            return
        self._swept = True
        with suppress(FileNotFoundError):
            for folder in sorted((self.folder / "scratch").iterdir()):
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


def flush_folder(folder: Path) -> None:
    """What was put into a folder is on disk for good when this returns."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def owner_mark(pid: int | None = None) -> str:
    """A process (ours by default), told apart from a later one that was given the same number."""
    pid = os.getpid() if pid is None else pid
    try:
        started = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        started = "gone" if pid != os.getpid() else "here"
    return f"{pid}_{started}"
