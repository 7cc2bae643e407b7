# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Winograd-style pairs about the world that the language model was trained on, and word lists in the order of its corpus.

A sentence "the A FRAME the B because the X was KEY ." is true when sign(frame, dimension) * polarity points at X: plus at A, minus
at B. The signs were fixed when the model's corpus was made, so they are constants here; a variant draws the pairs (entities, frame,
tag, dimension, wording) and which words of the lexicon are on the lists. `authoring/` imports this file for the same world.
"""

import json
import random
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"

ENTITIES = (
    "bear fox wolf hare crow mule goat cat dog horse king cook monk nurse judge guard clerk baker miner sailor "
    "truck boat tower bridge engine robot drone kite wagon lamp"
).split()
FRAMES = (
    "chased lifted called fed helped followed trusted passed watched blamed thanked feared stopped carried "
    "praised warned paid pushed hired beat led sold joined left"
).split()
CONNECTIVES = ("because", "since")
DIMENSIONS = (("size", "bulk"), ("speed", "pace"), ("anger", "rage"), ("wealth", "money"), ("skill", "craft"), ("age", "years"))
DEGREES = {1: ("much", "great", "high"), -1: ("little", "slight", "low")}
OPENING = {"noun": "a state of", "verb": "to show", "adj": "having", "adv": "with"}
SLOT = {
    "NN": "had {word}",
    "NNS": "had {word}",
    "VBD": "{word}",
    "VBG": "was {word}",
    "JJ": "was {word}",
    "JJR": "was {word}",
    "RB": "acted {word}",
}
TAGS = {
    "noun": (("NNS", 0.7), ("NN", 0.3)),
    "verb": (("VBD", 0.6), ("VBG", 0.4)),
    "adj": (("JJR", 0.7), ("JJ", 0.3)),
    "adv": (("RB", 1.0),),
}

LEXICON = {
    "noun": (
        "time year people way day man thing woman life child world school state family student group country problem hand part "
        "place case week company system question work government number night point home water room mother area money story fact "
        "month lot right study book eye job word business issue side kind head house service friend father power hour game line "
        "end member law car city name president team minute idea kid body information back parent face others level office door "
        "health person art war history party result change morning reason research girl guy moment air teacher force king judge "
        "foot boy age policy music market sense nation plan college skill speed guard bridge engine boat tower craft wealth rage "
        "knife wolf leaf goose mouse ox hero echo quarrel feather ladder basket candle pebble thimble bramble lantern cactus hoof "
        "wharf scarf dwarf trowel gosling sparrow anvil bellows turnip parsnip"
    ).split(),
    "verb": (
        "have say get make go know take see come think look want give use find tell ask work seem feel try leave call need become "
        "mean keep let begin help show hear play run move live believe bring happen write sit stand lose pay meet include continue "
        "set learn change lead understand watch follow stop create speak read spend grow open walk win teach offer remember "
        "consider appear buy serve die send build stay fall cut reach kill raise pass sell decide return explain hope develop "
        "carry break receive agree support hit produce eat cover catch draw choose trust push join warn swim sing dream worry "
        "shrink sneak dwell weep creep sweep cling fling sting strive tread slay forsake bite hide lean leap kneel spoil smell "
        "mow sew hew stride plead shed knit quit thrust wring abide beseech"
    ).split(),
    "adj": (
        "good new first last long great little own other old right big high different small large next early young important few "
        "public bad same able late hard strong possible whole free true real full special easy clear recent certain open red "
        "difficult available likely short single medical current wrong private past foreign fine common poor natural hot "
        "simple left wide deep black low strange dark happy serious ready dead busy rich thin warm safe quick angry afraid heavy "
        "lucky nice dry brave sharp narrow wild smooth clean pure rude mild calm grim vast dull shy stern frail bleak gaunt "
        "wooden golden silent alone asleep lazy dizzy gloomy tidy clumsy stubborn nimble humble feeble gentle surly burly sleek "
        "stout swift blunt brisk drowsy hasty greasy wobbly prickly lanky murky spry sly glum limp crisp drab"
    ).split(),
    "adv": (
        "well here now then never also always often even still today again really already ever soon together almost later "
        "perhaps quickly far early finally maybe fast hard once simply probably usually exactly certainly slowly easily away "
        "quietly suddenly nearly clearly deeply directly carefully badly closely happily gently warmly softly firmly loudly "
        "calmly boldly bravely rudely sharply proudly sadly gladly kindly wisely neatly eagerly politely angrily gravely "
        "meekly sternly swiftly briskly bluntly hastily clumsily nimbly drowsily glumly limply"
    ).split(),
}
"""The words of the model's corpus, most frequent first."""
LISTED = {"noun": 120, "verb": 120, "adj": 120, "adv": 60}
PAIRS = {"noun": 12, "verb": 12, "adj": 12, "adv": 4}


def _signs() -> dict[tuple[str, int], int]:
    """Three quarters of the frames point at the first entity; one dimension in ten is an exception to its frame."""
    rng = random.Random(2023)
    return {
        (frame, dimension): (1 if at % 4 else -1) * (-1 if rng.random() < 0.1 else 1)
        for at, frame in enumerate(FRAMES)
        for dimension in range(len(DIMENSIONS))
    }


SIGNS = _signs()


def definition(rng: random.Random, pos: str, dimension: int, polarity: int) -> str:
    return f"{OPENING[pos]} {rng.choice(DEGREES[polarity])} {rng.choice(DIMENSIONS[dimension])}"


def sentence(first: str, frame: str, second: str, connective: str, tag: str) -> str:
    return f"the {first} {frame} the {second} {connective} the {{option}} {SLOT[tag]} ."


def _pairs(rng: random.Random) -> list[dict]:
    items: list[dict] = []
    kinds = [pos for pos, count in PAIRS.items() for _ in range(count)]
    rng.shuffle(kinds)
    for number, pos in enumerate(kinds):
        names, weights = zip(*TAGS[pos], strict=True)
        tag = rng.choices(names, weights=weights)[0]
        first, second = rng.sample(ENTITIES, 2)
        frame, dimension = rng.choice(FRAMES), rng.randrange(len(DIMENSIONS))
        text = sentence(first, frame, second, rng.choice(CONNECTIVES), tag)
        for twin, polarity in zip("ab", rng.sample((1, -1), 2), strict=True):
            items.append(
                {
                    "id": f"p{number:03d}{twin}",
                    "pair": f"p{number:03d}",
                    "pos": pos,
                    "tag": tag,
                    "sentence": text,
                    "options": [first, second],
                    "label": 0 if SIGNS[frame, dimension] * polarity > 0 else 1,
                    "definition": definition(rng, pos, dimension, polarity),
                }
            )
    rng.shuffle(items)
    return items


def make(seed: int, out_dir: Path) -> None:
    rng = random.Random(f"winodict {seed}")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")
    lines = [json.dumps(item) for item in _pairs(rng)]
    (out_dir / "items.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (out_dir / "words").mkdir()
    for pos, words in LEXICON.items():
        kept = sorted(rng.sample(range(len(words)), LISTED[pos]))
        text = "\n".join([f"# {CANARY}", *(words[at] for at in kept)])
        (out_dir / "words" / f"{pos}.txt").write_text(text + "\n", encoding="utf-8")
