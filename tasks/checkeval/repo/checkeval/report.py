# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Correlation tables: a row per dimension and one for their average."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from checkeval.config import Config
from checkeval.correlation import COEFFICIENTS, correlate


def correlation_table(scores: pd.DataFrame, human: pd.DataFrame, config: Config) -> pd.DataFrame:
    rows = []
    for dimension in config.dimensions:
        rows.append({"dimension": dimension, **correlate(scores, human, dimension, config.correlation)})
    table = pd.DataFrame(rows)
    average = {"dimension": "average", **table[list(COEFFICIENTS)].mean().to_dict()}
    return pd.concat([table, pd.DataFrame([average])], ignore_index=True)


def show(title: str, table: pd.DataFrame) -> None:
    print(f"\n{title}")
    print(f"{'':14s}" + "".join(f"{name:>10s}" for name in COEFFICIENTS))
    for row in table.to_dict("records"):
        print(f"{row['dimension']:14s}" + "".join(f"{row[name]:10.3f}" for name in COEFFICIENTS))


def write(table: pd.DataFrame, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False, float_format="%.6f")
