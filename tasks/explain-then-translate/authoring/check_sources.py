# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Check that generated sources have the complexity that the generator aimed at, as radon reports it for the entry point.

    python authoring/check_sources.py SEED [SEED ...]

Needs radon. Also checks that parsable sources compile, that broken ones do not parse, and that ids and shapes are as promised.
"""

import importlib.util
import random
import sys
from collections import Counter
from pathlib import Path

from radon.visitors import ComplexityVisitor

spec = importlib.util.spec_from_file_location("variant", Path(__file__).parents[1] / "variant.py")
variant = importlib.util.module_from_spec(spec)
sys.modules["variant"] = variant
spec.loader.exec_module(variant)


def reported(source: str, entry_point: str) -> int:
    visitor = ComplexityVisitor.from_code(source)
    *owners, name = entry_point.split(".")
    functions, classes = visitor.functions, visitor.classes
    for owner in owners:
        found = [c for c in classes if c.name == owner][-1]
        functions, classes = found.methods, found.inner_classes
    return [f for f in functions if f.name == name][-1].complexity


for seed in map(int, sys.argv[1:]):
    problems = variant._problems(random.Random(f"explain-then-translate/{seed}/0"))
    broken, garbled, wrong, sizes = 0, 0, [], []
    for p in problems:
        try:
            compile(p.source, p.problem_id, "exec")
        except ValueError:
            broken, garbled = broken + 1, garbled + 1
            continue
        except SyntaxError:
            broken += 1
            continue
        sizes.append(p.source.count("\n"))
        if reported(p.source, p.entry_point) != p.complexity:
            wrong.append((p.problem_id, p.complexity, reported(p.source, p.entry_point)))
    sizes.sort()
    print(seed, "problems", len(problems), "broken", broken, "wrong", wrong, "lines", sizes[0], sizes[len(sizes) // 2], sizes[-1])
    assert (
        broken == variant.UNPARSABLE
        and garbled == variant.NO_TEXT
        and not wrong
        and len({p.problem_id for p in problems}) == len(problems)
    )
    assert Counter(p.complexity for p in problems) >= Counter(variant.COMPLEXITIES)
