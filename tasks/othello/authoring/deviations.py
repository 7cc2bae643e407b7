#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How far a careless change of the training moves a layer's predictions, beside what rounding does. Figures of fidelity.md.

    ENV/bin/python tasks/othello/authoring/deviations.py --variants 1 2 3 --layers 0 4 8

Trains the mine/theirs probe of some layers as gold does and again with one thing changed, with the same random numbers, and prints for
each change the share of test positions that agree in all 36 cells. The judge asks for 99 % in each of the nine layers. Needs the vault unsealed and git.
"""

import argparse
import dataclasses
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

TASK = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--layers", type=int, nargs="+", default=[0, 4, 8])
    args = parser.parse_args()
    torch.set_num_threads(1)
    spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
    variant = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(variant)
    with tempfile.TemporaryDirectory(prefix="othello-deviations-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(TASK / "repo", tree)
        subprocess.run(["git", "apply", str(TASK / "vault" / "gold.patch")], cwd=tree, check=True)
        sys.path.insert(0, str(tree))
        for seed in args.variants:
            variant.make(seed, tree / "data")
            for layer in args.layers:
                for name, share in compare(tree, layer):
                    print(f"variant {seed} layer {layer} {name:28s} {share:.4f}", flush=True)


def compare(tree: Path, layer: int):
    from othello.activations import capture
    from othello.config import load_config
    from othello.games import load_games
    from othello.labels import board_labels
    from othello.probe import LinearProbe

    config = load_config(tree / "configs" / "probe.yaml")
    games = [load_games(tree / "data" / f"{name}_games.txt") for name in ("train", "test")]
    features, test = (capture(tree / config.checkpoint, some)[layer] for some in games)
    labels, truth = (board_labels(some, True) for some in games)

    def predict(features=features, labels=labels, double=False, **changed):
        probe = LinearProbe(features, dataclasses.replace(config, **changed), seed=layer)
        if double:
            for part in ("inputs", "weight", "bias"):
                setattr(probe, part, getattr(probe, part).double())
        probe.fit(labels)
        probe.weight, probe.bias = probe.weight.float(), probe.bias.float()
        return probe.predict(test)

    def swapped(every: int):
        """One training position in `every` replaced by a test position."""
        some = np.arange(0, len(labels), every)[: len(truth)]
        mixed, named = features.copy(), labels.copy()
        mixed[some], named[some] = test[: len(some)], truth[: len(some)]
        return predict(mixed, named)

    gold, rate = predict(), config.learning_rate
    yield "accuracy", float((gold == truth).mean())
    changes = {
        "double precision": lambda: predict(double=True),
        "rate less 1 %": lambda: predict(learning_rate=0.99 * rate),
        "rate less 5 %": lambda: predict(learning_rate=0.95 * rate),
        "rate less 15 %": lambda: predict(learning_rate=0.85 * rate),
        "five epochs of six": lambda: predict(epochs=5),
        "batch of 258 for 256": lambda: predict(batch=258),
        "one position left out": lambda: predict(features[:-1], labels[:-1]),
        "one in 1000 from test": lambda: swapped(1000),
        "one in 200 from test": lambda: swapped(200),
        "one in 50 from test": lambda: swapped(50),
    }
    for name, change in changes.items():
        yield name, float((change() == gold).all(axis=1).mean())


if __name__ == "__main__":
    main()
