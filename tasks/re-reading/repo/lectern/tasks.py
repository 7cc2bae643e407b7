# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Task files: one YAML file per task or group of tasks, found by the name inside it. See docs/tasks.md."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

TASKS = Path("tasks")


@dataclass(frozen=True)
class Generation:
    max_new_tokens: int = 16
    stop: str | None = None
    batch_size: int = 32


@dataclass(frozen=True)
class Task:
    task: str
    data: str
    doc_to_text: str
    doc_to_target: str
    description: str = ""
    description_role: str = "user"
    answer_format: str = ""
    cue: str = "A:"
    num_fewshot: int = 0
    fewshot_data: str = ""
    generation: Generation = field(default_factory=Generation)
    filter: str = "strip"
    metric: str = "exact_match"

    def docs(self) -> list[dict[str, Any]]:
        lines = Path(self.data).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]

    def text(self, doc: dict[str, Any]) -> str:
        return self.doc_to_text.format(**doc, answer_format=self.answer_format)

    def target(self, doc: dict[str, Any]) -> str:
        return self.doc_to_target.format(**doc)


def read_yaml(path: Path) -> dict[str, Any]:
    """A task file on top of the file that it includes, if any."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    parent = content.pop("include", None)
    if parent is not None:
        content = read_yaml(path.parent / parent) | content
    return content


def index(folder: Path = TASKS) -> dict[str, dict[str, Any]]:
    """Every task and group by name; files that start with an underscore are only there to be included."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.name.startswith("_"):
            continue
        content = read_yaml(path)
        name = content.get("task") or content.get("group")
        if name is None:
            raise ValueError(f"{path}: neither a task nor a group")
        if name in found:
            raise ValueError(f"{path}: the name {name!r} is taken")
        found[name] = content
    return found


def load_tasks(name: str, folder: Path = TASKS) -> list[Task]:
    """The task of this name, or the tasks of the group of this name."""
    known = index(folder)
    if name not in known:
        raise KeyError(f"no task or group {name!r}; there are {', '.join(known)}")
    content = known[name]
    if "group" in content:
        return [task for member in content["tasks"] for task in load_tasks(member, folder)]
    return [Task(**content | {"generation": Generation(**content.get("generation", {}))})]
