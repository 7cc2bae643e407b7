# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Winograd-style pairs about the world that the language model was trained on, and word lists in the order of its corpus.

A sentence "the A FRAME the B because the X was KEY ." is true when sign(frame, dimension) * polarity points at X: plus at A, minus
at B. The signs were fixed when the model's corpus was made, so they are constants here; a variant draws the pairs (entities, frame,
tag, dimension, wording) and which words of the lexicon are on the lists. `authoring/` imports this file for the same world.

Which words and demonstrations a right solution has follows from the data, and so do those of a wrong reading of the rules. A draw in which
some wrong reading would hardly show is drawn again.
"""

import json
import random
from collections.abc import Callable
from functools import cache, partial
from math import ceil, floor
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
FORMS = {
    "NNS": (
        "times years people ways days men things women lives children worlds schools states families students groups countries "
        "problems hands parts places cases weeks companies systems questions works governments numbers nights points homes "
        "waters rooms mothers areas moneys stories facts months lots rights studies books eyes jobs words businesses issues "
        "sides kinds heads houses services friends fathers powers hours games lines ends members laws cars cities names "
        "presidents teams minutes ideas kids bodies informations backs parents faces - levels offices doors health persons arts "
        "wars histories parties results changes mornings reasons research girls guys moments airs teachers forces kings judges "
        "feet boys ages policies music markets senses nations plans colleges skills speeds guards bridges engines boats towers "
        "crafts wealth rages knives wolves leaves geese mice - heroes echoes quarrels feathers ladders baskets candles pebbles "
        "thimbles bramble lanterns cactuses hoofs wharves scarves dwarfs trowels goslings sparrows anvils - turnips parsnips"
    ).split(),
    "VBD": (
        "had said got made went knew took saw came thought looked wanted gave used found told asked worked seemed felt tried "
        "left called needed became meant kept let began helped showed heard played ran moved lived believed brought happened "
        "wrote sat stood lost paid met included continued set learned changed led understood watched followed stopped created "
        "spoke read spent grew opened walked won taught offered remembered considered appeared bought served died sent built "
        "stayed fell cut reached killed raised passed sold decided returned explained hoped developed carried broke received "
        "agreed supported hit produced ate covered caught drew chose trusted pushed joined warned swam sang dreamed worried "
        "shrank sneaked dwelt wept crept swept clung flung stung strove trod slew forsook bit hid leaned leapt knelt spoiled "
        "smelled mowed sewed hewed strode pleaded shed knit quit thrust wrung abided besought"
    ).split(),
    "VBG": (
        "having saying getting making going knowing taking seeing coming thinking looking wanting giving using finding telling "
        "asking working seeming feeling trying leaving calling needing becoming meaning keeping letting beginning helping "
        "showing hearing playing running moving living believing bringing happening writing sitting standing losing paying "
        "meeting including continuing setting learning changing leading understanding watching following stopping creating "
        "speaking reading spending growing opening walking winning teaching offering remembering considering appearing buying "
        "serving dying sending building staying falling cutting reaching killing raising passing selling deciding returning "
        "explaining hoping developing carrying breaking receiving agreeing supporting hitting producing eating covering "
        "catching drawing choosing trusting pushing joining warning swimming singing dreaming worrying shrinking sneaking "
        "dwelling weeping creeping sweeping clinging flinging sting striving treading slaying forsaking biting hiding leaning "
        "leaping kneeling spoiling smelling mowing sewing hewing striding pleading shedding knitting quitting thrusting "
        "wringing abiding beseeching"
    ).split(),
    "JJR": (
        "better newer - - longer greater littler - - older righter bigger higher - smaller larger - earlier younger - fewer - "
        "worse - abler later harder stronger - - freeer trueer realer fuller - easier clearer - - - redder - - likelier shorter "
        "- - - worse - - - finer commoner poorer - hotter simpler - wider deeper blacker lower stranger darker happier - "
        "readier deader busier richer thinner warmer safer quicker angrier - heavier luckier nicer drier braver sharper "
        "narrower wilder smoother cleaner purer ruder milder calmer grimmer vaster duller shyer sterner frailer bleaker gaunter "
        "- goldener - - - lazier dizzier gloomier tidier clumsier - - humbler feebler gentler - burlier sleeker stouter swifter "
        "blunter brisker drowsier hastier greasier - pricklier lankier murkier sprier slier glummer limper crisper drabber"
    ).split(),
}
"""The first form that the dictionary lists for each word of the lexicon, in its order; "-" where it lists none."""
UNLISTED = {"NN": {"others", "ox", "bellows"}, "JJ": {"other"}, "RB": {"drowsily", "glumly"}}
"""Words that the dictionary does not list under the tag of their base form."""
LISTED = {"noun": 118, "verb": 117, "adj": 116, "adv": 62}
"""A fifth of each, and 35 % of the adjectives, has to be rounded, here up and there down."""
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


Word = tuple[str, str]
"""Lemma and form."""
Chosen = dict[tuple[str, str], tuple[Word, list[str]]]
"""By group and item: the word, and the ids of the demonstrations."""


@cache
def _form(pos: str, lemma: str, tag: str) -> str:
    if tag in FORMS:
        return FORMS[tag][LEXICON[pos].index(lemma)]
    return "-" if lemma in UNLISTED[tag] else lemma


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _is_there(item: dict, word: Word) -> bool:
    sentence, definition = _words(item["sentence"]), _words(item["definition"])
    return any(part in sentence or part in definition for part in word)


def _is_there_in_any_form(item: dict, word: Word) -> bool:
    return any(_is_there(item, (word[0], _form(item["pos"], word[0], tag))) for tag, _ in TAGS[item["pos"]])


def _shares_word(query: dict, other: dict, one: Word, two: Word) -> bool:
    return one[0] == two[0]


def _chosen(
    items: list[dict],
    lists: dict[str, list[str]],
    clashes: Callable[[dict, Word], bool] = _is_there,
    shares: Callable[[dict, dict, Word, Word], bool] = _shares_word,
    rounded: Callable[[float], int] = round,
) -> Chosen:
    """Words and demonstrations by the rules of the instructions, or by one that is read otherwise."""
    found: Chosen = {}
    for group in ("top", "bottom", "all"):
        words: dict[str, Word] = {}
        for item in items:
            listed, pos = lists[item["pos"]], item["pos"]
            size = rounded(len(listed) * (35 if pos == "adj" and group == "bottom" else 20) / 100)
            part = {"top": listed[:size], "bottom": listed[len(listed) - size :], "all": listed}[group]
            formed = [(lemma, form) for lemma in part if (form := _form(pos, lemma, item["tag"])) != "-"]
            usable = [word for word in formed if not clashes(item, word)]
            words[item["id"]] = random.Random(f"13:{group}:{item['id']}").choice(usable)
        for item in items:
            key = item["id"]
            pool = [o for o in items if o["pair"] != item["pair"] and not shares(item, o, words[key], words[o["id"]])]
            shots = random.Random(f"13:demonstrations:{key}").sample(pool, 5)
            found[group, key] = words[key], [shot["id"] for shot in shots]
    return found


WRONG_READINGS = {
    "a word of another part of speech is another": {"shares": lambda a, b, one, two: a["pos"] == b["pos"] and one[0] == two[0]},
    "any form in the sentence counts": {"clashes": _is_there_in_any_form},
    "only the lemma is looked for": {"clashes": lambda item, word: _is_there(item, (word[0], word[0]))},
    "only the form is looked for": {"clashes": lambda item, word: _is_there(item, (word[1], word[1]))},
    "only the sentence is looked at": {"clashes": lambda item, word: _is_there({**item, "definition": ""}, word)},
    "only the definition is looked at": {"clashes": lambda item, word: _is_there({**item, "sentence": ""}, word)},
    "another form is another word": {"shares": lambda a, b, one, two: one[1] == two[1]},
    "words are not compared": {"shares": lambda a, b, one, two: False},
    "sizes are rounded down": {"rounded": floor},
    "sizes are rounded up": {"rounded": ceil},
}
LEAST = 2
"""Problems, of 240, that each wrong reading changes in every variant."""


def _tells_apart(items: list[dict], lists: dict[str, list[str]]) -> bool:
    read = partial(_chosen, items, lists)
    right = read()
    for reading in WRONG_READINGS.values():  # the rarest first
        wrong = read(**reading)
        if sum(wrong[key] != right[key] for key in right) < LEAST:
            return False
    return True


def make(seed: int, out_dir: Path) -> None:
    for attempt in range(1000):
        rng = random.Random(f"winodict {seed} {attempt}")
        items = _pairs(rng)
        lists = {pos: [words[at] for at in sorted(rng.sample(range(len(words)), LISTED[pos]))] for pos, words in LEXICON.items()}
        if _tells_apart(items, lists):
            break
    else:
        raise ValueError(f"seed {seed}: no draw of a thousand tells every wrong reading from the right one")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")
    (out_dir / "items.jsonl").write_text("\n".join(map(json.dumps, items)) + "\n", encoding="utf-8")
    (out_dir / "words").mkdir()
    for pos, words in lists.items():
        (out_dir / "words" / f"{pos}.txt").write_text("\n".join([f"# {CANARY}", *words]) + "\n", encoding="utf-8")
