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
from evaluate import world_scores  # noqa: E402
from evolve.campaign import Settings, run_campaign  # noqa: E402
from evolve.worlds import load_worlds  # noqa: E402
from plates import connect  # noqa: E402


def figure(settings: Settings, data: Path, truth: Path) -> float:
    """The figure on the worlds of a folder."""
    lab, nominated = connect(data, truth), {}
    for at, world in enumerate(load_worlds(data)):
        nominated[world.name] = run_campaign(world, lab, settings, np.random.default_rng([0, at]))
    scores = world_scores(nominated, data, truth)
    return float(np.mean([np.mean(list(worlds.values())) for worlds in scores.values()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=101)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    tried = []
    for _ in range(20):
        settings = Settings(
            penalty=float(10 ** rng.uniform(-2, 2)),
            first_mutations=int(rng.integers(1, 6)),
            steps=int(rng.integers(1, 9)),
            brightness=float(10 ** rng.uniform(0, 1)),
            stress=float(rng.uniform(0.2, 1.0)),
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
