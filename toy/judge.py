# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reads the medians and gives what is compared with gold's."""

from pathlib import Path

from rexbench.evaluation.reading import as_number, read_table, same_ids


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    """Number of groups and mean of their medians."""
    rows = read_table(artefacts / "results" / "medians.csv", ["group", "median"])
    groups = {row["group"] for row in read_table(data / "readings.csv", ["group"])}
    same_ids([row["group"] for row in rows], groups, "medians.csv")
    medians = [as_number(row["median"], f"median of {row['group']}", low=0) for row in rows]
    return {"groups": len(medians), "mean_of_medians": sum(medians) / len(medians)}
