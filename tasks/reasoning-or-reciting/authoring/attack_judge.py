# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Attack the judge with damaged and invented artefacts of a right run; every attack must be refused or change a metric.

    python authoring/attack_judge.py ARTEFACTS DATA OTHER_DATA

ARTEFACTS holds results/few_shot/ of a right run on DATA; OTHER_DATA is another variant's data.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from judge import metrics

from rexbench.evaluation.reading import BrokenContract

Rows = list[dict]


def on_rows(name: str, change: Callable[[Rows], Rows]) -> Callable[[Path], None]:
    def attack(folder: Path) -> None:
        for path in sorted(folder.glob(name)):
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)))

    return attack


def on_text(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def attack(folder: Path) -> None:
        (folder / name).write_text(change((folder / name).read_text()))

    return attack


def copy(source: str, target: str) -> Callable[[Path], None]:
    return lambda folder: (folder / target).write_bytes((folder / source).read_bytes())


def right_by_prompt(rows: Rows) -> Rows:
    """Perfect additions in base nine, worked out from the prompt, all marked right."""
    for row in rows:
        left, right = row["prompt"].split(";")[-1].split("]")[-1].rstrip("=").split("+")
        value, text = int(left, 9) + int(right, 9), ""
        while value:
            value, text = value // 9, text + str(value % 9)
        row["output"], row["correct"] = text + ";", True
    return rows


ATTACKS = {
    "a row missing in a sum log": on_rows("sum_base9_k4.jsonl", lambda rows: rows[1:]),
    "a row missing in a check log": on_rows("next_base9_k4.jsonl", lambda rows: rows[1:]),
    "a row twice": on_rows("sum_base9_k4.jsonl", lambda rows: [*rows, rows[0]]),
    "truncated file": on_text("sum_base11_k8.jsonl", lambda text: text[: len(text) // 3]),
    "empty file": on_text("sum_base11_k8.jsonl", lambda _: ""),
    "NaN as log-probability": on_rows("sum_base10_k0.jsonl", lambda rows: [{**row, "logprob": float("nan")} for row in rows]),
    "log-probabilities of zero": on_rows("*.jsonl", lambda rows: [{**row, "logprob": 0.0} for row in rows]),
    "all marked right": on_rows("*.jsonl", lambda rows: [{**row, "correct": True} for row in rows]),
    "verdict as a number": on_rows("sum_base10_k0.jsonl", lambda rows: [{**row, "correct": int(row["correct"])} for row in rows]),
    "no output": on_rows("sum_base10_k0.jsonl", lambda rows: [{**row, "output": None} for row in rows]),
    "perfect answers in base nine": on_rows("sum_base9_k*.jsonl", right_by_prompt),
    "one answer's digits changed": on_rows("sum_base10_k8.jsonl", lambda rows: [{**rows[0], "output": "000;"}, *rows[1:]]),
    "k = 4 logs in place of k = 8": copy("sum_base9_k4.jsonl", "sum_base9_k8.jsonl"),
    "checks of k = 0 in place of k = 8": copy("next_base11_k0.jsonl", "next_base11_k8.jsonl"),
    "prompts without the question": on_rows(
        "sum_base9_k4.jsonl", lambda rows: [{**row, "prompt": "[base-9][sum]"} for row in rows]
    ),
    "base nine logs under base eleven": copy("sum_base9_k4.jsonl", "sum_base11_k4.jsonl"),
    "summary without a row": on_text("summary.csv", lambda text: text[: text.rstrip().rindex("\n") + 1]),
    "summary with another gap": on_text("summary.csv", lambda text: text.rstrip().rsplit(",", 1)[0] + ",0.5\n"),
    "summary not a table": on_text("summary.csv", lambda _: "accuracy\n1\n"),
}


def main() -> None:
    artefacts, data, other = map(Path, sys.argv[1:4])
    honest = metrics(artefacts, data)
    print({key: value for key, value in honest.items() if "digest" not in key})
    bad = 0
    for name, attack in ATTACKS.items():
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(artefacts, folder, dirs_exist_ok=True)
            attack(Path(folder) / "results" / "few_shot")
            try:
                found = metrics(Path(folder), data)
                changed = [key for key in honest if found[key] != honest[key]]
                result = f"changes {', '.join(changed[:3])}" if changed else "NOT SEEN"
                bad += not changed
            except BrokenContract as error:
                result = f"refused: {error}"
        print(f"{name}: {result}")
    try:
        metrics(artefacts, other)
        result, bad = "NOT REFUSED", bad + 1
    except BrokenContract as error:
        result = f"refused: {error}"
    except KeyError as error:
        result, bad = f"KeyError {error}", bad + 1
    print(f"artefacts of another variant: {result}")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
