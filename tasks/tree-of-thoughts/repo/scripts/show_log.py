# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print the teacher's records of one puzzle: python scripts/show_log.py 907"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tot.config import load_config  # noqa: E402
from tot.logs import read_log  # noqa: E402
from tot.thoughts import read_completion  # noqa: E402


def looks_right(answer: str, numbers: str) -> bool:
    """Good enough for a glance: comes to 24 and uses no number that the puzzle does not have."""
    made = answer.split("=")[0]
    used = re.findall(r"\d+", made)
    try:
        return set(used) <= set(numbers.split()) and abs(eval(made) - 24) < 1e-6
    except (SyntaxError, ZeroDivisionError, NameError):
        return False


for record in read_log(load_config(Path("configs/game24.yaml")).teacher_log):
    if record["idx"] == int(sys.argv[1]):
        print(f"--- {record['input']} ({record['status']})")
        for step in record["steps"]:
            thoughts = [thought for call in step["calls"] for thought in read_completion(call["completion"])]
            for thought, votes in zip(thoughts, step["votes"], strict=True):
                print(f"  step {step['step']}: {thought.line():45} {' '.join(votes)}")
            print(f"  kept: {[lines.splitlines()[-1] for lines in step['selected']]}")
        for output in record.get("outputs", ()):
            mark = "?" if looks_right(output["answer"], record["input"]) else " "
            print(f"  {mark} {output['answer']:40} {' '.join(output['votes'])}")
