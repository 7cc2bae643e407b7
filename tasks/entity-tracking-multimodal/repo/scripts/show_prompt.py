# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print the text model's prompt for one scenario, with the answer that would be right.

    PYTHONPATH=. python scripts/show_prompt.py s003
"""

import sys
from pathlib import Path

from boxes.config import load_config
from boxes.prompts import question, worked
from boxes.scenarios import load_scenarios
from boxes.wording import box_list


def main() -> None:
    config = load_config(Path("configs/eval.yaml"))
    scenario = next(entry for entry in load_scenarios(config.data / "scenarios.jsonl") if entry.id == sys.argv[1])
    demonstrations = load_scenarios(config.data / "demonstrations.jsonl")[: config.demonstrations]
    print("".join(worked(entry) for entry in demonstrations) + question(scenario))
    print("\nright answer:", box_list(scenario.end()))
    print("operations per box:", scenario.operation_counts())


if __name__ == "__main__":
    main()
