# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The data of one variant: word problems about things of several colours that come one lot after the other.

A story lists lots, each a number of things of one colour, and at the end it is asked how many there are of one colour; nothing in
the story says beforehand which colour that will be. Problems come in two files, by the number of lots. Sizes and mix are the same
for every seed; the authoring scripts train on problems of this generator. In some of the long stories the colour asked about comes in
more lots than the model was trained on: it then often runs into the length limit without stating an answer, and its answers cannot be
foretold from the problem.
"""

import json
import random
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Greta", "Hugo", "Ines", "Jonas", "Klara", "Lars"]
COLOURS = ["red", "blue", "green", "white", "black", "yellow"]
THINGS = ["pens", "books", "shells", "cards", "stamps", "apples"]
FEWEST, MOST = 2, 9

LOTS = {"short": (4, 5), "long": (7, 8, 9)}
WANTED = (2, 3)
"""Lots of the colour that is asked about."""
PROBLEMS = {"short": 60, "long": 90}
CROWDED = {"short": [], "long": [5] * 4 + [6] * 8}
"""Lots of the colour asked about in the stories that have more of them than usual; their places in the file are drawn."""
LARGEST = 27
"""The model knows no number beyond."""


def make(seed: int, out_dir: Path) -> None:
    """Write the data folder of variant `seed`."""
    rng = random.Random(f"stories/{seed}")
    taken: set[str] = set()
    for name, size in PROBLEMS.items():
        rows: list[dict] = []
        crowded = dict(zip(rng.sample(range(size), len(CROWDED[name])), CROWDED[name], strict=True))
        while len(rows) < size:
            made = problem(rng, rng.choice(LOTS[name]), crowded.get(len(rows)) or rng.choice(WANTED))
            if made["story"] not in taken and made["answer"] <= LARGEST:
                taken.add(made["story"])
                rows.append({"id": f"{name}-{len(rows):03d}"} | {key: made[key] for key in ("story", "question", "answer")})
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (out_dir / f"stories_{name}.jsonl").write_text(text, encoding="utf-8")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")


def problem(rng: random.Random, lots: int, wanted: int) -> dict:
    """A story of `lots` lots, `wanted` of them of the colour asked about."""
    name, things, colour = rng.choice(NAMES), rng.choice(THINGS), rng.choice(COLOURS)
    chosen = set(rng.sample(range(lots), wanted))
    others = [other for other in COLOURS if other != colour]
    told, answer = [], 0
    for at in range(lots):
        number = rng.randint(FEWEST, MOST)
        told.append(f"{number} {colour if at in chosen else rng.choice(others)}")
        answer += number if at in chosen else 0
    return {
        "story": f"{name} gets {', '.join(told[:-1])} and {told[-1]} {things}.",
        "question": f"How many {colour} {things} does {name} get?",
        "answer": answer,
        "worked": f"{wanted} lots, {answer} together.",
    }
