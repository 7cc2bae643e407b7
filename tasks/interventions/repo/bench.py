# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The laboratory as an experimenter meets it: arms of treated units go in as a batch, readings come back.

    bench = Bench()
    control, low, both = bench.batch("world_03", [Arm(8), Arm(6, set={2: -1}), Arm(6, set={2: 2, 5: -2})])

`lab.py` carries the questions; `laboratory.py` says what may be asked and what it costs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lab import Lab, Refused

__all__ = ["ROOT", "Arm", "Bench", "Refused"]
ROOT = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Arm:
    """Units that are treated alike; without treatment, a control."""

    n: int
    set: dict[int, int] = field(default_factory=dict)
    """Variable: dose at which it is held."""
    push: dict[int, int] = field(default_factory=dict)
    """Variable: dose that is added to it."""

    def question(self) -> dict[str, object]:
        parts: dict[str, object] = {"n": self.n}
        for name, doses in (("set", self.set), ("push", self.push)):
            if doses:
                parts[name] = {str(variable): int(dose) for variable, dose in doses.items()}
        return parts

    @property
    def cost(self) -> int:
        return 4 + self.n


class Bench:
    """Sends batches. Every world has the same share of the budget."""

    def __init__(self, data: Path = ROOT / "data", truth: Path = ROOT / "truth") -> None:
        self.lab = Lab(data, truth)
        self.share = self.lab.left // max(1, len(list(Path(data).glob("world_*.npz"))))
        self._left: dict[str, int] = {}

    def left(self, world: str) -> int:
        """What may still be spent on a world."""
        return self._left.get(world, self.share)

    def batch(self, world: str, arms: Sequence[Arm]) -> list[np.ndarray]:
        """Readings (units, variables) of each arm. A batch costs 10, an arm 4 more and a unit 1 more."""
        answer = self.lab.ask({"world": world, "arms": [arm.question() for arm in arms]})
        self._left[world] = int(answer["left_for_world"])
        return [np.array(rows, dtype=float) for rows in answer["arms"]]
