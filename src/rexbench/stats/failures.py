"""How runs fail, counted."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class FailureClass:
    """One way to fail."""

    outcome: str
    exception: str
    """Empty where the outcome says it all."""
    count: int
    share: float
    """Of all failures."""


def failure_classes(outcomes: Iterable[tuple[str, str]], success: str = "success") -> list[FailureClass]:
    """Outcome and exception of each run, counted over the failures, most frequent first; equal counts by name.

    Explicit failures carry an exception or an outcome of their own; the implicit ones ran and gave a wrong result, as in the
    published analysis (arXiv 2506.22598, section 6).
    """
    counted = Counter((outcome, exception) for outcome, exception in outcomes if outcome != success)
    total = sum(counted.values())
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [FailureClass(outcome, exception, count, count / total) for (outcome, exception), count in ordered]
