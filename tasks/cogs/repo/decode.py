#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Parse splits with the trained parser of a run: one prediction per sentence, and the weights that made them.

    python decode.py --run runs/small --splits test gen --output results
"""

import argparse
from pathlib import Path

import torch

from cogs.checkpoints import load_run, write_weights
from cogs.decoding import parse, write_predictions
from cogs.examples import SPLITS, read_split


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder that train.py wrote")
    parser.add_argument("--splits", choices=SPLITS, nargs="+", required=True)
    parser.add_argument("--output", type=Path, required=True, help="folder for SPLIT_predictions.tsv and weights.npy")
    parser.add_argument("--data", type=Path, default=Path("data"))
    args = parser.parse_args()

    torch.set_num_threads(1)
    model, vocabulary = load_run(args.run)
    args.output.mkdir(parents=True, exist_ok=True)
    write_weights(model, args.output / "weights.npy")
    for split in args.splits:
        examples = read_split(args.data, split)
        write_predictions(args.output / f"{split}_predictions.tsv", examples, parse(model, vocabulary, examples))
        print(f"{len(examples)} predictions for {split} in {args.output}", flush=True)


if __name__ == "__main__":
    main()
