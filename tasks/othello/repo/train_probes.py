# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train one linear probe per layer and write its predictions on the test games.

    python train_probes.py --out results/black_white
"""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from othello.activations import activations
from othello.config import load_config
from othello.games import load_games
from othello.labels import CLASSES, labels_for
from othello.probe import LinearProbe
from othello.report import accuracy


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, default=Path("configs/probe.yaml"))
    parser.add_argument("--out", type=Path, required=True, help="folder for predictions and run.json")
    parser.add_argument("--seed", type=int, default=0, help="initial weights and order of the training positions")
    parser.add_argument("--layers", type=int, nargs="*", help="layers to probe; all of them if not given")
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    torch.set_num_threads(1)
    config = load_config(args.config)
    args.out.mkdir(parents=True, exist_ok=True)

    began = time.time()
    train, test = load_games(Path(config.train_games)), load_games(Path(config.test_games))
    train_labels, test_labels = labels_for(train), labels_for(test)
    checkpoint = Path(config.checkpoint)
    train_stream, test_stream = activations(checkpoint, train), activations(checkpoint, test)
    print(f"{len(train)} + {len(test)} games, {len(train_labels)} + {len(test_labels)} positions, {time.time() - began:.1f} s", flush=True)

    layers = range(len(train_stream)) if args.layers is None else args.layers
    for layer in layers:
        probe = LinearProbe(train_stream[layer], config, seed=1000 * args.seed + layer)
        loss = probe.fit(train_labels)
        predicted = probe.predict(test_stream[layer])
        np.save(args.out / f"layer_{layer}.npy", predicted)
        print(f"layer {layer}: train loss {loss:.4f}, test accuracy {accuracy(predicted, test_labels):.4f}, {time.time() - began:.1f} s", flush=True)

    run = {"config": asdict(config), "seed": args.seed, "classes": CLASSES, "layers": list(layers)}
    (args.out / "run.json").write_text(json.dumps(run, indent=1) + "\n")


if __name__ == "__main__":
    main()
