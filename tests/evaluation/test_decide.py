"""The outcome follows from what is on record, and the verdict's key from all that it leaned on."""

from typing import Any

import pytest

from rexbench.evaluation.evaluate import Compared, combine, decide
from rexbench.record.model import Ending, Evaluation, MetricVerdict, TableVerdict
from rexbench.task.schema import RowTable
from tests.evaluation.made import execution, replication

GOLD_FILES = frozenset({"a.py", "b.py"})
INSIDE = MetricVerdict(name="m", kind="float", value=1.0, gold=1.0, low=1.0, high=1.0, accepted=True, distance=0.0)
OUTSIDE = INSIDE.model_copy(update={"name": "n", "value": 2.0, "accepted": False, "distance": 1.0})
SAME = TableVerdict(path="results/t.csv", rows=2, agreeing=2, differences=())
DIFFERENT = SAME.model_copy(update={"agreeing": 1, "differences": ("a: x is 1, gold's is 2",)})
TABLE = RowTable(path="results/t.csv", keys=("id",))


def decided(compared: Compared, ending: Ending = "ran", **changes: Any) -> Evaluation:
    spec = replication(1).model_copy(update={"tables": (TABLE,)} | changes)
    return decide(spec, execution(ending=ending, detail="told"), "gold", compared, GOLD_FILES, "now")


@pytest.mark.parametrize(
    ("compared", "outcome"),
    [
        (Compared((INSIDE,), (SAME,)), "success"),
        (Compared((INSIDE, OUTSIDE), (SAME,)), "wrong_result"),
        (Compared((OUTSIDE, INSIDE), (SAME,)), "wrong_result"),
        (Compared((INSIDE,), (DIFFERENT,)), "wrong_result"),
        (Compared((INSIDE,), (SAME,), broken_guards=("base no longer runs",)), "broken_base"),
        (Compared(defect="results/t.csv is no table"), "bad_artifact"),
    ],
)
def test_one_thing_that_is_not_golds_is_enough(compared: Compared, outcome: str) -> None:
    assert decided(compared).outcome == outcome


@pytest.mark.parametrize("ending", ["execution_failed", "timeout", "patch_rejected", "bad_artifact", "empty_patch"])
def test_a_run_that_did_not_come_to_its_end_is_no_success_whatever_lies_beside_it(ending: Ending) -> None:
    made = decided(Compared((INSIDE,), (SAME,)), ending)
    assert (made.outcome, made.detail) == (ending, "told")


def test_a_table_whose_share_of_rows_is_a_metric_need_not_agree_row_by_row() -> None:
    table = TABLE.model_copy(update={"agreement": "m"})
    assert decided(Compared((INSIDE,), (DIFFERENT,)), tables=(table,)).outcome == "success"
    assert decided(Compared((OUTSIDE,), (DIFFERENT,)), tables=(table,)).outcome == "wrong_result"


def test_files_are_counted_against_golds() -> None:
    made = decided(Compared((INSIDE,)))
    assert (made.file_recall, made.file_precision, made.lines_changed) == (0.5, 1.0, 3)


def test_everything_that_a_verdict_leaned_on_is_in_its_key() -> None:
    spec = replication(1).model_copy(update={"tables": (TABLE,)})
    assert spec.calibration
    wider = spec.calibration.model_copy(update={"sd": {"m0": 2.0}})
    stricter = spec.calibration.model_copy(update={"false_rejection": 0.05})
    column = TABLE.model_copy(update={"keys": ("other",)})
    changed = [spec.model_copy(update=update) for update in ({"calibration": wider}, {"calibration": stricter}, {"held_out": 3})]
    changed += [spec.model_copy(update=update) for update in ({"tables": (column,)}, {"calibration": None})]
    keys = [decide(one, execution(), "gold", Compared(), GOLD_FILES, "now").key for one in (spec, *changed)]
    keys += [decide(spec, execution(), "other gold", Compared(), GOLD_FILES, "now").key]
    keys += [decide(spec, execution(key="other"), "gold", Compared(), GOLD_FILES, "now").key]
    assert len(set(keys)) == len(keys)
    assert decide(spec, execution(), "gold", Compared(), GOLD_FILES, "later").key == keys[0]


def test_of_several_variants_all_must_succeed_and_the_first_that_does_not_speaks() -> None:
    good, wrong = decided(Compared((INSIDE,), (SAME,))), decided(Compared((OUTSIDE,), (SAME,)))
    late = decided(Compared(), "timeout")
    assert combine("t", [good, good]).outcome == "success"
    assert combine("t", [good, late, wrong]).outcome == "timeout"
    assert combine("t", [good, wrong]).first is wrong
