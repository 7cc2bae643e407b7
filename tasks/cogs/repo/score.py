#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score the predictions for some splits.

    python score.py --splits test gen --predictions results

A split whose logical forms are not at hand is passed over.
"""

import argparse
from pathlib import Path

from cogs.examples import SPLITS, read_split, with_forms
from cogs.scorer import accuracy_by_type, read_predictions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", choices=SPLITS, nargs="+", required=True)
    parser.add_argument("--predictions", type=Path, required=True, help="folder that decode.py wrote to")
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    args = parser.parse_args()
    for split in args.splits:
        predictions = read_predictions(args.predictions / f"{split}_predictions.tsv")
        examples = with_forms(read_split(args.data, split), args.truth, split)
        if examples is None:
            print(f"{split}: not scored, there is no {args.truth / split}.tsv")
            continue
        table = accuracy_by_type(examples, predictions)
        print(f"{split}: exact match {table.pop('all'):.1f}")
        if len(table) > 1:
            for kind, accuracy in table.items():
                print(f"  {kind:20s} {accuracy:5.1f}")


if __name__ == "__main__":
    main()
