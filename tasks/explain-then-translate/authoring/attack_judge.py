# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Damage a right result in ways that a judge must notice.

    PYTHONPATH=<rexbench>/src python authoring/attack_judge.py ARTEFACTS DATA OTHER_DATA

ARTEFACTS holds translation_results/ of a gold run on DATA; OTHER_DATA is another variant. Prints one line per attack: refused (broken
contract) or other (metrics differ from gold's). Exits 1 if an attack leaves the metrics as they were.
"""

import importlib.util
import json
import shutil
import sys
import tempfile
from pathlib import Path

from rexbench.evaluation.reading import BrokenContract

spec = importlib.util.spec_from_file_location("judge", Path(__file__).parents[1] / "judge.py")
judge = importlib.util.module_from_spec(spec)
sys.modules["judge"] = judge
spec.loader.exec_module(judge)


def all_explained(content: dict) -> None:
    for row in content["problems"]:
        row["choice"] = "explained"


def flip_one(content: dict) -> None:
    row = content["problems"][0]
    row["choice"] = "direct" if row["choice"] == "explained" else "explained"


EDITS = {
    "duplicate problem": lambda c: c["problems"].append(c["problems"][0]),
    "problem removed": lambda c: c["problems"].pop(),
    "problem moved to dropped": lambda c: c["dropped"].append(c["problems"].pop()["problem_id"]),
    "problem in both lists": lambda c: c["dropped"].append(c["problems"][0]["problem_id"]),
    "dropped emptied": lambda c: c.update(dropped=[]),
    "unknown problem": lambda c: c["problems"].append({**c["problems"][0], "problem_id": "ETT_999_none"}),
    "choice flipped, n and c kept": flip_one,
    "always explained": all_explained,
    "third arm": lambda c: c["problems"][0].update(choice="oracle"),
    "c raised": lambda c: c["problems"][0].update(c=99),
    "n as text of words": lambda c: c["problems"][0].update(n="eight"),
    "selected rate raised": lambda c: c["pass@1"].update(selected=0.99),
    "rate missing": lambda c: c["pass@1"].pop("explained"),
    "complexity null": lambda c: c["problems"][0].update(complexity=None),
    "complexity off by one": lambda c: c["problems"][0].update(complexity=c["problems"][0]["complexity"] + 1),
    "complexity true": lambda c: c["problems"][0].update(complexity=True),
    "complexity NaN": lambda c: c["problems"][0].update(complexity=float("nan")),
    "entry point changed": lambda c: c["problems"][0].update(entry_point="main"),
    "problems is an object": lambda c: c.update(problems={}),
    "problem is a list": lambda c: c["problems"].append([1]),
    "choice is a list": lambda c: c["problems"][0].update(choice=["explained"]),
    "no problems": lambda c: c.update(problems=[], dropped=[r["problem_id"] for r in c["problems"]] + c["dropped"]),
    "wrong pair": lambda c: c.update(pair="py-go"),
}
RAW = {
    "truncated": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "a list": lambda text: "[]",
    "deep nesting": lambda text: "[" * 200_000,
    "duplicate key": lambda text: text.replace('"pair"', '"pair": "py-js",\n "pair"', 1),
}

artefacts, data, other = map(Path, sys.argv[1:4])
gold = judge.metrics(artefacts, data)
target = Path("translation_results") / "py-rs.json"
text = (artefacts / target).read_text()


def damaged(edit) -> str:
    content = json.loads(text)
    edit(content)
    return json.dumps(content)


attacks = {name: damaged(edit) for name, edit in EDITS.items()} | {name: edit(text) for name, edit in RAW.items()}
failures = 0
with tempfile.TemporaryDirectory() as top:
    for name, replaced in attacks.items():
        copy = Path(top) / "copy"
        shutil.copytree(artefacts, copy)
        (copy / target).write_text(replaced)
        try:
            noticed = "other" if judge.metrics(copy, data) != gold else "NOT NOTICED"
        except BrokenContract as error:
            noticed = f"refused: {error}"[:110]
        judge.landmarks(copy, data)
        failures += noticed == "NOT NOTICED"
        print(f"{name}: {noticed}")
        shutil.rmtree(copy)
    try:
        judge.metrics(artefacts, other)
        failures += 1
        print("results of another variant: NOT NOTICED")
    except BrokenContract as error:
        print(f"results of another variant: refused: {error}")
sys.exit(failures > 0)
