#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Parse a split with the trained parser of a run and write one prediction per sentence.

    python decode.py --run runs/small --split test --output results/test_predictions.tsv
"""

import argparse
from pathlib import Path

import torch

from cogs.checkpoints import load_run
from cogs.data import SPLITS, read_split
from cogs.decoding import parse, write_predictions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder that train.py wrote")
    parser.add_argument("--split", choices=SPLITS, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("data"))
    args = parser.parse_args()

    torch.set_num_threads(1)
    model, vocabulary = load_run(args.run)
    examples = read_split(args.data, args.split)
    write_predictions(args.output, examples, parse(model, vocabulary, examples))
    print(f"{len(examples)} predictions for {args.split} in {args.output}", flush=True)


if __name__ == "__main__":
    main()
