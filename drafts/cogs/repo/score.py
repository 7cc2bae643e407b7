#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Score predictions against a split.

    python score.py --split gen --predictions results/gen_predictions.tsv
"""

import argparse
from pathlib import Path

from cogs.data import SPLITS, read_split
from cogs.scorer import accuracy_by_type, read_predictions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=SPLITS, required=True)
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("data"))
    args = parser.parse_args()
    table = accuracy_by_type(read_split(args.data, args.split), read_predictions(args.predictions))
    print(f"{args.split}: exact match {table.pop('all'):.1f}")
    if len(table) > 1:
        for kind, accuracy in table.items():
            print(f"  {kind:20s} {accuracy:5.1f}")


if __name__ == "__main__":
    main()
