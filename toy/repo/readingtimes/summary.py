# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Summaries of a group's readings."""


def mean(readings: list[float]) -> float:
    """Arithmetic mean."""
    return sum(readings) / len(readings)
