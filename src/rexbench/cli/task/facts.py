"""What is told of a task in lists."""

from pathlib import Path

from rexbench.task.folder import Task
from rexbench.task.verified import verified_variants
from rexbench.workspace.patch import summarise


def facts(task: Task) -> dict[str, object]:
    """Identity, paper, and the size and time of gold."""
    paper, calibration = task.spec.paper, task.spec.calibration
    gold = summarise(task.vault.gold, Path("/"))
    return {
        "id": task.id,
        "title": task.spec.title,
        "kind": task.spec.kind,
        "area": task.spec.area,
        "paper": f"{paper.authors.split(' and ')[0].split(',')[0]} {paper.year}",
        "environment": task.spec.environment,
        "gold_seconds": calibration.gold_seconds if calibration else None,
        "gold_lines": gold.lines_changed,
        "gold_files": len(gold.files),
        "verified_variants": verified_variants(task),
    }
