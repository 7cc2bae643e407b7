# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a search of 20 random settings of the baselines reaches: the best on the public worlds, then on fresh ones.

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
from attribution.config import Settings  # noqa: E402
from attribution.methods import predict  # noqa: E402
from attribution.skill import skill  # noqa: E402
from attribution.worlds import load_worlds  # noqa: E402


def figure(settings: Settings, data: Path, truth: Path) -> float:
    """The figure on the worlds of a folder."""
    strata: dict[int, list[float]] = {}
    for world in load_worlds(data):
        with np.load(truth / f"{world.name}.npz") as file:
            value = skill(predict(world, settings), file["margins"], float(file["floor"]))
            strata.setdefault(int(file["stratum"]), []).append(value)
    return float(np.mean([np.mean(values) for values in strata.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=101)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    tried = []
    for _ in range(20):
        settings = Settings(
            method=str(rng.choice(["datamodel", "datamodel", "influence"])),
            strengths=tuple(np.sort(np.exp(rng.uniform(-2, 7, int(rng.integers(1, 5))))).tolist()),
            size_term=bool(rng.random() < 0.5),
            ridge=float(np.exp(rng.uniform(-1, 4))),
            calibrate=bool(rng.random() < 0.7),
        )
        tried.append((figure(settings, TASK / "repo/data", TASK / "repo/truth"), settings))
        print(f"{tried[-1][0]:.4f} {settings}", flush=True)
    best = max(tried, key=lambda entry: entry[0])[1]
    with tempfile.TemporaryDirectory() as name:
        data, truth = Path(name) / "data", Path(name) / "truth"
        data.mkdir()
        truth.mkdir()
        variant.make(arguments.seed, data, truth)
        print(f"fresh worlds: baseline {figure(Settings(), data, truth):.4f}, best {figure(best, data, truth):.4f}")


if __name__ == "__main__":
    main()
