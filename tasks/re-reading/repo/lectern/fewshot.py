# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worked examples in the prompt.

Not used by any task file at present: the shipped model was tuned without examples and answers worse with them.
"""

import json
from pathlib import Path

from lectern.tasks import Task


def examples(task: Task) -> list[tuple[str, str]]:
    """The first `num_fewshot` documents of the task's example file, as text and target."""
    if task.num_fewshot == 0:
        return []
    lines = Path(task.fewshot_data).read_text(encoding="utf-8").splitlines()
    docs = [json.loads(line) for line in lines[: task.num_fewshot]]
    if len(docs) < task.num_fewshot:
        raise ValueError(f"{task.fewshot_data} holds {len(docs)} documents, {task.num_fewshot} are asked for")
    return [(task.text(doc), task.target(doc)) for doc in docs]
