# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From a task and a document to the text that the model reads."""

from typing import Any

from lectern.fewshot import examples
from lectern.tasks import Task

ROLES = ("system", "user")


def plain(task: Task, doc: dict[str, Any]) -> str:
    """Description, worked examples if any, the document and the cue, one under the other."""
    parts = [task.description] if task.description else []
    parts += [f"{text}\n{task.cue} {target}" for text, target in examples(task)]
    parts.append(f"{task.text(doc)}\n{task.cue}")
    return "\n\n".join(parts)


def chat(task: Task, doc: dict[str, Any], turns: dict[str, str]) -> str:
    """The same content as turns of a conversation; the cue opens the model's own turn."""
    if task.description_role not in ROLES:
        raise ValueError(f"{task.task}: description_role must be one of {', '.join(ROLES)}")
    spoken: list[tuple[str, str]] = []
    opening = ""
    if task.description and task.description_role == "system":
        spoken.append(("system", task.description))
    elif task.description:
        opening = task.description + "\n\n"
    for text, target in examples(task):
        spoken += [("user", opening + text), ("assistant", f"{task.cue} {target}{turns['close']}")]
        opening = ""
    spoken += [("user", opening + task.text(doc)), ("assistant", task.cue)]
    return "\n".join(turns[role].format(text=text) for role, text in spoken)
