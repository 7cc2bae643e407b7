# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Table of win rates: python -m implicit.report results/model_a"""

import argparse
from pathlib import Path

from implicit.data import load_responses, load_rubrics, read_jsonl
from implicit.settings import load_settings
from implicit.winrate import win_rate


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="holds one folder per ablation")
    args = parser.parse_args()
    settings = load_settings()
    known = settings.truth.is_dir()
    references = load_responses(settings.truth / "references.jsonl") if known else {}
    rubrics = load_rubrics(settings.truth) if known else {}
    if not known:
        print(f"There is no {settings.truth}/ here, so no win rates are given.")
    print(f"{'':14}{'win rate':>10}{'tokens':>9}{'ended':>8}")
    for path in sorted(args.folder.glob("*/responses.jsonl")):
        rows = read_jsonl(path)
        rate = f"{win_rate(load_responses(path), references, rubrics, settings.judge):.1f}" if known else "-"
        tokens = sum(len(row["tokens"]) for row in rows) / len(rows)
        ended = sum(row["finish"] == "eos" for row in rows) / len(rows)
        print(f"{path.parent.name:14}{rate:>10}{tokens:9.1f}{ended:8.0%}")


if __name__ == "__main__":
    main()
