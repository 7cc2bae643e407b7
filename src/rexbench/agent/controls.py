"""The two controls: what a right solution and no solution at all look like to everything downstream."""

from rexbench.task.folder import Task

CONTROLS = ("gold", "nop")


def control_patch(name: str, task: Task) -> bytes:
    """The patch that a control hands in."""
    return task.vault.gold if name == "gold" else b""
