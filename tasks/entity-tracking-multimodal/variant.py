# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Data of a variant: box scenarios to be solved, and two worked ones for the prompt. Only starts and operations are written, never end states."""

import json
import random
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
SCENARIOS, BOXES, ROOM = 40, 5, 4
OPERATIONS = range(3, 16)
"""Numbers of operations; every number is used equally often, up to rounding."""
MOST_OBJECTS = 14
"""In all boxes together, at any time."""
OBJECTS = (
    "apple ball bell bookmark bottle brush candle candlestick card clock coin cup cupcake doorbell drum eggcup fan flowerpot football fork glass "
    "hairbrush hammer handbag handbell hat keyring kite lamp map mirror newspaper notebook notecard notepad pen ring rope saucepan snowball "
    "snowshoe sunflower teacup teapot teaspoon toothbrush vase wineglass"
).split()


def _start(unused: list[str], sizes: list[int]) -> list[list[str]]:
    return [[unused.pop() for _ in range(size)] for size in sizes]


def _operate(rng: random.Random, state: list[list[str]], unused: list[str], kind: str) -> list | None:
    """Do one operation on `state`; None where this kind is not possible."""
    full = [box for box in range(BOXES) if state[box]]
    roomy = [box for box in range(BOXES) if len(state[box]) < ROOM]
    if kind == "put":
        if sum(map(len, state)) >= MOST_OBJECTS:
            return None
        thing, target = unused.pop(), rng.choice(roomy)
        state[target].append(thing)
        return ["put", thing, target]
    if not full:
        return None
    # Every object is equally likely, so a box is chosen by how much it holds.
    source, thing = rng.choice([(box, held) for box in full for held in state[box]])
    state[source].remove(thing)
    if kind == "remove":
        return ["remove", thing, source]
    target = rng.choice([box for box in roomy if box != source])
    state[target].append(thing)
    return ["move", thing, source, target]


def _scenario(rng: random.Random, name: str, sizes: list[int], operations: int) -> dict:
    unused = OBJECTS.copy()
    rng.shuffle(unused)
    boxes = _start(unused, sizes)
    state = [list(box) for box in boxes]
    told: list[list] = []
    while len(told) < operations:
        done = _operate(rng, state, unused, rng.choices(("move", "put", "remove"), (2, 1, 1))[0])
        if done is not None:
            told.append(done)
    return {"id": name, "boxes": boxes, "operations": told}


def _demonstration(rng: random.Random, name: str) -> dict:
    """Five objects and two operations of different kinds, so that prompts of all variants are about equally long."""
    while True:
        sizes = [0, 1, 1, 1, 2]
        rng.shuffle(sizes)
        found = _scenario(rng, name, sizes, 2)
        if {operation[0] for operation in found["operations"]} in ({"move", "put"}, {"move", "remove"}):
            return found


def _write(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def make(seed: int, out_dir: Path) -> None:
    rng = random.Random(f"boxes {seed}")
    lengths = [OPERATIONS[at % len(OPERATIONS)] for at in range(SCENARIOS)]
    rng.shuffle(lengths)
    scenarios = []
    for at, length in enumerate(lengths):
        sizes = rng.choices((0, 1, 2), (20, 45, 35), k=BOXES)
        scenarios.append(_scenario(rng, f"s{at:03d}", sizes, length))
    _write(out_dir / "scenarios.jsonl", scenarios)
    _write(out_dir / "demonstrations.jsonl", [_demonstration(rng, f"d{at}") for at in range(2)])
    (out_dir / "CANARY.txt").write_text(CANARY + "\n")
