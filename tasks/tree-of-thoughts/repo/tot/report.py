# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Result files and the tables that are printed."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows(rows)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
