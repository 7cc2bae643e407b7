"""A failure gets a name that people can count."""

import pytest

from rexbench.evaluation.failure import name_failure
from rexbench.sandbox.protocol import Finished, Limit

TRACEBACK = b"""Traceback (most recent call last):
  File "/workspace/run.py", line 3, in main
    load()
  File "/workspace/lab/loading.py", line 12, in load
    open("x")
  File "/usr/lib/python3.11/codecs.py", line 1, in read
    pass
FileNotFoundError: [Errno 2] No such file or directory: 'x'
"""


def finished(stderr: bytes = b"", status: int | None = 1, stopped_by: Limit | None = None) -> Finished:
    return Finished(status, stopped_by, 1.0, 1.0, 1, b"", stderr, {})


def test_the_exception_and_the_last_frame_in_the_tree_are_found() -> None:
    failure = name_failure(finished(TRACEBACK), "run.py", True)
    assert (failure.exception, failure.frame) == ("FileNotFoundError", "lab/loading.py:12 in load")


def test_the_last_of_two_chained_exceptions_counts() -> None:
    chained = (
        TRACEBACK
        + b"\nDuring handling of the above exception, another exception occurred:\n\n"
        + TRACEBACK.replace(b"FileNotFoundError", b"lab.errors.ConfigError")
    )
    assert name_failure(finished(chained), "run.py", True).exception == "ConfigError"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (finished(stopped_by="memory", status=None), "MemoryLimit"),
        (finished(b"bash: x: command not found", 127), "CommandNotFound"),
        (finished(b"", 137), "Signal"),
        (finished(b"no luck", 4), "NonZeroExit"),
        (finished(b'  File "/workspace/a.py", line 2\n    x = = 1\nSyntaxError: invalid syntax', 1), "SyntaxError"),
    ],
)
def test_other_endings_are_named_too(given: Finished, name: str) -> None:
    assert name_failure(given, "run.py", True).exception == name


def test_a_missing_entry_is_its_own_class() -> None:
    assert name_failure(finished(b"bash: run.sh: No such file or directory", 127), "run.sh", False).exception == "MissingEntry"
