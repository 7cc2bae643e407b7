"""`CLAIM.json`: what an agent says of its own work. Read from the patched tree, then taken away: nothing else ever sees it."""

import math
import os
from pathlib import Path
from typing import Any

from rexbench.evaluation.reading import BrokenContract, read_json
from rexbench.places import remove_tree
from rexbench.record.model import Claim
from rexbench.text import printable

CLAIM = "CLAIM.json"


def take_claim(tree: Path) -> tuple[Claim | None, int]:
    """The claim in a tree, which is without it afterwards, and how many lines it had; None where there is none."""
    path = tree / CLAIM
    if not os.path.lexists(path):
        return None, 0
    lines = sum(_lines(each) for each in (path.rglob("*") if path.is_dir() else [path]))
    try:
        return _read(read_json(path)), lines
    except BrokenContract as error:
        return Claim(defect=printable(str(error))[:200]), lines
    finally:
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        else:
            path.unlink()


def _lines(path: Path) -> int:
    """As git counts them: none of a file that is no text."""
    if path.is_symlink() or not path.is_file():
        return 0
    content = path.read_bytes()
    return 0 if b"\0" in content[:8000] else content.count(b"\n") + (not content.endswith(b"\n") and content != b"")


def _read(told: Any) -> Claim:
    if not isinstance(told, dict):
        raise BrokenContract(f"{CLAIM} is not a JSON object")
    success, figure = told.get("success"), told.get("figure")
    if success is not None and not (_number(success) and 0 <= success <= 1):
        raise BrokenContract(f"{CLAIM}: success is not a probability")
    if figure is not None:
        if not (isinstance(figure, list) and len(figure) == 2 and all(map(_number, figure)) and figure[0] <= figure[1]):
            raise BrokenContract(f"{CLAIM}: figure is not an interval [low, high]")
        figure = (float(figure[0]), float(figure[1]))
    return Claim(success=None if success is None else float(success), figure=figure)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
