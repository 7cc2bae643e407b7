# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Hand the judge broken artefacts: `python authoring/attack_judge.py RESULTS DATA OTHER_DATA`, RESULTS being gold's on DATA.

Every line must say `refused` (broken contract) or `differs` (a metric that is not gold's). Needs rexbench.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import judge  # noqa: E402

from rexbench.evaluation.reading import BrokenContract  # noqa: E402

Rows = list[dict]


def change(file: str, edit: Callable[[Rows], object]) -> Callable[[Path], None]:
    def apply(results: Path) -> None:
        path = results / file
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        edited = edit(rows)
        rows = edited if isinstance(edited, list) else rows
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    return apply


def shift_scores(rows: Rows) -> None:
    for row in rows:
        row["scores"] = [value + 0.001 for value in row["scores"]]


def perfect(labels: dict[str, int]) -> Callable[[Rows], None]:
    def edit(rows: Rows) -> None:
        for row in rows:
            label = labels[row["id"]]
            row["prediction"], row["scores"] = label, sorted(row["scores"], reverse=label == 0)

    return edit


def main(results: Path, data: Path, other: Path) -> None:
    labels = {row["id"]: row["label"] for row in map(json.loads, (data / "items.jsonl").read_text(encoding="utf-8").splitlines())}
    scores, words = "existing_top/predictions.jsonl", "existing_bottom/dataset.jsonl"
    attacks: dict[str, Callable[[Path], None]] = {
        "one row missing": change(scores, lambda rows: rows[1:]),
        "one row twice": change(scores, lambda rows: [*rows, rows[0]]),
        "empty file": change(words, lambda rows: rows.clear()),
        "unknown id": change(words, lambda rows: rows[0].update(id="p999a")),
        "row is a list": change(words, lambda rows: [*rows[1:], []]),
        "NaN score": change(scores, lambda rows: rows[0].update(scores=[float("nan"), -1.0])),
        "score as text": change(scores, lambda rows: rows[0].update(scores=["high", "low"])),
        "positive score": change(scores, lambda rows: rows[0].update(scores=[3.0, -1.0], prediction=0)),
        "prediction against the scores": change(scores, lambda rows: rows[0].update(prediction=1 - rows[0]["prediction"])),
        "four demonstrations": change(scores, lambda rows: rows[0]["demonstrations"].pop()),
        "a demonstration twice": change(
            scores, lambda rows: rows[0].update(demonstrations=rows[0]["demonstrations"][:4] + rows[0]["demonstrations"][:1])
        ),
        "demonstrations reordered": change(scores, lambda rows: rows[0]["demonstrations"].reverse()),
        "form without its sentence": change(words, lambda rows: rows[0].update(form="xyzzy")),
        "another word": change(words, lambda rows: rows[0].update(lemma=["a"])),
        "labels as predictions": change(scores, perfect(labels)),
        "scores shifted by 0.001": change(scores, shift_scores),
        "one score a millionth lower": change(scores, lambda rows: rows[0]["scores"].insert(0, rows[0]["scores"].pop(0) - 1e-6)),
        "groups exchanged": lambda folder: (
            (folder / "existing_top").rename(folder / "x")
            and (folder / "existing_bottom").rename(folder / "existing_top")
            and (folder / "x").rename(folder / "existing_bottom")
        ),
        "truncated file": lambda folder: (folder / words).write_bytes((folder / words).read_bytes()[:-40]),
        "not text": lambda folder: (folder / words).write_bytes(b"\xff\xfe\x00"),
        "missing file": lambda folder: (folder / scores).unlink(),
    }
    with tempfile.TemporaryDirectory() as scratch:
        gold = Path(scratch) / "gold"
        shutil.copytree(results, gold / "results")
        truth = judge.metrics(gold, data)
        print(json.dumps(truth))

        def verdict(folder: Path, where: Path) -> str:
            try:
                found = judge.metrics(folder, where)
            except BrokenContract as error:
                return f"refused  {error}"
            wrong = [name for name in truth if found[name] != truth[name]]
            return f"differs  {', '.join(wrong)}" if wrong else "PASSES"

        for at, (name, attack) in enumerate(attacks.items()):
            folder = Path(scratch) / str(at)
            shutil.copytree(results, folder / "results")
            attack(folder / "results")
            print(f"{name:32}{verdict(folder, data)}")
        print(f"{'artefacts of another variant':32}{verdict(gold, other)}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
