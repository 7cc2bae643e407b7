"""What is told of a task in lists."""

import json
from contextlib import suppress
from pathlib import Path

from rexbench.digest import digest_bytes
from rexbench.places import Home, write_whole
from rexbench.task.folder import Task
from rexbench.task.verified import patches_digest, verified_variants
from rexbench.workspace.patch import summarise


def facts(task: Task, home: Home) -> dict[str, object]:
    """Identity, paper, and the size and time of gold."""
    paper, calibration = task.spec.paper, task.spec.calibration
    kept = _of_vault(task, home)
    return {
        "id": task.id,
        "title": task.spec.title,
        "kind": task.spec.kind,
        "area": task.spec.area,
        "paper": f"{paper.authors.split(' and ')[0].split(',')[0]} {paper.year}",
        "environment": task.spec.environment,
        "gold_seconds": calibration.gold_seconds if calibration else None,
        "gold_lines": kept["lines"],
        "gold_files": kept["files"],
        "verified_variants": verified_variants(task, str(kept["patches"])),
    }


def _of_vault(task: Task, home: Home) -> dict[str, object]:
    """Figures of what is in the vault; kept in the home, since to open a sealed one takes longer than all the rest of a list."""
    sealed, is_open = task.folder / "vault.bin", (task.folder / "vault").is_dir()
    kept = home / "facts" / f"{digest_bytes(sealed.read_bytes())}.json" if sealed.is_file() and not is_open else None
    if kept is not None:
        with suppress(OSError, ValueError):
            return dict(json.loads(kept.read_text(encoding="utf-8")))
    gold = summarise(task.vault.gold, Path("/"))
    found: dict[str, object] = {"lines": gold.lines_changed, "files": len(gold.files), "patches": patches_digest(task)}
    if kept is not None:
        home.make("facts")
        write_whole(kept, json.dumps(found))
    return found
