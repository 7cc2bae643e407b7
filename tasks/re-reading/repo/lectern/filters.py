# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From a response to the answer that is scored, and the scoring."""

import re

from lectern.registry import FILTERS, METRICS


@FILTERS.register("first_number")
def first_number(response: str) -> str | None:
    found = re.search(r"\d+", response)
    return found.group() if found else None


@FILTERS.register("last_number")
def last_number(response: str) -> str | None:
    found = re.findall(r"\d+", response)
    return found[-1] if found else None


@FILTERS.register("stated_answer")
def stated_answer(response: str) -> str | None:
    """The number after the last "The answer is"; nothing if the response never states one."""
    found = re.findall(r"The answer is (\d+)", response)
    return found[-1] if found else None


@FILTERS.register("strip")
def strip(response: str) -> str | None:
    return response.strip() or None


@METRICS.register("exact_match")
def exact_match(prediction: str | None, target: str) -> bool:
    return prediction == target


@METRICS.register("within_one")
def within_one(prediction: str | None, target: str) -> bool:
    return prediction is not None and prediction.isdigit() and abs(int(prediction) - int(target)) <= 1
