# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Damage a right result in ways that the judge must notice.

    PYTHONPATH=<rexbench>/src python authoring/attack_judge.py ARTEFACTS DATA OTHER_DATA

ARTEFACTS holds results/agreement/ of a gold run on DATA; OTHER_DATA is another variant. One line per attack: refused (broken
contract) or other (metrics differ from gold's). Harmless rewritings must leave the metrics alone. Exits 1 where either fails.
"""

import importlib.util
import json
import shutil
import sys
import tempfile
from pathlib import Path

from rexbench.evaluation.reading import BrokenContract

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("judge", Path(__file__).parents[1] / "judge.py")
judge = importlib.util.module_from_spec(spec)
sys.modules["judge"] = judge
spec.loader.exec_module(judge)

artefacts, data, other = map(Path, sys.argv[1:4])
CHOICES, SUMMARY = Path("results/agreement/choices.jsonl"), Path("results/agreement/summary.csv")
rows = [json.loads(line) for line in (artefacts / CHOICES).read_text().splitlines()]
summary = (artefacts / SUMMARY).read_text()
games = judge._games(data)


def consistent(changed: list[dict]) -> tuple[str, str]:
    """Both files, with all figures made to follow from the choices."""
    table = {}
    for row in changed:
        states = {judge._state(text) for text in row["chosen"]}
        row["precision"] = games[row["idx"]].precision(states)
        table.setdefault((row["votes"], row["breadth"]), []).append((row["precision"], games[row["idx"]].chance()))
    lines = ["votes,breadth,games,precision,chance"]
    for (votes, breadth), pairs in table.items():
        means = [sum(column) / len(pairs) for column in zip(*pairs, strict=True)]
        lines.append(f"{votes},{breadth},{len(pairs)},{means[0]!r},{means[1]!r}")
    return text(changed), "\n".join(lines) + "\n"


def text(changed: list[dict]) -> str:
    return "".join(json.dumps(row) + "\n" for row in changed)


def edited(**change) -> str:
    return text([{**rows[0], **change}, *rows[1:]])


def written(states) -> list[str]:
    return [" ".join(map(str, state)) for state in states]


five = next(at for at, row in enumerate(rows) if row["breadth"] == 5 and len(row["chosen"]) == 5)
teacher = [{**row, "chosen": written(sorted(games[row["idx"]].kept)[: row["breadth"]])} for row in rows]
someone = rows[0]["idx"]
swapped = next(s for s in written(sorted(games[rows[five]["idx"]].options)) if s not in rows[five]["chosen"])
one_changed = [{**row, "chosen": [swapped, *row["chosen"][1:]]} if at == five else dict(row) for at, row in enumerate(rows)]
exchanged = [{**row, "votes": 4 - row["votes"]} for row in rows]

ATTACKS: dict[str, tuple[str, str]] = {
    "cut off": ((artefacts / CHOICES).read_text()[:-30], summary),
    "half of the rows": (text(rows[: len(rows) // 2]), summary),
    "empty": ("", summary),
    "a row twice": (text([*rows, rows[0]]), summary),
    "a game left out, figures consistent": consistent([dict(row) for row in rows if row["idx"] != someone]),
    "a game left out under one condition": (text(rows[1:]), summary),
    "unknown game": (edited(idx=5), summary),
    "unknown condition": (edited(votes=2), summary),
    "precision NaN": (text(rows).replace('"precision": ', '"precision": NaN, "was": ', 1), summary),
    "precision raised": (edited(precision=0.123), summary),
    "precision is true": (edited(precision=True), summary),
    "nothing chosen": (edited(chosen=[]), summary),
    "a state twice": (
        text([{**row, "chosen": row["chosen"][:1] * 2} if at == five else row for at, row in enumerate(rows)]),
        summary,
    ),
    "more than the breadth": (edited(chosen=written(sorted(games[someone].options))), summary),
    "a state of nobody": (edited(chosen=["1 1 1"]), summary),
    "division by zero": (edited(chosen=["1/0 2 3"]), summary),
    "huge number": (edited(chosen=["9" * 5000 + " 2 3"]), summary),
    "chosen is text": (edited(chosen="4 6 12"), summary),
    "chosen holds a list": (edited(chosen=[["4", "6", "12"]]), summary),
    "a row is a list": (text(rows) + "[1]\n", summary),
    "key missing": (text([{k: v for k, v in row.items() if k != "chosen"} for row in rows]), summary),
    "teacher's choice as the student's, consistent": consistent(teacher),
    "one choice changed, consistent": consistent(one_changed),
    "votes exchanged, consistent": consistent(exchanged),
    "summary cut": (text(rows), "\n".join(summary.splitlines()[:4]) + "\n"),
    "summary with a row twice": (text(rows), summary + summary.splitlines()[1] + "\n"),
    "summary raised": (text(rows), summary.replace(summary.splitlines()[1], f"1,1,{len(rows) // 6},0.99,0.5")),
    "summary empty": (text(rows), ""),
}
HARMLESS: dict[str, tuple[str, str]] = {
    "rows reversed": (text(rows[::-1]), summary),
    "states in another order": (text([{**row, "chosen": row["chosen"][::-1]} for row in rows]), summary),
    "numbers in another order": (
        text([{**row, "chosen": [" ".join(s.split()[::-1]) for s in row["chosen"]]} for row in rows]),
        summary,
    ),
    "six decimals": (text([{**row, "precision": round(row["precision"], 6)} for row in rows]), summary),
    "further keys": (text([{**row, "note": "x"} for row in rows]), summary),
}
gold = judge.metrics(artefacts, data)
failures = 0
with tempfile.TemporaryDirectory() as top:
    for name, (choices, table) in {**ATTACKS, **HARMLESS}.items():
        copy = Path(top) / "copy"
        shutil.copytree(artefacts, copy)
        for path, content in ((CHOICES, choices), (SUMMARY, table)):
            (copy / path).chmod(0o644)
            (copy / path).write_text(content)
        try:
            same = judge.metrics(copy, data) == gold
            said = "the same" if same else "other"
        except BrokenContract as error:
            same, said = False, f"refused: {error}"[:120]
        judge.landmarks(copy, data)
        wrong = same != (name in HARMLESS)
        failures += wrong
        print(f"{'NOT NOTICED ' if wrong else ''}{name}: {said}")
        shutil.rmtree(copy)
    try:
        judge.metrics(artefacts, other)
        failures += 1
        print("NOT NOTICED: results of another variant")
    except BrokenContract as error:
        print(f"results of another variant: refused: {error}")
sys.exit(failures > 0)
