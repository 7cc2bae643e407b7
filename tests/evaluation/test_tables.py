"""Keyed tables beside live gold's, row by row."""

from pathlib import Path

import numpy as np
import pytest

from rexbench.api.bench import Bench
from rexbench.errors import SystemFault
from rexbench.evaluation.compare import agreement_metric
from rexbench.evaluation.evaluate import live_gold
from rexbench.evaluation.reading import BrokenContract
from rexbench.evaluation.tables import SHOWN, agrees, compare_table
from rexbench.record.model import TableVerdict
from rexbench.task.folder import Task
from rexbench.task.schema import RowTable
from tests.evaluation.changing import patch_for
from tests.trials import evaluate

SEED = 31
GOLD = "id,part,value,label,when\n1,a,0.5,x,now\n1,b,1.25,y,now\n2,a,-3,z,now\n"
COLUMNS = [{"name": "value", "kind": "float"}, {"name": "when", "kind": "ignore"}]
KEYED = RowTable.model_validate({"path": "rows.csv", "keys": ["id", "part"], "columns": COLUMNS})


def compared(tmp_path: Path, text: str, table: RowTable = KEYED, gold: str = GOLD) -> TableVerdict:
    for name, content in (("gold", gold), ("run", text)):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / table.path).write_text(content)
    return compare_table(table, tmp_path / "run", tmp_path / "gold")


@pytest.mark.parametrize(
    "text",
    [
        GOLD,
        "id,part,value,label,when\n2,a,-3.0,z,later\n1,b,1.250,y,-\n1,a,5e-1,x,\n",
        "label,extra,value,part,id,when\nz,0,-3,a,2,1\ny,0,1.25,b,1,1\nx,0,0.5000000001,a,1,1\n",
    ],
)
def test_order_extra_columns_ignored_columns_and_spelling_of_numbers_do_not_count(tmp_path: Path, text: str) -> None:
    assert agrees(found := compared(tmp_path, text)) and (found.agreeing, found.rows, found.agreement) == (3, 3, 1.0)


@pytest.mark.parametrize(
    ("text", "told", "agreeing", "agreement"),
    [
        (GOLD.replace("1,b,1.25,y,now\n", ""), "1, b: is missing", 2, 2 / 3),
        (GOLD + "3,a,1,x,now\n", "1 rows are not gold's", 3, 3 / 4),
        (GOLD.replace("1.25", "1.26"), "1, b: value is '1.26', gold's '1.25'", 2, 2 / 3),
        (GOLD.replace("1.25", "nan"), "1, b: value is 'nan', gold's '1.25'", 2, 2 / 3),
        (GOLD.replace(",z,", ",Z,"), "2, a: label is 'Z', gold's 'z'", 2, 2 / 3),
        (GOLD.replace("label", "name"), "1, a: no label", 0, 0.0),
        ("id,part,value,label,when\n", "1, a: is missing", 0, 0.0),
    ],
)
def test_the_first_differences_are_told(tmp_path: Path, text: str, told: str, agreeing: int, agreement: float) -> None:
    found = compared(tmp_path, text)
    assert not agrees(found) and told in found.differences and (found.agreeing, found.agreement) == (agreeing, agreement)
    assert len(found.differences) <= SHOWN


def test_within_its_tolerance_a_number_agrees_and_beyond_it_does_not(tmp_path: Path) -> None:
    columns = [{"name": "value", "kind": "within", "tolerance": 0.1}, {"name": "when", "kind": "ignore"}]
    table = RowTable.model_validate({"path": "rows.csv", "keys": ["id", "part"], "columns": columns})
    assert agrees(compared(tmp_path, GOLD.replace("1.25", "1.34"), table))
    assert not agrees(compared(tmp_path, GOLD.replace("1.25", "1.36"), table))


@pytest.mark.parametrize("text", ["id,value\n1,2\n", GOLD + "1,a,9,x,now\n", "", "\x00\x01"])
def test_a_table_without_its_keys_or_with_a_key_twice_breaks_the_contract(tmp_path: Path, text: str) -> None:
    with pytest.raises(BrokenContract):
        compared(tmp_path, text)


def test_a_table_of_golds_that_is_none_is_held_against_nobody(tmp_path: Path) -> None:
    with pytest.raises(SystemFault, match="what this is compared with"):
        compared(tmp_path, GOLD, gold=GOLD + "1,a,9,x,now\n")


def test_lines_of_json_are_rows_too(tmp_path: Path) -> None:
    table = RowTable.model_validate({"path": "rows.jsonl", "keys": ["id"], "columns": [{"name": "x", "kind": "float"}]})
    gold = '{"id": 1, "x": 0.5}\n{"id": 2, "x": 1}\n'
    assert agrees(compared(tmp_path, '{"x": 1.0, "id": 2}\n{"id": 1, "x": 0.5}\n', table, gold))
    shown = '{"x": 1.0, "id": 2, "shown": []}\n{"id": 1, "x": 0.5, "shown": [{"a": 1}]}\n'
    assert agrees(compared(tmp_path, shown, table, gold)), "what stands in a column that gold has not is nobody's business"
    assert not agrees(compared(tmp_path, shown.replace("0.5", "[0.5]"), table, gold))
    with pytest.raises(BrokenContract):
        compared(tmp_path, "[1, 2]\n", table, gold)


def with_table(toy: Task, bench: Bench, more: str = "", seeded: bool = False) -> Task:
    path = toy.folder / "task.toml"
    text = path.read_text() + f'\n[[tables]]\npath = "results/medians.csv"\nkeys = ["group"]\n{more}\n'
    path.write_text(text.replace('entry = "run.sh"', 'entry = "run.sh"\nseed_variable = "SEED"') if seeded else text)
    return bench.task(str(toy.folder))


def changed_last(task: Task, bench: Bench, to: str, gold: bytes = b"") -> bytes:
    """Gold's work with the last row of its table changed after the run; what the judge computes stays right."""
    rest = f"import pathlib\npath = pathlib.Path('results/medians.csv')\nrows = path.read_text().splitlines()\n{to}\n"
    done = "path.write_text('\\n'.join(rows) + '\\n')\n"
    script = (task.repo / "run.sh").read_text() + "python afterwards.py\n"
    return (gold or task.vault.gold) + patch_for(task, bench, {"run.sh": script, "afterwards.py": rest + done})


def test_rows_that_no_metric_looks_at_are_held_to_gold_all_the_same(toy: Task, bench: Bench) -> None:
    """The mean of the medians is the same when two groups change places."""
    swap = "a, b = (row.split(',') for row in rows[1:3])\nrows[1:3] = [f'{a[0]},{b[1]}', f'{b[0]},{a[1]}']"
    assert evaluate(toy, changed_last(toy, bench, swap), SEED, bench).outcome == "success"
    task = with_table(toy, bench, 'columns = [{ name = "median", kind = "float" }]')
    made = evaluate(task, changed_last(task, bench, swap), SEED, bench)
    assert made.outcome == "wrong_result" and made.tables[0].agreeing == made.tables[0].rows - 2
    assert "results/medians.csv is not gold's" in made.detail
    turned = evaluate(task, changed_last(task, bench, "rows[1:] = rows[:0:-1]"), SEED, bench)
    assert turned.outcome == "success" and turned.tables[0].agreement == 1.0


AGREEING = """agreement = "agreeing"
columns = [{ name = "median", kind = "within", tolerance = 0.000001 }]

[[metrics]]
name = "agreeing"
kind = "noisy"
about = "share of rows"
"""


def test_agreement_is_measured_over_seeds_and_a_usual_share_of_rows_is_accepted(toy: Task, bench: Bench) -> None:
    """Gold under another seed has one group a little off; so may anybody have, and half of the groups nobody."""
    noise = "import os\nif os.environ.get('SEED') in ('2', '4'):\n    rows[-1] = rows[-1].split(',')[0] + ',99'"
    judge = toy.folder / "judge.py"
    only = "def metrics(artefacts, data):\n    return {'groups': _all(artefacts, data)['groups']}\n"
    judge.write_text(f"{judge.read_text()}\n\n_all = metrics\n\n\n{only}")
    toml = toy.folder / "task.toml"
    toml.write_text(toml.read_text()[: toml.read_text().index('[[metrics]]\nname = "mean_of_medians"')])
    gold = toy.vault.gold
    (toy.folder / "vault" / "gold.patch").write_bytes(changed_last(toy, bench, noise))
    task = with_table(toy, bench, AGREEING, seeded=True)
    found = bench.calibrate(task, variants=2, seeds=5)
    rows = int(str(live_gold(task, 10_000, bench).metrics["groups"]))
    assert found.agreement == {"agreeing": pytest.approx(1 - 2 / 5 / rows, abs=1e-4)} and 0 < found.sd["agreeing"] < 1 / rows
    task = bench.task(str(toy.folder))
    usual = changed_last(task, bench, "rows[-1] = rows[-1].split(',')[0] + ',98'", gold)
    made = evaluate(task, usual, SEED, bench)
    assert made.outcome == "success", made.detail
    assert made.metrics[-1].kind == "agreement" and made.metrics[-1].value == pytest.approx(1 - 1 / rows)
    half = changed_last(task, bench, "rows[1:] = [row.split(',')[0] + ',7' for row in rows[1:]]", gold)
    assert evaluate(task, half, SEED, bench).outcome == "wrong_result"
    padded = TableVerdict(path="results/medians.csv", rows=rows, agreeing=rows, differences=("rows",), extra=9 * rows)
    metric = agreement_metric(task.spec, "agreeing", padded)
    assert metric.value == 0.1 and not metric.accepted, "whoever adds rows until some agree has not agreed"


def test_of_an_array_the_values_count_and_the_type_does_not_and_a_share_of_its_rows_may_do(tmp_path: Path) -> None:
    gold = np.arange(40, dtype=np.int8).reshape(20, 2)
    other = gold.astype(np.int64)
    other[3] += 1
    for folder, array in (("gold", gold), ("run", other)):
        (tmp_path / folder).mkdir()
        np.save(tmp_path / folder / "a.npy", array)
    found = compare_table(RowTable(path="a.npy"), tmp_path / "run", tmp_path / "gold")
    assert (found.agreeing, found.rows, found.differences) == (19, 20, ("3: 2 values differ",))
    assert agrees(found, 0.95) and not agrees(found, 0.96) and not agrees(found)
    np.save(tmp_path / "run" / "a.npy", other[:-1])
    with pytest.raises(BrokenContract, match="shape"):
        compare_table(RowTable(path="a.npy"), tmp_path / "run", tmp_path / "gold")
