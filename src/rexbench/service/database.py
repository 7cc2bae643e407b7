"""The database: SQLite in the home, or PostgreSQL by its address. Both are brought up to date when they are opened.

A change is one transaction, and the log's entry of it is in the same one. On SQLite a change takes the write lock at its start, so
that what it has read cannot be out of date when it writes; on PostgreSQL the rows that decide are locked by whoever reads them.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from rexbench.errors import RexbenchError, SystemFault
from rexbench.places import Home
from rexbench.record.clock import now
from rexbench.service.tables import Entry
from rexbench.text import printable

_MIGRATIONS = 7391
"""The number under which whoever brings a PostgreSQL up to date keeps the others waiting."""


class Database:
    """Where the service keeps who handed in what."""

    def __init__(self, home: Home, address: str = "") -> None:
        self._engine = _engine(address or f"sqlite:///{home.make('service') / 'service.db'}")
        self._writing = self._engine.execution_options(writes=True)
        try:
            with self._writing.begin() as connection:
                _bring_up_to_date(connection)
        except OperationalError as error:
            raise SystemFault(f"The database cannot be opened: {printable(str(error.orig))}") from error

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """What is there at one moment."""
        with Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def change(self) -> Iterator["Change"]:
        """One transaction: all of what is done in it happens, or nothing."""
        with Change(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        self._engine.dispose()


class Change(Session):
    """A transaction that changes something."""

    def note(self, who: str, did: str, about: str) -> None:
        """Put into the log what is done here."""
        self.add(Entry(at=now(), who=who, did=did, about=printable(about, 1000)))


def new_lease() -> str:
    return secrets.token_hex(16)


def _engine(address: str) -> Any:
    try:
        url = make_url(address)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.drivername not in ("sqlite", "postgresql+psycopg"):
            raise RexbenchError(f"{url.drivername} is no database that is known here; there are: sqlite, postgresql.")
        engine = create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=30)
    except (ArgumentError, NoSuchModuleError) as error:
        raise RexbenchError(
            f"{printable(address, 100)!r} is no address of a database, such as postgresql://USER@HOST/NAME."
        ) from error
    if url.drivername == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, and hold definitions of tables too
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=60000"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def _bring_up_to_date(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATIONS})
    config = Config()
    config.set_main_option("script_location", "rexbench.service:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
