# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print what is recorded of one world, the equation that the baseline finds, and how well that equation follows the recorded runs."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sindy.config import load_settings
from sindy.model import identify
from sindy.simulation import runge_kutta
from sindy.worlds import load_world


def sketch(t: np.ndarray, x: np.ndarray, width: int = 100, height: int = 12) -> str:
    """A plot in characters: the first channel as o, the second as +."""
    low, high = float(x.min()), float(x.max())
    rows = [[" "] * width for _ in range(height)]
    for channel, mark in enumerate("o+"):
        for time, value in zip(t, x[:, channel], strict=True):
            column = min(int(time / t[-1] * (width - 1)), width - 1)
            row = min(int((high - value) / (high - low + 1e-12) * (height - 1)), height - 1)
            rows[row][column] = mark
    return "\n".join("".join(row) for row in rows) + f"\n{low:.2f} to {high:.2f}, time 0 to {t[-1]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--run", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    arguments = parser.parse_args()
    world = load_world(arguments.data / f"world_{arguments.number:02d}.npz")
    settings = load_settings(arguments.config)
    print(f"{world.name}: {world.quantities}, {len(world.t)} runs of {world.t.shape[1]} samples, settings {np.round(world.condition, 2)}")
    print(f"new runs up to time {world.new_t[-1]:g} from {np.round(world.new_start, 2).tolist()}, settings {np.round(world.new_condition, 2)}")
    print(sketch(world.t[arguments.run], world.x[arguments.run]))
    equation = identify(world, settings)
    print(equation)
    bound = 3 * float(np.abs(world.x).max())
    for run, (t, x) in enumerate(zip(world.t, world.x, strict=True)):
        path = runge_kutta(equation, x[:1], t, settings.step, bound)[0]
        error = np.sqrt(np.mean(((path - x) / world.x.std((0, 1))) ** 2))
        print(f"run {run}: error {error:.3f} standard deviations")


if __name__ == "__main__":
    main()
