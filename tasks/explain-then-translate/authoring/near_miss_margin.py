# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How many problems the milder near misses get wrong, over many variants: smallest and mean number of wrong choices.

python authoring/near_miss_margin.py FIRST_SEED COUNT
"""

import importlib.util
import random
import sys
from collections import defaultdict
from pathlib import Path

from radon.complexity import add_inner_blocks
from radon.visitors import ComplexityVisitor

spec = importlib.util.spec_from_file_location("variant", Path(__file__).parents[1] / "variant.py")
variant = importlib.util.module_from_spec(spec)
sys.modules["variant"] = variant
spec.loader.exec_module(variant)


def with_closures(block) -> int:
    return block.complexity + sum(with_closures(c) - 1 for c in block.closures)


def readings(source: str, entry_point: str) -> dict[str, int]:
    visitor = ComplexityVisitor.from_code(source)
    *owners, name = entry_point.split(".")
    functions, classes, owner_block = visitor.functions, visitor.classes, None
    for owner in owners:
        owner_block = [c for c in classes if c.name == owner][-1]
        functions, classes = owner_block.methods, owner_block.inner_classes
    own = [f for f in functions if f.name == name]
    namesakes = [b for b in add_inner_blocks(visitor.blocks) if b.name == name]
    return {
        "gold": own[-1].complexity,
        "first_definition": own[0].complexity,
        "closures_added": with_closures(own[-1]),
        "bare_name": max(namesakes, key=lambda b: b.lineno).complexity,
        "class_complexity": owner_block.complexity if owner_block else own[-1].complexity,
        "strict_greater": own[-1].complexity - 1,
    }


wrong = defaultdict(list)
for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
    totals = defaultdict(int)
    for problem in variant._problems(random.Random(f"explain-then-translate/{seed}/0")):
        try:
            found = readings(problem.source, problem.entry_point)
        except (SyntaxError, ValueError):
            continue
        assert found["gold"] == problem.complexity
        for name, value in found.items():
            totals[name] += (value >= 6) != (found["gold"] >= 6)
    for name, value in totals.items():
        wrong[name].append(value)
for name, values in wrong.items():
    print(f"{name}: wrong choices per variant, smallest {min(values)}, mean {sum(values) / len(values):.1f}")
