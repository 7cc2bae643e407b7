# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Make one variant of the annotation study: items, annotations, validity judgements and a teacher's scores.

Every item is a premise and a hypothesis that differ in one phrase, so that the set of plausible labels follows from the pair of
phrases. Annotators label with a reason; some slip, misread or guess. Whether an annotation is sound is known here and written
nowhere: data/ holds what the other annotators judged (`validity.jsonl`, part "eval") and what a teacher scored (`teacher.jsonl`, part
"pool"); truth/ holds what the writers said themselves, which defines the errors. The order of the vocabulary differs from variant to variant,
so that weights which were fitted to another variant's ids mean nothing here.
"""

import json
from pathlib import Path

import numpy as np

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
POOL, EVAL = 400, 300
BATCH = 64
"""As in the config of the repository."""
LABELS = ("Entailment", "Neutral", "Contradiction")
E, N, C = LABELS
ANNOTATORS = ("a1", "a2", "a3", "a4")
CARELESS = {"a1": 0.12, "a2": 0.16, "a3": 0.20, "a4": 0.24}
"""How often each annotator's annotation is faulty."""

# slot -> phrase of the premise -> phrase of the hypothesis for each kind of item (see PLAUSIBLE)
RELATIONS: dict[str, dict[str, dict[str, str]]] = {
    "number": {
        "two": {"E": "more than one", "C": "exactly nine", "N": "all", "EN": "a few", "NC": "several"},
        "three": {"E": "more than one", "C": "exactly nine", "N": "both", "EN": "a few", "NC": "many"},
        "seven": {"E": "at least four", "C": "exactly nine", "N": "all", "EN": "several", "NC": "a few"},
        "dozens of": {"E": "at least four", "C": "exactly nine", "N": "most", "EN": "many", "NC": "a few"},
        "some": {"E": "one or more", "C": "no", "N": "exactly nine", "EN": "not all", "NC": "all"},
    },
    "who": {
        "nurses": {"E": "people", "C": "robots", "N": "sisters", "EN": "workers", "NC": "doctors"},
        "boys": {"E": "people", "C": "women", "N": "brothers", "EN": "children", "NC": "toddlers"},
        "soldiers": {"E": "adults", "C": "robots", "N": "brothers", "EN": "men", "NC": "children"},
        "poodles": {"E": "dogs", "C": "cats", "N": "puppies", "EN": "pets", "NC": "wolves"},
        "kittens": {"E": "cats", "C": "dogs", "N": "sisters", "EN": "pets", "NC": "tigers"},
        "farmers": {"E": "people", "C": "statues", "N": "brothers", "EN": "workers", "NC": "children"},
        "singers": {"E": "people", "C": "statues", "N": "sisters", "EN": "artists", "NC": "dancers"},
        "pupils": {"E": "people", "C": "robots", "N": "friends", "EN": "children", "NC": "teachers"},
        "brides": {"E": "adults", "C": "cats", "N": "friends", "EN": "women", "NC": "nuns"},
    },
    "doing": {
        "running": {"E": "moving", "C": "asleep", "N": "competing", "EN": "in a hurry", "NC": "resting"},
        "eating": {"E": "awake", "C": "asleep", "N": "talking", "EN": "hungry", "NC": "fasting"},
        "laughing": {"E": "awake", "C": "silent", "N": "talking", "EN": "happy", "NC": "sad"},
        "waiting": {"E": "awake", "C": "asleep", "N": "talking", "EN": "bored", "NC": "in a hurry"},
        "shouting": {"E": "making noise", "C": "silent", "N": "competing", "EN": "angry", "NC": "calm"},
        "dancing": {"E": "moving", "C": "frozen", "N": "competing", "EN": "happy", "NC": "tired"},
        "reading": {"E": "awake", "C": "blind", "N": "studying", "EN": "silent", "NC": "dancing"},
        "swimming": {"E": "moving", "C": "dry", "N": "racing", "EN": "wet", "NC": "sunbathing"},
        "crying": {"E": "making noise", "C": "smiling", "N": "hurt", "EN": "sad", "NC": "happy"},
    },
    "where": {
        "in the garden": {"E": "outside a room", "C": "on the moon", "N": "near a school", "EN": "at home", "NC": "in a forest"},
        "in the kitchen": {"E": "in a room", "C": "on the moon", "N": "near a school", "EN": "at home", "NC": "in an office"},
        "on the beach": {"E": "outside a room", "C": "in a cellar", "N": "near a hotel", "EN": "by the sea", "NC": "in a city"},
        "at the station": {"E": "in a public place", "C": "in a cellar", "N": "near a hotel", "EN": "by a train", "NC": "at home"},
        "in the hospital": {"E": "in a building", "C": "in a forest", "N": "in a city", "EN": "by a doctor", "NC": "at home"},
        "on the bus": {"E": "in a vehicle", "C": "in a cellar", "N": "near a school", "EN": "in a city", "NC": "at rest"},
        "in the tent": {"E": "under a roof", "C": "on the moon", "N": "by the sea", "EN": "in a forest", "NC": "in a city"},
        "at the market": {
            "E": "in a public place",
            "C": "in a vehicle",
            "N": "near a hotel",
            "EN": "outside a room",
            "NC": "in a building",
        },
        "on the boat": {"E": "in a vehicle", "C": "in a forest", "N": "by a train", "EN": "by the sea", "NC": "under a roof"},
    },
    "when": {
        "before noon": {"E": "during the day", "C": "at midnight", "N": "on sunday", "EN": "in the morning", "NC": "at lunch time"},
        "after dinner": {
            "E": "after a meal",
            "C": "before breakfast",
            "N": "on sunday",
            "EN": "in the evening",
            "NC": "during the day",
        },
        "in winter": {"E": "during the year", "C": "in july heat", "N": "on monday", "EN": "in the cold", "NC": "in warm weather"},
        "at sunset": {"E": "during the year", "C": "at midnight", "N": "on monday", "EN": "in the evening", "NC": "after dark"},
        "in august": {"E": "during the year", "C": "in december", "N": "on sunday", "EN": "in warm weather", "NC": "in the cold"},
        "at breakfast": {"E": "during a meal", "C": "at midnight", "N": "on monday", "EN": "in the morning", "NC": "after dark"},
        "on friday night": {
            "E": "after dark",
            "C": "on monday",
            "N": "in december",
            "EN": "at the weekend",
            "NC": "in the morning",
        },
    },
}
PLAUSIBLE = {"E": (E,), "N": (N,), "C": (C,), "EN": (E, N), "NC": (N, C)}
KIND_WEIGHTS = {"E": 0.07, "N": 0.06, "C": 0.07, "EN": 0.40, "NC": 0.40}
NEARER = 0.72
"""How often an annotator takes the nearer of two plausible readings; which one is nearer differs from item to item."""

# how a reason for a label is put; {a} stands for the premise's phrase, {b} for the hypothesis's
REASONS = {
    E: ["{a} means {b}", "{b} follows from {a}", "{a} so they must be {b}", "{a} implies {b}", "being {a} they are surely {b}"],
    N: [
        "{a} may or may not be {b}",
        "nothing is said about {b}",
        "{b} is possible with {a} but not stated",
        "we cannot know {b} from {a}",
        "{a} leaves {b} open",
    ],
    C: ["{a} cannot be {b}", "{a} rules out {b}", "{b} is the opposite of {a}", "they are {a} and never {b}", "{b} would deny {a}"],
}
OPENERS = ["", "", "", "i think", "the premise says", "as written", "to me", "in this case"]
GUESSES = ["i was not sure about {b}", "just a guess about {b}", "{b} sounds about right", "the sentences look related to {b}"]


def make(seed: int, out_dir: Path, truth: Path) -> None:
    rng = np.random.default_rng([seed, 20240301])
    items, annotations, sound = [], [], {}
    for index in range(POOL + EVAL):
        part = "pool" if index < POOL else "eval"
        item, slot, premise_phrase, hypothesis_phrase, labels = _item(rng, f"i{index:04d}", part)
        items.append(item)
        for annotation, is_sound in _annotate(rng, item, slot, premise_phrase, hypothesis_phrase, labels):
            annotations.append(annotation)
            sound[annotation["annotation"]] = is_sound
    parts = {item["item"]: item["part"] for item in items}
    peers, writers, teacher = [], [], []
    for annotation in annotations:
        name = annotation["annotation"]
        if parts[annotation["item"]] == "eval":
            for row in _judgements(rng, annotation, sound[name]):
                (writers if row["judge"] == annotation["annotator"] else peers).append(row)
        else:
            teacher.append({"annotation": name, "score": _teacher(rng, sound[name])})
    _leave_a_small_batch(rng, teacher)
    _assert_clauses(items, annotations, writers, teacher)
    _write(out_dir / "items.jsonl", [items[i] for i in rng.permutation(len(items))])
    _write(out_dir / "annotations.jsonl", [annotations[i] for i in rng.permutation(len(annotations))])
    _write(out_dir / "validity.jsonl", [peers[i] for i in rng.permutation(len(peers))])
    _write(truth / "validity.jsonl", [writers[i] for i in rng.permutation(len(writers))])
    _write(out_dir / "teacher.jsonl", [teacher[i] for i in rng.permutation(len(teacher))])
    words = _vocabulary()
    (out_dir / "vocab.tsv").write_text("\n".join(words[i] for i in rng.permutation(len(words))) + "\n", encoding="utf-8")
    for folder in (out_dir, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")


def _leave_a_small_batch(rng, teacher):
    """Silence the teacher on a few more where the scored annotations would fill the last batch, or all but fill or miss it."""
    while not 8 <= len(scored := [row for row in teacher if row["score"] is not None]) % BATCH <= BATCH - 8:
        scored[int(rng.integers(len(scored)))]["score"] = None


def _assert_clauses(items, annotations, writers, teacher):
    """What the instructions demand must show: inputs beyond common lengths, a silent teacher, pairs of several annotations."""
    texts = {item["item"]: f"{item['premise']} {item['hypothesis']}" for item in items}
    lengths = [len(f"{texts[row['item']]} {row['explanation']}".split()) + 4 for row in annotations]
    silent = sum(row["score"] is None for row in teacher)
    pairs = {(row["item"], row["label"]) for row in annotations}
    unsure = sum(row["valid"] == "idk" for row in writers)
    if max(lengths) > 40 or sum(length > 32 for length in lengths) < 60 or silent < 100 or len(annotations) < 1.5 * len(pairs):
        raise ValueError(f"lengths up to {max(lengths)}, {silent} silent, {len(annotations)} annotations of {len(pairs)} pairs")
    if not unsure:
        raise ValueError("no writer answers idk")
    if not 8 <= (len(teacher) - silent) % BATCH <= BATCH - 8:
        raise ValueError(f"{len(teacher) - silent} annotations to train on leave no last, smaller batch that shows")


def _item(rng, name, part):
    slots = {slot: _pick(rng, list(table)) for slot, table in RELATIONS.items()}
    focus = _pick(rng, list(RELATIONS))
    kind = list(KIND_WEIGHTS)[rng.choice(len(KIND_WEIGHTS), p=list(KIND_WEIGHTS.values()))]
    phrase = RELATIONS[focus][slots[focus]][kind]
    premise = f"{slots['number']} {slots['who']} are {slots['doing']} {slots['where']} {slots['when']}"
    told = dict(slots) | {focus: phrase}
    # The hypothesis keeps who and one other phrase, so that it is shorter than the premise but still about the same scene.
    hypothesis = {
        "number": f"{told['number']} {told['who']} are {told['where']}",
        "who": f"the {told['who']} are {told['doing']}",
        "doing": f"the {told['who']} are {told['doing']}",
        "where": f"the {told['who']} are {told['where']}",
        "when": f"the {told['who']} are {told['doing']} {told['when']}",
    }[focus]
    item = {"item": name, "part": part, "premise": premise, "hypothesis": hypothesis}
    return item, focus, slots[focus], phrase, PLAUSIBLE[kind]


def _annotate(rng, item, slot, a, b, plausible):
    """The four annotators' labels with reasons, and for each whether it is sound."""
    made = []
    readings = [str(label) for label in rng.permutation(plausible)]
    for annotator in ANNOTATORS:
        seen = readings if rng.random() < NEARER else readings[::-1]
        both = len(seen) == 2 and rng.random() < 0.10
        for label in seen if both else seen[:1]:
            reason, is_sound = None, True
            if rng.random() < CARELESS[annotator]:
                label, reason, is_sound = _faulty(rng, slot, a, b, plausible, label)
            if reason is None:
                reason = _reason(rng, label, a, b)
            if any(other["annotator"] == annotator and other["label"] == label for other, _ in made):
                continue
            name = f"{item['item']}-{annotator}-{label[0].lower()}"
            made.append(
                (
                    {"annotation": name, "item": item["item"], "annotator": annotator, "label": label, "explanation": reason},
                    is_sound,
                )
            )
    return made


def _faulty(rng, slot, a, b, plausible, label):
    draw = rng.random()
    others = [other for other in plausible if other != label]
    if draw < 0.6:  # a slip: the reason argues for one label, another is marked, mostly the one that was also on the mind
        marked = others[0] if others and rng.random() < 0.9 else _pick(rng, [other for other in LABELS if other != label])
        return marked, _reason(rng, label, a, b), False
    marked = others[0] if others and rng.random() < 0.9 else _pick(rng, list(LABELS))
    if draw < 0.7:  # a misreading: the reason quotes a phrase that the premise does not hold
        wrong = _pick(rng, [phrase for phrase in RELATIONS[slot] if phrase != a])
        return marked, _reason(rng, marked, wrong, b), False
    # a guess: no reason for the label at all
    return marked, _opened(rng, _pick(rng, GUESSES).format(b=b)), False


def _reason(rng, label, a, b):
    return _opened(rng, _pick(rng, REASONS[label]).format(a=a, b=b))


def _opened(rng, text):
    return f"{_pick(rng, OPENERS)} {text}".strip()


def _judgements(rng, annotation, is_sound):
    """Everybody's verdict on one label and reason: the writer's own is the most reliable."""
    rows = []
    for judge in ANNOTATORS:
        own = judge == annotation["annotator"]
        right, unsure = (0.96, 0.01) if own else (0.80, 0.06)
        draw = rng.random()
        verdict = is_sound if draw < right else not is_sound
        text = "idk" if draw > 1 - unsure else ("yes" if verdict else "no")
        rows.append({"annotation": annotation["annotation"], "judge": judge, "valid": text})
    return rows


def _teacher(rng, is_sound):
    """A probability of validity, mostly near 0 or 1; the teacher is wrong at times and silent on one in ten."""
    if rng.random() < 0.10:
        return None
    believes = is_sound if rng.random() < 0.92 else not is_sound
    logit = rng.normal(3.0 if believes else -2.0, 1.2)
    return round(float(1 / (1 + np.exp(-logit))), 3)


def _vocabulary():
    words = {label.lower() for label in LABELS} | {"are", "the"}
    phrases = [a for table in RELATIONS.values() for a in table]
    phrases += [b for table in RELATIONS.values() for kinds in table.values() for b in kinds.values()]
    phrases += [reason for many in REASONS.values() for reason in many] + OPENERS + GUESSES
    for phrase in phrases:
        words |= {word for word in phrase.split() if not word.startswith("{")}
    return sorted(words)


def _pick(rng, options):
    return options[int(rng.integers(len(options)))]


def _write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
