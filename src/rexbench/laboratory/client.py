"""The client that stands in a workspace as `lab.py`."""

from pathlib import Path

from rexbench.laboratory import lab


def client_source(budget: int) -> str:
    """The text of `lab.py` for a task with this budget."""
    return Path(lab.__file__).read_text(encoding="utf-8").replace(f"\nBUDGET = {lab.BUDGET}\n", f"\nBUDGET = {budget}\n")
