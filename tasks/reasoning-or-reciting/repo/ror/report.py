# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Logs and tables."""

import json
from pathlib import Path


def write_rows(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def table(header: list[str], lines: list[list[str]]) -> str:
    """Columns set flush right."""
    widths = [max(len(line[at]) for line in [header, *lines]) for at in range(len(header))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in [header, *lines])
