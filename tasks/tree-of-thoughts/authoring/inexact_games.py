# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Games of 24 with a right answer that double precision does not bring to 24, printed as the list in variant.py.

    python authoring/inexact_games.py

About a minute. Only games of the difficulty that variant.py admits are listed.
"""

import importlib.util
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from pathlib import Path

spec = importlib.util.spec_from_file_location("variant", Path(__file__).parents[1] / "variant.py")
variant = importlib.util.module_from_spec(spec)
sys.modules["variant"] = variant
spec.loader.exec_module(variant)


def ends(numbers: list[float]) -> Iterator[float]:
    if len(numbers) == 1:
        yield numbers[0]
        return
    for i, j in combinations(range(len(numbers)), 2):
        a, b = numbers[i], numbers[j]
        rest = [n for at, n in enumerate(numbers) if at not in (i, j)]
        for result in (a + b, a - b, b - a, a * b, a / b if b else None, b / a if a else None):
            if result is not None:
                yield from ends([*rest, result])


found = []
for numbers in combinations_with_replacement(range(1, variant.LARGEST + 1), 4):
    if variant.admitted(tuple(map(Fraction, numbers))) and any(
        0 < abs(value - 24) < 1e-9 for value in ends(list(map(float, numbers)))
    ):
        found.append(" ".join(map(str, numbers)))
print(f"{len(found)} games")
print(", ".join(found))
