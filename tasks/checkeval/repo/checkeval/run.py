# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The base experiment: checklist scores and Likert ratings of the same judge, each against the human ratings."""

from __future__ import annotations

import argparse

import pandas as pd

from checkeval.aggregate import checklist_scores
from checkeval.answers import load_answers
from checkeval.config import Config, load_config
from checkeval.human import load_ratings, mean_ratings
from checkeval.likert import likert_scores
from checkeval.report import correlation_table, show, write


def all_checklist_scores(config: Config) -> pd.DataFrame:
    tables = []
    for dimension in config.dimensions:
        answers = load_answers(config.data_dir, dimension)
        table = checklist_scores(answers, config.aggregation)
        print(
            f"{dimension}: {len(answers.questions)} questions, {1 - answers.answered.mean():.1%} of answers missing, "
            f"{len(answers.summaries) - len(table)} of {len(answers.summaries)} summaries refused"
        )
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="configs/summeval.yaml")
    config = load_config(parser.parse_args().config)

    human = mean_ratings(load_ratings(config.data_dir), config.dimensions, config.human)
    checklist = all_checklist_scores(config)
    write(checklist, config.results_dir / "checklist_scores.csv")

    for name, scores in (("checklist", checklist), ("likert", likert_scores(config.data_dir, config.dimensions))):
        table = correlation_table(scores, human, config)
        write(table, config.results_dir / f"table_{name}.csv")
        show(f"{name}, {config.correlation.level} level", table)


if __name__ == "__main__":
    main()
