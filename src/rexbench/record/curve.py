"""Score over time and money of one run: `curve.json` in the run's folder."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from rexbench.places import write_whole

CURVE = "curve.json"


@dataclass(frozen=True)
class Point:
    """What a run's work was worth at a moment."""

    minutes: float
    usd: float | None
    """Spent by then; None where that is not known."""
    outcome: str
    score: float | None


def read_curve(folder: Path) -> list[Point]:
    """The curve in a run's folder, the final patch last; empty where there is none."""
    path = folder / CURVE
    return [Point(**point) for point in json.loads(path.read_text(encoding="utf-8"))] if path.is_file() else []


def keep_curve(folder: Path, points: list[Point]) -> None:
    """Put a curve on record."""
    write_whole(folder / CURVE, json.dumps([asdict(point) for point in points], indent=1) + "\n")
