# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Measures a signal once more, at one position: the true value with fresh noise, never with a fault."""

from pathlib import Path

import numpy as np


class Laboratory:
    """Answers {"signal": NAME, "position": N} with {"value": X}; each costs one."""

    def __init__(self, data: Path, truth: Path, budget: int) -> None:
        header, *rows = (truth / "signals.csv").read_text().splitlines()
        self._signals = dict(zip(header.split(","), np.array([row.split(",") for row in rows], dtype=float).T, strict=True))
        self._rng = np.random.default_rng(len(rows) + int(1e6 * abs(next(iter(self._signals.values()))[0])))

    def answer(self, question: dict[str, object]) -> dict[str, object]:
        signal, position = question.get("signal"), question.get("position")
        if not isinstance(signal, str) or signal not in self._signals:
            raise ValueError("signal names none of the recordings")
        if not isinstance(position, int) or isinstance(position, bool) or not 0 <= position < len(self._signals[signal]):
            raise ValueError("position is no row of the recordings")
        return {"value": float(self._signals[signal][position] + self._rng.normal(0, 0.6))}
