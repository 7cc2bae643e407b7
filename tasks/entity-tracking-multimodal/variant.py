# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Data of a variant: box scenarios to be solved, and two worked ones for the prompt. Only starts and operations are written, never end states.

How many worked ones fit is counted here in the tokens of the vision-language model, so that every variant has prompts that keep both,
one and none of them, and prompts that fit to the token.
"""

import json
import random
import re
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
SCENARIOS, BOXES, ROOM = 40, 5, 4
OPERATIONS = range(3, 16)
"""Numbers of operations; every number is used equally often, up to rounding."""
MOST_OBJECTS = 14
"""In all boxes together, at any time."""
LIMIT, ANSWER = 352, 80
"""Positions of the vision-language model, and the room for the answer."""
EXACT = {5: 2, 14: 1}
"""Numbers of operations of which one scenario's prompt fits to the token, and with how many demonstrations."""
FEWEST_KEPT = (1, 15, 5)
"""Least numbers of scenarios that keep no, one and both demonstrations."""
LONG_ANSWER, SHORTEST, LONGEST = 180, 8, 12
"""Room for the answer in the guard `other-folders`, and how many scenarios with the fewest and with the most operations it takes."""
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


def _pieces() -> tuple[set[str], str]:
    """The vision-language model's tokens and its mark for the beginning of a word."""
    folder = Path(__file__).resolve().parent / "repo" / "checkpoints" / "boxes-vlm"
    values = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    return set(values["pieces"]), values["word_mark"]


def _tokens(text: str, pieces: set[str], mark: str) -> int:
    count = 0
    for word in re.findall(r"<\w+>|\w+|[^\w\s]", text):
        rest = mark + word if word[0].isalnum() else word
        while rest:
            rest = rest[next(end for end in range(len(rest), 0, -1) if rest[:end] in pieces) :]
            count += 1
    return count


def _told(scenario: dict, solved: bool) -> str:
    """A scenario in the words of the vision-language model."""
    state = [list(box) for box in scenario["boxes"]]
    text = f"Context: {_listed(state)}"
    for kind, thing, *boxes in scenario["operations"]:
        if kind != "put":
            state[boxes[0]].remove(thing)
        if kind != "remove":
            state[boxes[-1]].append(thing)
        words = {
            "move": "Move the {} from Box {} to Box {}.",
            "put": "Put the {} into Box {}.",
            "remove": "Remove the {} from Box {}.",
        }
        text += " " + words[kind].format(thing, *boxes)
    return f"{text} Answer:" + (f" {_listed(state)} <end>" if solved else "")


def _listed(state: list[list[str]]) -> str:
    held = ["contains " + " and ".join(f"the {thing}" for thing in box) if box else "is empty" for box in state]
    return ", ".join(f"Box {at} {text}" for at, text in enumerate(held)) + "."


def _draw(rng: random.Random) -> tuple[list[dict], list[dict], list[int]]:
    """Scenarios, demonstrations, and how many scenarios keep no, one and both demonstrations."""
    pieces, mark = _pieces()
    demonstrations = [_demonstration(rng, f"d{at}") for at in range(2)]
    shown = [_tokens(_told(one, solved=True), pieces, mark) for one in demonstrations]
    lengths = [OPERATIONS[at % len(OPERATIONS)] for at in range(SCENARIOS)]
    rng.shuffle(lengths)
    exact = {lengths.index(length): shown[2 - kept :] for length, kept in EXACT.items()}
    scenarios, kept = [], [0, 0, 0]
    for at, length in enumerate(lengths):
        while True:
            scenario = _scenario(rng, f"s{at:03d}", rng.choices((0, 1, 2), (20, 45, 35), k=BOXES), length)
            alone = 1 + _tokens(_told(scenario, solved=False), pieces, mark) + ANSWER
            if at not in exact or alone + sum(exact[at]) == LIMIT:
                break
        kept[(alone + shown[1] <= LIMIT) + (alone + sum(shown) <= LIMIT)] += 1
        scenarios.append(scenario)
    return scenarios, demonstrations, kept


def _tight_with_long_answers(scenarios: list[dict], last_shown: dict) -> bool:
    """Whether, with LONG_ANSWER tokens of room, some scenario keeps a demonstration and some does not fit even alone."""
    pieces, mark = _pieces()
    ordered = sorted(scenarios, key=lambda scenario: len(scenario["operations"]))
    alone = [
        1 + _tokens(_told(one, solved=False), pieces, mark) + LONG_ANSWER for one in (*ordered[:SHORTEST], *ordered[-LONGEST:])
    ]
    return max(alone) > LIMIT and min(alone) + _tokens(_told(last_shown, solved=True), pieces, mark) <= LIMIT


def make(seed: int, out_dir: Path) -> None:
    rng = random.Random(f"boxes {seed}")
    while True:
        scenarios, demonstrations, kept = _draw(rng)
        enough = all(count >= least for count, least in zip(kept, FEWEST_KEPT, strict=True))
        if enough and _tight_with_long_answers(scenarios, demonstrations[-1]):
            break
    _write(out_dir / "scenarios.jsonl", scenarios)
    _write(out_dir / "demonstrations.jsonl", demonstrations)
    (out_dir / "CANARY.txt").write_text(CANARY + "\n")
