# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a search of 20 settings of the baseline reaches: the best on the public worlds, then on fresh ones.

python authoring/hyperparameters.py --seed 101
"""

import argparse
import itertools
import sys
import tempfile
from pathlib import Path

import numpy as np

TASK = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TASK), str(TASK / "repo")]

import variant  # noqa: E402
from sound.config import Settings  # noqa: E402
from sound.localise import positions  # noqa: E402
from sound.skill import event_skill  # noqa: E402
from sound.worlds import load_world  # noqa: E402

WEIGHTINGS = ("none", "roth", "scot", "phat")
TRIED = (
    *itertools.product(("delays",), WEIGHTINGS, (0.5, 0.25)),
    *itertools.product(("response",), WEIGHTINGS, (0.4, 0.2)),
    *itertools.product(("subspace",), ("phat",), (1.0, 0.7, 0.5, 0.35)),
)


def figure(settings: Settings, data: Path, truth: Path) -> float:
    """The figure on the worlds of a folder."""
    strata: dict[int, list[float]] = {}
    for path in sorted(data.glob("world_*.npz")):
        placed = positions(load_world(path), settings)
        with np.load(truth / path.name) as file:
            events = zip(placed, file["positions"], file["floors"], strict=True)
            strata.setdefault(int(file["stratum"]), []).append(float(np.mean([event_skill(*event) for event in events])))
    return float(np.mean([np.mean(values) for values in strata.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=101)
    arguments = parser.parse_args()
    tried = []
    for settings in (Settings(*values) for values in TRIED):
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
