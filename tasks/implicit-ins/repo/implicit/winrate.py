# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A deterministic judge in place of a large model: which of two responses makes more of the points of a rubric.

A sentence makes a point if it contains both words of it. A sentence that makes no new point is redundant. The judge prefers
the better response, with a length control: a response that is longer than the reference has to be better by more.
"""

import math
import re

from implicit.settings import JudgeSettings

Rubric = list[tuple[str, str]]


def sentences(text: str) -> list[list[str]]:
    cut = [re.findall(r"[a-z]+", part) for part in re.split(r"[.?!]", text.lower())]
    return [words for words in cut if words]


def quality(text: str, rubric: Rubric, settings: JudgeSettings) -> float:
    """Share of the points that are made, less a part of the share of sentences that are redundant; -1 for an empty response."""
    parts = sentences(text)
    if not parts:
        return -1.0
    made: set[tuple[str, str]] = set()
    redundant = 0
    for words in parts:
        new = {point for point in rubric if point[0] in words and point[1] in words} - made
        redundant += not new
        made |= new
    return len(made) / len(rubric) - settings.redundancy_weight * redundant / len(parts)


def preference(response: str, reference: str, rubric: Rubric, settings: JudgeSettings) -> float:
    """Probability that the response is preferred to the reference."""
    gain = quality(response, rubric, settings) - quality(reference, rubric, settings)
    words = max(1, sum(map(len, sentences(response))))
    excess = max(0.0, math.log(words / sum(map(len, sentences(reference)))))
    return 1 / (1 + math.exp(-settings.steepness * gain + settings.length_weight * excess))


def win_rate(
    responses: dict[str, str], references: dict[str, str], rubrics: dict[str, Rubric], settings: JudgeSettings
) -> float:
    """Mean preference over all instructions, in percent."""
    return 100 * sum(preference(responses[at], references[at], rubrics[at], settings) for at in rubrics) / len(rubrics)
