"""Looking for a text in all that runs hold, file by file; nothing is indexed, so nothing can be out of date."""

import json
from collections.abc import Iterator
from contextlib import suppress

from rexbench.untrusted import MAX_BYTES, NotTaken, open_inside
from rexbench.viewer.listing import Listing


def runs_that_hold(listing: Listing, text: str) -> Iterator[str]:
    """Names of the runs whose patch, trajectory or logs hold this text, in whatever case; gold's are not looked at."""
    plain = text.strip().lower()
    wanted = {plain.encode(), json.dumps(plain, ensure_ascii=False)[1:-1].encode()}  # a trajectory is JSON
    gold = {spec.name for spec in listing.plan.agents if spec.agent == "gold"}
    for run in list(listing.lines) if plain else ():
        if run.split("/")[0] not in gold and any(word in content for content in _contents(listing, run) for word in wanted):
            yield run


def _contents(listing: Listing, run: str) -> Iterator[bytes]:
    folder = listing.campaign.run_folder(run)
    for pattern in ("attempt-*/patch.diff", "attempt-*/trajectory.json", "evaluation-*/*.log"):
        for path in sorted(folder.glob(pattern)):
            with (
                suppress(OSError, NotTaken),
                open_inside(listing.campaign.folder, path.relative_to(listing.campaign.folder)) as file,
            ):
                yield file.read(MAX_BYTES).decode(errors="replace").lower().encode()
