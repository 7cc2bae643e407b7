# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Which words were put into the problems, what the model was shown with them, and how often it chose the right option.

Words and demonstrations follow from the data by a rule that the instructions fix, so digests of them are compared with gold's; how a word is
inflected is in the digest too. Scores are computed in double precision: reading the problems in other batches moves them by about
1e-13, which tips the sixth decimal of one of the 480 scores about once in ten thousand runs; so the decimals go into a digest as well, and noise
or single precision that averages out in a mean shows. The means, in which each score has a weight of its own, say how far off scores are.
"""

import hashlib
from pathlib import Path

from rexbench.evaluation.reading import BrokenContract, as_integer, as_number, read_jsonl, read_text, require, same_ids

GROUPS = ("top", "bottom", "all")
NAMES = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}
SHOTS = 5
FEWER_DECIMALS = 0.1
"""Share of scores whose fifth and sixth decimals may both be 0; one in a hundred are by chance."""


def _items(data: Path) -> dict[str, dict]:
    return {row["id"]: row for row in read_jsonl(data / "items.jsonl")}


def _group(data: Path, pos: str, group: str) -> set[str]:
    """The words of a list that belong to a group: the list is in frequency order."""
    lines = read_text(data / "words" / f"{pos}.txt").splitlines()
    words = [line for line in lines if line and not line.startswith("#")]
    if group == "top":
        return set(words[: round(0.20 * len(words))])
    if group == "bottom":
        return set(words[len(words) - round((0.35 if pos == "adj" else 0.20) * len(words)) :])
    return set(words)


def _rows(path: Path, items: dict[str, dict]) -> dict[str, dict]:
    name = f"{path.parent.name}/{path.name}"
    rows = read_jsonl(path)
    require(all(isinstance(row, dict) and isinstance(row.get("id"), str) for row in rows), f"{name}: a row is no object with an id")
    same_ids([row["id"] for row in rows], items, name)
    return {row["id"]: row for row in rows}


def _dataset(artefacts: Path, group: str, items: dict[str, dict]) -> dict[str, tuple[str, str]]:
    """Lemma and form per id; the texts must be the item's with that word in it."""
    path = artefacts / "results" / f"existing_{group}" / "dataset.jsonl"
    name = f"{path.parent.name}/{path.name}"
    found = {}
    for key, row in _rows(path, items).items():
        item = items[key]
        lemma, form = row.get("lemma"), row.get("form")
        require(isinstance(lemma, str) and isinstance(form, str), f"{name} {key}: lemma or form is no text")
        assert isinstance(lemma, str) and isinstance(form, str)
        require(lemma.isalpha() and form.isalpha() and len(lemma + form) < 60, f"{name} {key}: lemma or form is no single word")
        require(
            row.get("pos") == item["pos"] and row.get("tag") == item["tag"], f"{name} {key}: not the item's part of speech and tag"
        )
        require(
            row.get("sentence") == item["sentence"].replace("{word}", form), f"{name} {key}: not the item's sentence with the form"
        )
        meaning = f"the {NAMES[item['pos']]} {lemma} means {item['definition']} ."
        require(row.get("definition") == meaning, f"{name} {key}: not the item's definition with the lemma")
        found[key] = (lemma, form)
    return found


def _predictions(artefacts: Path, group: str, items: dict[str, dict]) -> dict[str, tuple[list[str], tuple[float, float]]]:
    """Demonstrations and scores per id."""
    path = artefacts / "results" / f"existing_{group}" / "predictions.jsonl"
    name = f"{path.parent.name}/{path.name}"
    found = {}
    for key, row in _rows(path, items).items():
        shots, scores = row.get("demonstrations"), row.get("scores")
        require(isinstance(shots, list) and len(shots) == SHOTS, f"{name} {key}: not {SHOTS} demonstrations")
        assert isinstance(shots, list)
        require(all(isinstance(shot, str) and shot in items for shot in shots), f"{name} {key}: a demonstration is no item")
        require(len(set(shots)) == SHOTS, f"{name} {key}: a demonstration occurs twice")
        require(isinstance(scores, list) and len(scores) == 2, f"{name} {key}: not two scores")
        assert isinstance(scores, list)
        first, second = (as_number(value, f"{name} {key}: score", -1e4, 0.0) for value in scores)
        choice = as_integer(row.get("prediction"), f"{name} {key}: prediction", 0, 1)
        require(choice == int(second > first), f"{name} {key}: the prediction is not the option with the higher score")
        found[key] = (shots, (first, second))
    units = [1e6 * score for _, scores in found.values() for score in scores]
    require(all(abs(unit - round(unit)) < 1e-2 for unit in units), f"{name}: a score has more than six decimals")
    coarse = sum(round(unit) % 100 == 0 for unit in units)
    require(
        coarse <= FEWER_DECIMALS * len(units),
        f"{name}: {coarse} of {len(units)} scores have four decimals or fewer where six are asked for",
    )
    return found


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    items = _items(data)
    outside = clashing = leaking = 0
    found: dict[str, int | float | str] = {}
    for group in GROUPS:
        words = _dataset(artefacts, group, items)
        predictions = _predictions(artefacts, group, items)
        allowed = {pos: _group(data, pos, group) for pos in NAMES}
        correct, right, wrong = 0, 0.0, 0.0
        for place, (key, item) in enumerate(sorted(items.items()), 1):
            lemma, form = words[key]
            outside += lemma not in allowed[item["pos"]]
            clashing += bool({lemma, form} & {*item["sentence"].split(), *item["definition"].split()})
            shots, scores = predictions[key]
            leaking += sum(items[shot]["pair"] == item["pair"] or words[shot][0] == lemma for shot in shots)
            label = item["label"]
            correct += int(scores[1] > scores[0]) == label
            weight = place / len(items)
            right += weight * scores[label]
            wrong += weight * scores[1 - label]
        found[f"words_{group}"] = _digest([f"{key} {lemma} {form}" for key, (lemma, form) in words.items()])
        found[f"demonstrations_{group}"] = _digest([f"{key} {' '.join(shots)}" for key, (shots, _) in predictions.items()])
        found[f"correct_{group}"] = correct
        found[f"scores_{group}"] = _digest(
            [f"{key} {round(1e6 * first)} {round(1e6 * second)}" for key, (_, (first, second)) in predictions.items()]
        )
        found[f"right_score_{group}"] = right / len(items)
        found[f"wrong_score_{group}"] = wrong / len(items)
    return {"outside_group": outside, "clashing_words": clashing, "leaking_demonstrations": leaking, **found}


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """What a solution got right even where its numbers are wrong."""
    try:
        found = metrics(artefacts, data)
    except BrokenContract:
        return {
            "three readable datasets": False,
            "words of the right groups": False,
            "no leaking demonstrations": False,
            "rare words heeded more": False,
        }
    return {
        "three readable datasets": True,
        "words of the right groups": found["outside_group"] == 0,
        "no leaking demonstrations": found["leaking_demonstrations"] == 0,
        "rare words heeded more": int(found["correct_bottom"]) > int(found["correct_top"]),
    }
