# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Human ratings: several annotators per summary, a rating from 1 to 5 per dimension, some left blank."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from checkeval.config import HumanConfig

DECIMALS = 6


def load_ratings(data_dir: Path) -> pd.DataFrame:
    ratings = pd.read_csv(data_dir / "human.csv")
    ratings["group"] = ratings["annotator"].str.split("_").str[0]
    return ratings


def mean_ratings(ratings: pd.DataFrame, dimensions: tuple[str, ...], config: HumanConfig) -> pd.DataFrame:
    """Mean rating of each summary over the annotators of the configured group: document, system, dimension, human."""
    if config.group != "all":
        ratings = ratings[ratings["group"] == config.group]
    if ratings.empty:
        raise ValueError(f"no ratings by group {config.group!r}")
    means = ratings.groupby(["document", "system"], sort=False)[list(dimensions)].mean().round(DECIMALS)
    long = means.reset_index().melt(["document", "system"], var_name="dimension", value_name="human")
    return long.dropna(subset=["human"]).reset_index(drop=True)


def spread(ratings: pd.DataFrame, dimensions: tuple[str, ...]) -> pd.DataFrame:
    """Mean and standard deviation of the raw ratings by group, for the data section of the write-up."""
    return ratings.groupby("group")[list(dimensions)].agg(["mean", "std"]).round(3)
