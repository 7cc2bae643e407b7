#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Sort the errors on a split: what is wrong with a predicted form?

    python -m scripts.errors --split gen --predictions results/gen_predictions.tsv

For each type: the share of forms with a wrong word in an otherwise right frame ("word"), with a wrong set or order of roles
("frame"), and the rest ("other": wrong length inside a noun phrase, missing determiners and so on).
"""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from cogs.examples import SPLITS, read_split, with_forms
from cogs.scorer import read_predictions

ROLES = {"agent", "theme", "goal"}


def frame(form: list[str]) -> list[str]:
    return [token for token in form if token in ROLES]


def kind_of_error(predicted: list[str], gold: list[str]) -> str:
    if predicted == gold:
        return "right"
    if frame(predicted) != frame(gold):
        return "frame"
    return "word" if len(predicted) == len(gold) else "other"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=SPLITS, required=True)
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--truth", type=Path, default=Path("truth"))
    args = parser.parse_args()
    predictions = read_predictions(args.predictions)
    table: dict[str, Counter[str]] = defaultdict(Counter)
    examples = with_forms(read_split(args.data, args.split), args.truth, args.split)
    if examples is None:
        parser.error(f"there is no {args.truth / args.split}.tsv to compare with")
    for example in examples:
        table[example.type][kind_of_error(predictions[example.id], example.logical_form)] += 1
    for kind, counts in table.items():
        total = sum(counts.values())
        print(f"{kind:20s}", "  ".join(f"{name} {100 * counts[name] / total:5.1f}" for name in ("right", "word", "frame", "other")))


if __name__ == "__main__":
    main()
