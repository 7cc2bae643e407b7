# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The table of the paper: one row per scorer found under predictions/, mean and standard deviation over seeds, in percent."""

import csv
import statistics
from collections import defaultdict
from pathlib import Path

from aed.config import load_settings
from aed.data import Pair, load_study
from aed.metrics import average_precision, precision_at, ranked, recall_at

METRICS = {"AP": average_precision, "P@100": precision_at, "R@100": recall_at}


def read_pairs(path: Path) -> dict[int, dict[Pair, float]]:
    runs: dict[int, dict[Pair, float]] = defaultdict(dict)
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            runs[int(row["seed"])][row["item"], row["label"]] = float(row["score"])
    return runs


def cell(values: list[float]) -> str:
    mean = f"{100 * statistics.mean(values):.1f}"
    return mean if len(values) == 1 else f"{mean} ± {100 * statistics.stdev(values):.1f}"


def main() -> None:
    settings = load_settings("")
    if not settings.truth.is_dir():
        print(f"no table: {settings.truth}/, which says what is an error, is not here")
        return
    errors = load_study(settings.data, settings.truth).errors()
    share = sum(errors.values()) / len(errors)
    lines = ["\t".join(["scorer", *METRICS])]
    for path in sorted(settings.predictions.glob("*/pairs.csv")):
        hits = [ranked(scores, errors) for scores in read_pairs(path).values()]
        lines.append("\t".join([path.parent.name, *(cell([metric(run) for run in hits]) for metric in METRICS.values())]))
    settings.results.mkdir(parents=True, exist_ok=True)
    (settings.results / "table.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(errors)} item-label pairs, {sum(errors.values())} errors ({100 * share:.1f} %)")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
