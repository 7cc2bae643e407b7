"""`CLAIM.json`: what an agent says of its own work. Read from the patched tree, then taken away: nothing else ever sees it."""

import json
import math
import os
from pathlib import Path
from typing import Any

from rexbench.evaluation.reading import BrokenContract, read_json
from rexbench.record.model import Claim

CLAIM = "CLAIM.json"


def take_claim(tree: Path) -> Claim | None:
    """The claim in a tree, which is without it afterwards; None where there is none."""
    path = tree / CLAIM
    if not os.path.lexists(path):
        return None
    try:
        return _read(read_json(path))
    except (BrokenContract, json.JSONDecodeError) as error:
        return Claim(defect=str(error)[:200])
    finally:
        if path.is_symlink() or path.is_file():
            path.unlink()


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
