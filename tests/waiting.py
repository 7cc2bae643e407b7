"""Waiting for something that another thread or process does."""

import time
from collections.abc import Callable


def wait_until(happened: Callable[[], object], seconds: float = 120.0) -> None:
    """Returns once it has; how long that takes says nothing, that it never does is an error."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)
