# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Accuracy by number of carries, from the logs of a run: python scripts/carry_accuracy.py results/zero_shot/sum_base9.jsonl 9

Was meant for the appendix. In base ten the model is at its ceiling in every group, so nothing came of it.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

path, base = Path(sys.argv[1]), int(sys.argv[2])
right, asked = Counter(), Counter()
for line in path.read_text().splitlines():
    row = json.loads(line)
    left, other = re.search(r"(\w\w)\+(\w\w)=$", row["prompt"]).groups()
    carries, carry = 0, 0
    for a, b in zip(reversed(left), reversed(other), strict=True):
        carry = int(int(a) + int(b) + carry >= base)
        carries += carry
    asked[carries] += 1
    right[carries] += row["correct"]
for carries in sorted(asked):
    print(carries, asked[carries], f"{right[carries] / asked[carries]:.3f}")
