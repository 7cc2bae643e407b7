# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a search of 20 random settings of the baseline reaches: the best on the public worlds, then on fresh ones.

python authoring/hyperparameters.py --seed 101
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

TASK = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TASK), str(TASK / "repo")]

import variant  # noqa: E402
from sindy.config import Settings  # noqa: E402
from sindy.model import forecast  # noqa: E402
from sindy.skill import skill  # noqa: E402
from sindy.worlds import load_worlds  # noqa: E402


def figure(settings: Settings, data: Path, truth: Path, every: int = 1) -> float:
    """The figure on every so many worlds."""
    groups: dict[int, list[float]] = {}
    for world in list(load_worlds(data))[::every]:
        with np.load(truth / f"{world.name}.npz") as file:
            value = skill(forecast(world, settings), file["x"], float(file["floor"]))
            groups.setdefault(int(file["stratum"]), []).append(value)
    return float(np.mean([np.mean(values) for values in groups.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--every", type=int, default=1, help="search on every so many public worlds")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    tried = []
    for _ in range(20):
        settings = Settings(
            degree=int(rng.choice([1, 2, 3, 4])),
            frequencies=() if rng.random() < 0.7 else (1.0,),
            form=str(rng.choice(["strong", "weak"])),
            derivative=str(rng.choice(["finite_difference", "spline"])),
            width=float(rng.choice([0.5, 1.0, 1.5, 2.5])),
            thresholds=(float(np.exp(rng.uniform(np.log(0.01), np.log(0.5)))),),
            ridge=float(rng.choice([0.0, 0.01, 0.1, 1.0])),
            models=int(rng.choice([1, 1, 20])),
            step=0.05,
        )
        tried.append((figure(settings, TASK / "repo/data", TASK / "repo/truth", arguments.every), settings))
        print(f"{tried[-1][0]:.4f} {settings}", flush=True)
    best = max(tried, key=lambda entry: entry[0])[1]
    with tempfile.TemporaryDirectory() as name:
        data, truth = Path(name) / "data", Path(name) / "truth"
        data.mkdir()
        truth.mkdir()
        variant.make(arguments.seed, data, truth)
        print(f"fresh worlds: baseline {figure(Settings(), data, truth):.4f}, best of 20 {figure(best, data, truth):.4f}")


if __name__ == "__main__":
    main()
