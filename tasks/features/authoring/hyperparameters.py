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
from extract import extract  # noqa: E402
from sae.config import Settings  # noqa: E402
from sae.recovery import scores  # noqa: E402
from sae.worlds import load_worlds  # noqa: E402


def figure(settings: Settings, data: Path, truth: Path) -> float:
    """The figure on the worlds of a folder."""
    strata: dict[int, list[float]] = {}
    for world in load_worlds(data):
        codes, groups = extract(world, settings)
        with np.load(truth / f"{world.name}.npz") as file:
            each = scores(codes, groups, file["codes"].astype(np.float64), file["groups"], file["floor"])
            strata.setdefault(int(file["stratum"]), []).append(float(each.mean()))
    return float(np.mean([np.mean(values) for values in strata.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=101)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    tried = []
    for _ in range(20):
        settings = Settings(
            latents=int(rng.integers(20, 41)),
            steps=int(rng.choice([700, 1500, 3000])),
            batch=int(rng.choice([64, 128, 256])),
            rate=float(np.exp(rng.uniform(np.log(0.002), np.log(0.03)))),
            penalty=float(np.exp(rng.uniform(np.log(0.01), np.log(0.3)))),
            active=int(rng.choice([0, 0, 2, 3, 4, 6])),
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
