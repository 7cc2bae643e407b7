# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The data of one variant: word problems about things of several colours that come one lot after the other.

A story lists lots, each a number of things of one colour, and at the end it is asked how many there are of one colour; nothing in
the story says beforehand which colour that will be. Problems come in two files, by the number of lots. Sizes and mix are the same
for every seed; the authoring scripts train on problems of this generator. Some of the long stories are unlike those that the model was
trained on, so that its answers cannot be foretold from the problem: in crowded ones the colour asked about comes in more lots, and it
often runs into the length limit without stating an answer; in endless ones there are many more lots, and it states two answers.
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
LARGE, LARGE_FROM = (10, 14), 6
"""Numbers in crowded stories of at least so many lots. With these a single reading runs into the limit too: more than half of the time,
where numbers of the usual size never bring it there."""
ENDLESS = {"short": 0, "long": 4}
"""Stories of each file that are taken from those below."""
ENDLESS_LOTS = (30, 28)
"""Lots, and lots of the colour asked about."""
TWO_ANSWERS = (113, 297, 384, 498, 572, 735, 763, 837, 847)
"""What numbers the endless stories to which the shipped model, after a second reading, states one answer and then another. Few stories
of this length are such, so they were looked for (`authoring/two_answers.py`)."""
LARGEST = 27
"""The model knows no number beyond."""


def make(seed: int, out_dir: Path) -> None:
    """Write the data folder of variant `seed`."""
    rng = random.Random(f"stories/{seed}")
    taken: set[str] = set()
    for name, size in PROBLEMS.items():
        rows: list[dict] = []
        unlike: list[int | dict] = [*CROWDED[name], *map(endless, rng.sample(TWO_ANSWERS, ENDLESS[name]))]
        placed = dict(zip(rng.sample(range(size), len(unlike)), unlike, strict=True))
        while len(rows) < size:
            made = drawn(rng, name, placed.get(len(rows)))
            if made["story"] not in taken:
                taken.add(made["story"])
                rows.append({"id": f"{name}-{len(rows):03d}"} | {key: made[key] for key in ("story", "question", "answer")})
        check(name, rows)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (out_dir / f"stories_{name}.jsonl").write_text(text, encoding="utf-8")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")


def drawn(rng: random.Random, name: str, unlike: int | dict | None) -> dict:
    """A story of the usual kind, or, at a place that is kept for another kind, one of that."""
    if isinstance(unlike, dict):
        return unlike
    large = unlike is not None and unlike >= LARGE_FROM
    while True:
        made = problem(rng, rng.choice(LOTS[name]), unlike or rng.choice(WANTED), LARGE if large else (FEWEST, MOST))
        if large or made["answer"] <= LARGEST:
            return made


def endless(number: int) -> dict:
    return problem(random.Random(f"endless/{number}"), *ENDLESS_LOTS)


def check(name: str, rows: list[dict]) -> None:
    """The clauses that only stories of an unusual kind can hold have them in every variant: the limit and the last stated answer."""
    lots = [row["story"].count(",") + 2 for row in rows]
    assert sum(count == ENDLESS_LOTS[0] for count in lots) == ENDLESS[name]
    assert all(count in (*LOTS[name], ENDLESS_LOTS[0]) for count in lots)
    beyond = sum(row["answer"] > LARGEST for row in rows)
    assert beyond == ENDLESS[name] + sum(count >= LARGE_FROM for count in CROWDED[name])


def problem(rng: random.Random, lots: int, wanted: int, numbers: tuple[int, int] = (FEWEST, MOST)) -> dict:
    """A story of `lots` lots, `wanted` of them of the colour asked about."""
    name, things, colour = rng.choice(NAMES), rng.choice(THINGS), rng.choice(COLOURS)
    chosen = set(rng.sample(range(lots), wanted))
    others = [other for other in COLOURS if other != colour]
    told, answer = [], 0
    for at in range(lots):
        number = rng.randint(*numbers)
        told.append(f"{number} {colour if at in chosen else rng.choice(others)}")
        answer += number if at in chosen else 0
    return {
        "story": f"{name} gets {', '.join(told[:-1])} and {told[-1]} {things}.",
        "question": f"How many {colour} {things} does {name} get?",
        "answer": answer,
        "worked": f"{wanted} lots, {answer} together.",
    }
