# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Responses that need not be generated again. See docs/generation.md for what makes two requests the same."""

import hashlib
import json
from pathlib import Path

from lectern.tasks import Task


class ResponseCache:
    """One JSON file in a folder; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.path = None if folder is None else folder / "responses.json"
        self.kept: dict[str, str] = {}
        if self.path is not None and self.path.is_file():
            self.kept = json.loads(self.path.read_text(encoding="utf-8"))

    def save(self) -> None:
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.kept), encoding="utf-8")


def request_key(model: Path, task: Task, doc_id: str) -> str:
    weights = hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest()
    data = hashlib.sha256(Path(task.data).read_bytes()).hexdigest()
    settings = f"{task.generation.max_new_tokens}/{task.generation.stop}"
    return "/".join((weights[:16], data[:16], settings, doc_id))
