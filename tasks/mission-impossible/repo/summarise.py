# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print the perplexities of finished runs as a table: python summarise.py control word_hop"""

import argparse
from pathlib import Path

from impossible.scores import perplexity, read_scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="+")
    parser.add_argument("--out", type=Path, default=Path("results"))
    args = parser.parse_args()
    print(f"{'language':<18} {'sentences':>9} {'tokens':>7} {'perplexity':>10}")
    for name in args.languages:
        scores = read_scores(args.out / name / "scores.tsv")
        print(f"{name:<18} {len(scores):9d} {sum(one.tokens for one in scores):7d} {perplexity(scores):10.3f}")


if __name__ == "__main__":
    main()
