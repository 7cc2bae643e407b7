# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How often do the teacher's three votes agree? Looked at once, for the choice of n = 3; not used in any result."""

import collections
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tot.logs import read_log  # noqa: E402

counts: collections.Counter[int] = collections.Counter()
for record in read_log(Path("data/teacher_log.jsonl")):
    counts.update(len(set(votes)) for votes in record["steps"][0]["votes"] if votes)
print({f"{labels} different labels": count for labels, count in sorted(counts.items())})
