# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Question by question: how often it is answered, how often favourably, and how it goes with the rest of its checklist.

    python -m checkeval.items --dimension relevance
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from checkeval.answers import AnswerMatrix, load_answers
from checkeval.checklist import load_checklist
from checkeval.config import load_config


def item_rest(values: np.ndarray, column: int) -> float:
    """Correlation of one question with the mean of the others, over summaries that answered it."""
    rows = ~np.isnan(values[:, column])
    rest = np.delete(values[rows], column, axis=1)
    usable = ~np.isnan(rest).all(axis=1)
    return float(np.corrcoef(values[rows, column][usable], np.nanmean(rest[usable], axis=1))[0, 1])


def item_table(answers: AnswerMatrix) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "question": [f"Q{number}" for number in answers.questions],
            "answered": answers.answered.mean(axis=0),
            "favourable": np.nanmean(answers.values, axis=0),
            "item_rest": [item_rest(answers.values, at) for at in range(len(answers.questions))],
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="configs/summeval.yaml")
    parser.add_argument("--dimension", default="coherence")
    options = parser.parse_args()
    config = load_config(options.config)
    table = item_table(load_answers(config.data_dir, options.dimension))
    texts = {f"Q{q.number}": q.text for q in load_checklist(config.data_dir, options.dimension).kept}
    for row in table.sort_values("item_rest", ascending=False).to_dict("records"):
        print(
            f"{row['question']:4s} {row['answered']:6.1%} answered {row['favourable']:6.1%} favourable "
            f"item-rest {row['item_rest']:+.2f}  {texts[row['question']]}"
        )


if __name__ == "__main__":
    main()
