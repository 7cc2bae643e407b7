"""An archive on its way in: counted and digested while it is read, looked through, kept, and put into the queue."""

import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException

from rexbench.places import Home
from rexbench.service.archives import Archives, Bounds, look_through
from rexbench.service.database import Database
from rexbench.service.queue import hand_in, season_for
from rexbench.service.tables import Account, Submission

_LOOKED_THROUGH_AT_ONCE = 2


class Receiver:
    """Takes archives."""

    def __init__(self, home: Home, database: Database, bounds: Bounds) -> None:
        self._home, self._database, self._bounds = home, database, bounds
        self._archives = Archives(home)
        self._under_way: set[int] = set()
        self._readers = CapacityLimiter(_LOOKED_THROUGH_AT_ONCE)

    @contextmanager
    def turn(self, account: Account) -> Iterator[None]:
        """One upload of an account at a time, and not too many of all."""
        if account.id in self._under_way:
            raise HTTPException(429, "Another upload of this account is under way; wait for it.", {"Retry-After": "1"})
        if len(self._under_way) >= self._bounds.uploads_at_once:
            raise HTTPException(503, "Too many uploads are under way; try again.", {"Retry-After": "1"})
        self._under_way.add(account.id)
        try:
            yield
        finally:
            self._under_way.discard(account.id)

    async def take(self, account: Account, chunks: AsyncIterator[bytes]) -> tuple[Submission, bool]:
        """The submission that an archive becomes; True: it is new."""
        season = await run_sync(season_for, self._database)
        with self._home.scratch("upload") as folder:
            draft, digest, size = folder / "archive.zip", hashlib.sha256(), 0
            with draft.open("wb") as file:
                async for chunk in chunks:
                    digest.update(chunk)
                    size += file.write(chunk)

            def keep() -> tuple[Submission, bool]:
                patches = look_through(draft, season, self._bounds)
                self._archives.keep(draft, digest.hexdigest())
                return hand_in(self._database, account.id, season.id, digest.hexdigest(), size, len(patches))

            return await run_sync(keep, limiter=self._readers)

    def archive(self, submission: Submission) -> Path:
        return self._archives.path(submission.digest)
