# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Hand the judge spoiled artefacts and print what it says. Run with an interpreter that has rexbench.

    python authoring/attack_judge.py ARTEFACTS DATA OTHER_DATA

ARTEFACTS is a folder that holds output/ of a right run on DATA; OTHER_DATA is the data of another variant.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from judge import metrics  # noqa: E402

from rexbench.evaluation.reading import BrokenContract  # noqa: E402

Rows = list[dict]


def spoil_rows(change: Callable[[Rows], object]) -> Callable[[Path], None]:
    def apply(output: Path) -> None:
        path = output / "boxes-vlm" / "predictions.jsonl"
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        change(rows)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    return apply


def spoil_table(old: str, new: str) -> Callable[[Path], None]:
    def apply(output: Path) -> None:
        path = output / "comparison.csv"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return apply


def cut(output: Path) -> None:
    path = output / "boxes-vlm" / "predictions.jsonl"
    path.write_text(path.read_text()[:-40])


def copy_text_model(output: Path) -> None:
    shutil.copyfile(output / "boxes-gpt" / "predictions.jsonl", output / "boxes-vlm" / "predictions.jsonl")


ATTACKS: dict[str, Callable[[Path], None]] = {
    "file cut": cut,
    "row missing": spoil_rows(lambda rows: rows.pop()),
    "row twice": spoil_rows(lambda rows: rows.__setitem__(0, rows[1])),
    "extra row": spoil_rows(lambda rows: rows.append(rows[0] | {"scenario": "s999"})),
    "operations changed": spoil_rows(lambda rows: rows[0].update(operations=rows[0]["operations"] + 1)),
    "NaN for a count": spoil_rows(lambda rows: rows[0].update(prompt_tokens=float("nan"))),
    "predicted is text": spoil_rows(lambda rows: rows[0].update(predicted="apple")),
    "predicted holds numbers": spoil_rows(lambda rows: rows[0].update(predicted=[1])),
    "one state changed": spoil_rows(lambda rows: rows[0].update(predicted=["apple", "zebra"])),
    "three demonstrations": spoil_rows(lambda rows: rows[0].update(demonstrations=3)),
    "text model's rows copied": copy_text_model,
    "comparison without a model": spoil_table("boxes-vlm", "boxes-xlm"),
    "comparison missing": lambda output: (output / "comparison.csv").unlink(),
    "order of rows (harmless)": spoil_rows(lambda rows: rows.reverse()),
}


def verdict(artefacts: Path, data: Path, right: dict) -> str:
    try:
        found = metrics(artefacts, data)
    except BrokenContract as broken:
        return f"broken contract: {broken}"
    differing = [name for name in right if found[name] != right[name]]
    return f"differs in {', '.join(differing)}" if differing else "AS THE RIGHT RUN"


def main() -> None:
    artefacts, data, other = (Path(argument) for argument in sys.argv[1:4])
    right = metrics(artefacts, data)
    print(json.dumps(right, indent=1))
    for name, spoil in ATTACKS.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            shutil.copytree(artefacts / "output", copy / "output")
            spoil(copy / "output")
            print(f"{name}: {verdict(copy, data, right)}")
    print(f"run on other data: {verdict(artefacts, other, right)}")


if __name__ == "__main__":
    main()
