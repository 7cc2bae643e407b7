# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print the prompts of one query or check: python scripts/show_prompt.py 9 q9-007"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ror import items
from ror.prompts import NEXT, SUM

base, wanted = int(sys.argv[1]), sys.argv[2]
for query in items.load_queries(Path("data"), base):
    if query.id == wanted:
        print(SUM.prompt(base, SUM.question(left=query.left, right=query.right)))
for check in items.load_checks(Path("data"), base):
    if check.id == wanted:
        for number in check.numbers(base).values():
            print(NEXT.prompt(base, NEXT.question(number=number)))
