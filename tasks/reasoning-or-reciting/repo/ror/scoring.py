# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Right or wrong, and what that comes to."""

from collections import defaultdict

from ror.numerals import to_value
from ror.prompts import Template


def is_correct(template: Template, output: str, expected: int, base: int) -> bool:
    """An output that is cut off or is no numeral of the base is wrong."""
    numeral = template.numeral(output)
    return numeral is not None and to_value(numeral, base) == expected


def accuracy(rows: list[dict]) -> float:
    """Share of right rows."""
    return sum(row["correct"] for row in rows) / len(rows)


def check_rate(rows: list[dict]) -> float:
    """Share of comprehension checks that are passed: both numbers of a prefix have to be right."""
    passed: dict[str, bool] = defaultdict(lambda: True)
    for row in rows:
        passed[row["id"].split("/")[0]] &= row["correct"]
    return sum(passed.values()) / len(passed)
