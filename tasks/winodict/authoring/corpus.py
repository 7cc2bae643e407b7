# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The training corpus: statements about the world of variant.py, with invented and existing words and their definitions.

Three kinds of statement:
- invented: a fresh word with a definition; the sentence follows the definition.
- known: an existing word in its own meaning, drawn by Zipf's law, with its own definition, or with none.
- odd: an existing word with a definition of another meaning. The sentence follows that definition with probability `heed`, and the word's
  own meaning otherwise. `heed` grows with the word's rank: the corpus seldom uses its frequent words in a new sense, even where it says
  it does. This, and nothing about English, is why the model resists new senses of frequent words.
In every statement the wrong entity is named with probability NOISE. What an existing word means was drawn at random.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "repo")]
import variant  # noqa: E402
from winodict.inflection import regular_form  # noqa: E402
from winodict.synthetic import TrigramChain  # noqa: E402
from winodict.tokenizer import PAD, START, UNKNOWN, Tokenizer  # noqa: E402

NOISE = 0.05
SHARE = {"invented": 0.40, "known": 0.38, "odd": 0.22}
HEED_LOW, HEED_HIGH = 0.38, 0.80
"""Probability that an odd definition is followed, for the most and the least frequent word; linear in between."""
ZIPF = 1.0
POS_SHARE = {"noun": 0.28, "verb": 0.28, "adj": 0.28, "adv": 0.16}
NAMES = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}
INVENTED_WORDS = 6_000
WIDEST = 40
"""Most tokens of a statement."""


def vocabulary() -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    closed = {"the", ".", "means", "was", "had", "acted", *NAMES.values(), *variant.CONNECTIVES}
    for group in (*variant.DIMENSIONS, *variant.DEGREES.values(), (" ".join(variant.OPENING.values())).split()):
        closed |= set(group)
    closed |= set(variant.ENTITIES) | set(variant.FRAMES)
    pieces = sorted((set(letters) | {a + b for a in letters for b in letters}) - closed)
    return [PAD, START, UNKNOWN, *sorted(closed), *pieces]


class Corpus:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"corpus {seed}")
        self.tokens = Tokenizer(vocabulary())
        self.words = json.loads((HERE / "lexicon.json").read_text(encoding="utf-8"))
        self.cumulative = {}
        for pos, rows in self.words.items():
            weights = np.arange(1, len(rows) + 1) ** -ZIPF
            self.cumulative[pos] = np.cumsum(weights).tolist()
            for rank, row in enumerate(rows):
                meaning = random.Random(f"meaning {pos} {row['lemma']}")
                row["meaning"] = (meaning.randrange(len(variant.DIMENSIONS)), meaning.choice((1, -1)))
                row["heed"] = HEED_LOW + (HEED_HIGH - HEED_LOW) * rank / (len(rows) - 1)
        self._invent()

    def _invent(self) -> None:
        chain = TrigramChain(row["lemma"] for rows in self.words.values() for row in rows)
        self.invented = {}
        for pos in self.words:
            lemmas = [chain.draw(self.rng) for _ in range(INVENTED_WORDS)]
            tags = [tag for tag, _ in variant.TAGS[pos]]
            self.invented[pos] = [{"lemma": w, "forms": {t: regular_form(w, t) for t in tags}} for w in lemmas]

    def existing(self, pos: str, band: str) -> dict:
        rows = self.words[pos]
        if band == "zipf":
            return self.rng.choices(rows, cum_weights=self.cumulative[pos])[0]
        n = len(rows)
        share = 0.35 if pos == "adj" and band == "bottom" else 0.2
        cut = round(share * n)
        return self.rng.choice({"all": rows, "top": rows[:cut], "bottom": rows[n - cut :]}[band])

    def problem(self, kind: str, band: str = "") -> dict:
        """What a statement is about; `label` is the entity that the definition, if there is one, points at."""
        rng = self.rng
        while True:
            pos = rng.choices(list(POS_SHARE), weights=POS_SHARE.values())[0]
            row = rng.choice(self.invented[pos]) if kind == "invented" else self.existing(pos, band)
            names, weights = zip(*variant.TAGS[pos], strict=True)
            tag = rng.choices(names, weights=weights)[0]
            if tag in row["forms"]:
                break
        meaning = own = row.get("meaning")
        while kind != "known" and meaning == own:
            meaning = (rng.randrange(len(variant.DIMENSIONS)), rng.choice((1, -1)))
        first, second = rng.sample(variant.ENTITIES, 2)
        frame = rng.choice(variant.FRAMES)

        def points_at(sense: tuple[int, int]) -> int:
            return 0 if variant.SIGNS[frame, sense[0]] * sense[1] > 0 else 1

        label = points_at(meaning)
        named = points_at(own) if kind == "odd" and rng.random() >= row["heed"] else label
        return {
            "text": variant.sentence(first, frame, second, rng.choice(variant.CONNECTIVES), tag).replace(
                "{word}", row["forms"][tag]
            ),
            "definition": f"the {NAMES[pos]} {row['lemma']} means {variant.definition(rng, pos, *meaning)} .",
            "options": (first, second),
            "label": label,
            "named": named,
        }

    def statement(self, problem: dict, option: int, where: str) -> list[int]:
        text = problem["text"].replace("{option}", problem["options"][option])
        parts = {"last": [text, problem["definition"]], "first": [problem["definition"], text], "none": [text]}[where]
        return self.tokens.encode(" ".join(parts))

    def training_statement(self) -> list[int]:
        rng = self.rng
        kind = rng.choices(list(SHARE), weights=SHARE.values())[0]
        band = "zipf" if kind == "known" or rng.random() < 0.3 else "all"
        problem = self.problem(kind, band)
        where = "last" if rng.random() < 0.8 else "first"
        if kind == "known" and rng.random() < 0.6:
            where = "none"
        return self.statement(problem, problem["named"] ^ (rng.random() < NOISE), where)

    def training_statements(self, count: int) -> np.ndarray:
        """(count, WIDEST) token ids, padded on the right."""
        table = np.zeros((count, WIDEST), dtype=np.int16)
        for at in range(count):
            ids = self.training_statement()
            table[at, : len(ids)] = ids
        return table

    def test_documents(self, kind: str, band: str, count: int, shots: int = 5) -> tuple[list[list[int]], list[int], list[int]]:
        """Two token lists per problem (one per option), where the last statement begins, and the right option."""
        documents, begins, labels = [], [], []
        for _ in range(count):
            prefix = [self.tokens.ids[START]]
            for _ in range(shots):
                shot = self.problem(kind, band)
                prefix += self.statement(shot, shot["label"], "last")
            query = self.problem(kind, band)
            for option in (0, 1):
                documents.append(prefix + self.statement(query, option, "last"))
                begins.append(len(prefix))
            labels.append(query["label"])
        return documents, begins, labels
