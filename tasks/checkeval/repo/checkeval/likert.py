# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The baseline: the same judge, asked for one rating from 1 to 5 per dimension instead of a checklist."""

from __future__ import annotations

from pathlib import Path

import pandas as pd


def likert_scores(data_dir: Path, dimensions: tuple[str, ...]) -> pd.DataFrame:
    ratings = pd.read_csv(data_dir / "likert.csv")
    return ratings.melt(["document", "system"], value_vars=list(dimensions), var_name="dimension", value_name="score")
