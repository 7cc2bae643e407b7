# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scores the final checkpoint's predictions, and reads the learning rates that the run was trained with off its log.

Accuracies are computed here from raw predictions. The log is a record of the optimiser, one row per hundred steps; nothing in
it that says how well the model did is used.
"""

from pathlib import Path

from rexbench.evaluation.reading import as_integer, as_number, read_table, require, same_ids

GEN = "results/gen_predictions.tsv"
TEST = "results/test_predictions.tsv"
LOG = "results/train_log.csv"

INTERVAL = 100
"""Steps between two rows of the log."""
LONGEST_LOG = 10_000
ASKED_STEPS = 2000
PRIMITIVES = ("prim_noun", "prim_name", "prim_verb")
STRUCTURAL = ("pp_recursion", "obj_pp_to_subj_pp")


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    right = _marks(artefacts / GEN, data / "gen.tsv")
    _marks(artefacts / TEST, data / "test.tsv")
    rates = _rates(artefacts / LOG)
    familiar = [mark for kind, marks in right.items() if kind not in PRIMITIVES + STRUCTURAL for mark in marks]
    return {
        "gen_accuracy": _percentage([mark for marks in right.values() for mark in marks]),
        "recombination_accuracy": _percentage(familiar),
        "steps": INTERVAL * len(rates),
        "learning_rate_sum": sum(rates),
    }


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    right = _marks(artefacts / GEN, data / "gen.tsv")
    test = _marks(artefacts / TEST, data / "test.tsv")
    rates = _rates(artefacts / LOG)
    lexical = [mark for kind, marks in right.items() if kind not in STRUCTURAL for mark in marks]
    return {
        "test accuracy is at least 95": _percentage([mark for marks in test.values() for mark in marks]) >= 95,
        "training ran for the number of steps asked for": INTERVAL * len(rates) == ASKED_STEPS,
        "most lexical generalisation succeeds": _percentage(lexical) >= 50,
    }


def _marks(predictions: Path, split: Path) -> dict[str, list[bool]]:
    """Per type of the split, whether each form was predicted token for token."""
    gold = {row["id"]: row for row in read_table(split, ("id", "sentence", "logical_form", "type"), delimiter="\t")}
    rows = read_table(predictions, ("id", "prediction"), delimiter="\t")
    same_ids((row["id"] for row in rows), gold, predictions.name)
    marks: dict[str, list[bool]] = {}
    for row in rows:
        example = gold[row["id"]]
        marks.setdefault(example["type"], []).append(row["prediction"].split() == example["logical_form"].split())
    return marks


def _percentage(marks: list[bool]) -> float:
    return 100 * sum(marks) / len(marks)


def _rates(log: Path) -> list[float]:
    """The learning rates of steps 100, 200 and so on, as the log gives them."""
    rows = read_table(log, ("step", "loss", "learning_rate"))
    require(0 < len(rows) <= LONGEST_LOG, f"{log.name}: {len(rows)} rows")
    rates = []
    for at, row in enumerate(rows, 1):
        step = as_integer(row["step"], f"{log.name} row {at}, step")
        require(step == INTERVAL * at, f"{log.name} row {at}: step {step} where {INTERVAL * at} is due")
        as_number(row["loss"], f"{log.name} row {at}, loss", low=0)
        rates.append(as_number(row["learning_rate"], f"{log.name} row {at}, learning_rate", low=0, high=1))
    return rates
