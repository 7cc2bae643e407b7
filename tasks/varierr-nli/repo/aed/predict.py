# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Run one scorer over its seeds and write annotations.csv and pairs.csv under predictions/<scorer>/."""

import argparse
import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from aed.aggregate import pair_scores
from aed.config import load_settings
from aed.data import load_study
from aed.scorers import SCORERS


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scorer", required=True)
    parser.add_argument("--config", default="config.yaml")
    parser.add_argument("--seed-shift", type=int, default=0)
    options = parser.parse_args()
    if options.scorer not in SCORERS:
        parser.error(f"no scorer {options.scorer!r}; there are {', '.join(SCORERS)}")

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    settings = load_settings(options.scorer, options.config, options.seed_shift)
    study = load_study(settings.data)
    scorer = SCORERS[options.scorer]
    annotation_rows: list[tuple[object, ...]] = []
    pair_rows: list[tuple[object, ...]] = []
    for seed in settings.seeds if scorer.trained else (0,):
        print(f"{options.scorer}, seed {seed}", flush=True)
        scores = scorer.score(settings, study, seed)
        annotation_rows += [(seed, name, f"{score:.6f}") for name, score in sorted(scores.items())]
        pairs = pair_scores(study.part("eval"), scores)
        pair_rows += [(seed, item, label, f"{score:.6f}") for (item, label), score in sorted(pairs.items())]
    folder = settings.predictions / options.scorer
    write_csv(folder / "annotations.csv", ("seed", "annotation", "score"), annotation_rows)
    write_csv(folder / "pairs.csv", ("seed", "item", "label", "score"), pair_rows)


if __name__ == "__main__":
    main()
