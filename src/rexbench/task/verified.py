"""How far a task has been verified: written by `rexbench task check --record`, void once anything that it stands for changes."""

import json
from pathlib import Path

from rexbench.digest import digest_value
from rexbench.task.canary import CANARY
from rexbench.task.folder import Task

_FILE = Path("authoring", "verified.json")


def patches_digest(task: Task) -> str:
    """Stands for all patches of the vault."""
    return digest_value(
        {name: digest_value(content.hex()) for name, content in task.vault.files.items() if name.endswith(".patch")}
    )


def state_digest(task: Task, patches: str | None = None) -> str:
    """Stands for all that a check's result depends on: codebase, data, judge, tolerances and the vault's patches.

    Whoever knows the digest of the patches can give it, and spares the opening of the vault.
    """
    calibration = task.spec.calibration.model_dump() if task.spec.calibration else None
    return digest_value(
        {
            "task": task.digest,
            "patches": patches or patches_digest(task),
            "calibration": calibration,
            "held_out": task.spec.held_out,
        }
    )


def verified_variants(task: Task, patches: str | None = None) -> int:
    """Variants on which every patch of the task came out as it must; 0 where that is not known of this state."""
    try:
        told = json.loads((task.folder / _FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return 0
    return int(told["variants"]) if told.get("state") == state_digest(task, patches) else 0


def record_verified(task: Task, variants: int) -> None:
    """Put a passed check on record, unless the same state was verified on more variants before."""
    if variants > verified_variants(task):
        path = task.folder / _FILE
        path.parent.mkdir(exist_ok=True)
        content = {"canary": CANARY, "state": state_digest(task), "variants": variants}
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
