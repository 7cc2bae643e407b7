"""Rows beside gold: a keyed table or an array that a run wrote, compared row by row with live gold's of the same variant."""

import json
import math
from pathlib import Path

from rexbench.errors import SystemFault
from rexbench.evaluation.reading import BrokenContract, read_array, read_jsonl, read_table, require
from rexbench.record.model import TableVerdict
from rexbench.task.schema import Column, RowTable

SHOWN = 5
_RELATIVE = 1e-6
Rows = dict[tuple[str, ...], dict[str, str]]


def compare_table(table: RowTable, artefacts: Path, gold: Path) -> TableVerdict:
    """Each row of gold's with the row of the same key; missing rows and rows that gold has not disagree.

    Raises `BrokenContract` where the run's own file is no such table, `SystemFault` where gold's is none; row order, extra columns
    and how numbers are written do not count.
    """
    if table.path.endswith(".npy"):
        return _compare_array(table, artefacts, gold)
    try:
        wanted = read_rows(table, gold / table.path)
    except BrokenContract as error:
        raise SystemFault(f"what this is compared with is no table by {', '.join(table.keys)}: {error}.") from error
    found = read_rows(table, artefacts / table.path)
    names = [name for name in next(iter(wanted.values()), {}) if name not in table.keys]
    columns = {column.name: column for column in table.columns}
    compared = [columns.get(name, Column(name=name)) for name in names]
    agreeing, differences = 0, []
    for key, row in wanted.items():
        complaint = "is missing" if key not in found else _difference(row, found[key], compared)
        if complaint:
            differences.append(f"{', '.join(key)}: {complaint}")
        else:
            agreeing += 1
    extra = len(found.keys() - wanted.keys())
    if extra:
        differences.append(f"{extra} rows are not gold's")
    return TableVerdict(path=table.path, rows=len(wanted), agreeing=agreeing, differences=tuple(differences[:SHOWN]), extra=extra)


def _compare_array(table: RowTable, artefacts: Path, gold: Path) -> TableVerdict:
    """Row by row, values alone: another type of number does not count, another shape breaks the contract."""
    try:
        wanted = read_array(gold / table.path)
    except BrokenContract as error:
        raise SystemFault(f"what this is compared with is no array: {error}.") from error
    found = read_array(artefacts / table.path)
    require(found.shape == wanted.shape, f"{table.path}: shape {found.shape}, should be {wanted.shape}")
    wanted, found = (array.reshape(-1) if array.ndim == 0 else array for array in (wanted, found))
    differing = (found != wanted).sum(axis=tuple(range(1, wanted.ndim)))
    rows = differing.nonzero()[0].tolist()
    told = tuple(f"{row}: {differing[row]} values differ" for row in rows[:SHOWN])
    return TableVerdict(path=table.path, rows=len(wanted), agreeing=len(wanted) - len(rows), differences=told)


def agrees(verdict: TableVerdict, least: float = 1.0) -> bool:
    """Whether every row, or this share of them, is as gold's, and none is there that gold has not."""
    return not verdict.extra and verdict.agreeing >= least * verdict.rows


def read_rows(table: RowTable, path: Path) -> Rows:
    """The table by its keys, cells as text."""
    if path.suffix == ".jsonl":
        rows = []
        for row in read_jsonl(path):
            require(isinstance(row, dict), f"{path.name}: a line is not a JSON object")
            rows.append({str(name): _text(value) for name, value in row.items()})
    else:
        rows = read_table(path, table.keys, delimiter="\t" if path.suffix == ".tsv" else ",")
    found: Rows = {}
    for row in rows:
        missing = [name for name in table.keys if name not in row]
        require(not missing, f"{path.name}: a row has no {', '.join(missing)}")
        key = tuple(row[name] for name in table.keys)
        require(key not in found, f"{path.name}: the row {', '.join(key)} is there twice")
        found[key] = row
    return found


def _difference(gold: dict[str, str], row: dict[str, str], columns: list[Column]) -> str:
    for column in columns:
        if column.kind == "ignore":
            continue
        if column.name not in row:
            return f"no {column.name}"
        if not _same(column, gold[column.name], row[column.name]):
            return f"{column.name} is {row[column.name][:40]!r}, gold's {gold[column.name][:40]!r}"
    return ""


def _same(column: Column, gold: str, value: str) -> bool:
    if column.kind == "exact":
        return gold == value
    try:
        one, other = float(gold), float(value)
    except ValueError:
        return gold == value
    if not math.isfinite(one) or not math.isfinite(other):
        return gold == value
    return abs(one - other) <= (column.tolerance if column.kind == "within" else _RELATIVE * max(abs(one), 1e-12))


def _text(value: object) -> str:
    """A cell as text; a list or an object, which may stand in a column that nobody compares, as JSON."""
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)
    return repr(value) if isinstance(value, float) else str(value)
