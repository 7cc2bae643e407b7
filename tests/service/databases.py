"""The databases that the service is tested on: SQLite, and a PostgreSQL of the tests' own where Debian's is installed."""

import atexit
import functools
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVER = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
DATABASES = ("sqlite", "postgresql")


@contextmanager
def fresh_database(kind: str) -> Iterator[str]:
    """The address of an empty database; empty for the one in the home."""
    if kind == "sqlite":
        yield ""
        return
    if SERVER is None:
        pytest.skip("no PostgreSQL is installed: apt-get install postgresql")
    folder = started()
    name = f"t{secrets.token_hex(6)}"
    tool(folder, "createdb", name)
    yield f"postgresql://postgres@/{name}?host={folder}"
    tool(folder, "dropdb", "--force", name)


@functools.cache
def started() -> Path:
    """The folder of the server's socket; it listens on nothing else, and is stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="rexbench-pg-"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    tool(folder, "initdb", "--pgdata", str(folder / "data"), "--username", "postgres", "--auth", "trust", "--no-sync")
    options = f"-c listen_addresses='' -k {folder} -c fsync=off -c max_connections=200"
    tool(folder, "pg_ctl", "start", "--wait", "--pgdata", str(folder / "data"), "--options", options, "--log", str(folder / "log"))
    atexit.register(_stop, folder)
    return folder


def _stop(folder: Path) -> None:
    tool(folder, "pg_ctl", "stop", "--mode", "immediate", "--pgdata", str(folder / "data"))
    shutil.rmtree(folder)


def tool(folder: Path, name: str, *arguments: str) -> None:
    """A program of PostgreSQL, run as its own user, since it refuses root."""
    assert SERVER is not None
    where = [] if name in ("initdb", "pg_ctl") else ["--host", str(folder), "--username", "postgres"]
    user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
    subprocess.run(
        [SERVER / name, *where, *arguments],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},  # no home of a test's, by which what works for it is found
        user=user.pw_uid if user else None,
        group=user.pw_gid if user else None,
        extra_groups=[] if user else None,
    )
