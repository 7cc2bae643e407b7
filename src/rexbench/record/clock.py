"""The time as records write it."""

import datetime


def now() -> str:
    """Universal time to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
