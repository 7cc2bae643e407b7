# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Makes one variant of the task's data: a small COGS-like fragment of English with invented words.

The seed draws the words, which of them are held out, and every sentence. Train, dev and test share one distribution. Train
also shows each held-out word once, in one construction; the generalisation set uses the word in another construction, or, for
the two structural types, uses familiar words in a structure that training never shows.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"

TRAIN, DEV, TEST = 2800, 100, 200
HELD_OUT_WORDS = 30
"""Held-out words per lexical type, each shown once in train."""
ITEMS_PER_TYPE = 240
LONGEST_TRAINING_FORM = 10
EVALUATED = ("test", "gen")
"""Splits whose logical forms no experiment needs."""

LEXICAL = (
    "prim_noun", "prim_name", "prim_verb",
    "subj_to_obj_noun", "obj_to_subj_noun", "subj_to_obj_name", "obj_to_subj_name",
    "active_to_passive", "passive_to_active", "unacc_to_transitive",
)  # fmt: skip
STRUCTURAL = ("pp_recursion", "obj_pp_to_subj_pp")
SIZES = {"noun": 16, "name": 10, "transitive": 8, "unaccusative": 5, "intransitive": 5, "dative": 4}

ONSETS = "b bl br ch d dr f fl g gr h j k kl l m n p pr r s sh sl sn st t tr v w z".split()
NUCLEI = "a e i o u ai ea oo".split()
CODAS = "b d f g k l m n nd ng p r rn sk st t".split()
FUNCTION_WORDS = {"a", "the", "was", "by", "to", "in", "on", "beside", "agent", "theme", "goal"}
PREPOSITIONS = ("in", "on", "beside")

Pair = tuple[list[str], list[str]]
"""A phrase or sentence and its logical form, both as tokens."""


class Words:
    """The vocabulary of one variant; no word belongs to two classes."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._taken = rng, set(FUNCTION_WORDS)
        self.classes = {name: self._draw(size, name == "name") for name, size in SIZES.items()}
        self.held_out = {kind: self._draw(HELD_OUT_WORDS, kind.endswith("name")) for kind in LEXICAL}

    def _draw(self, count: int, proper: bool) -> list[str]:
        words: list[str] = []
        while len(words) < count:
            first = self._rng.choice(ONSETS) + self._rng.choice(NUCLEI)
            word = first + self._rng.choice(ONSETS) + self._rng.choice(NUCLEI[:5]) + self._rng.choice(CODAS)
            # "X" and "Xed" are both tokens, so neither may be another word.
            if not {word, word + "ed", word.removesuffix("ed")} & self._taken:
                self._taken |= {word, word + "ed"}
                words.append(word.capitalize() if proper else word)
        return words


class Grammar:
    def __init__(self, rng: random.Random, words: Words) -> None:
        self.rng, self.words = rng, words

    def pick(self, *classes: str) -> str:
        return self.rng.choice([word for name in classes for word in self.words.classes[name]])

    def noun_phrase(self, head: str | None = None, modifiers: int = 0) -> Pair:
        """`modifiers` prepositional phrases, each nested in the one before; a name takes none."""
        if head is None:
            head = self.pick("noun") if modifiers or self.rng.random() < 0.65 else self.pick("name")
        if head[0].isupper():
            return [head], [head]
        definite = self.rng.random() < 0.5
        sentence, form = (["the", head], ["*", head]) if definite else (["a", head], [head])
        if modifiers:
            preposition = self.rng.choice(PREPOSITIONS)
            inner = self.noun_phrase(self.pick("noun"), modifiers - 1)
            sentence, form = [*sentence, preposition, *inner[0]], [*form, preposition, *inner[1]]
        return sentence, form

    def object_phrase(self) -> Pair:
        """The only place where training sentences have a modifier, and never two."""
        return self.noun_phrase(modifiers=int(self.rng.random() < 0.3))

    def transitive(self, verb: str | None = None, subject: Pair | None = None, thing: Pair | None = None) -> Pair:
        verb = verb or self.pick("transitive", "unaccusative")
        s, o = subject or self.noun_phrase(), thing or self.object_phrase()
        return [*s[0], verb + "ed", *o[0]], [verb, "agent", *s[1], "theme", *o[1]]

    def passive(self, verb: str | None = None) -> Pair:
        verb, s = verb or self.pick("transitive", "unaccusative"), self.noun_phrase()
        sentence, form = [*s[0], "was", verb + "ed"], [verb, "theme", *s[1]]
        if self.rng.random() < 0.6:
            by = self.noun_phrase()
            sentence, form = [*sentence, "by", *by[0]], [*form, "agent", *by[1]]
        return sentence, form

    def unaccusative(self, verb: str | None = None) -> Pair:
        verb, s = verb or self.pick("unaccusative"), self.noun_phrase()
        return [*s[0], verb + "ed"], [verb, "theme", *s[1]]

    def intransitive(self, subject: Pair | None = None) -> Pair:
        verb, s = self.pick("intransitive"), subject or self.noun_phrase()
        return [*s[0], verb + "ed"], [verb, "agent", *s[1]]

    def dative(self, subject: Pair | None = None, thing: Pair | None = None) -> Pair:
        verb, s, o, g = self.pick("dative"), subject or self.noun_phrase(), thing or self.noun_phrase(), self.noun_phrase()
        return [*s[0], verb + "ed", *o[0], "to", *g[0]], [verb, "agent", *s[1], "theme", *o[1], "goal", *g[1]]

    def sentence(self) -> Pair:
        makers = [self.transitive, self.passive, self.unaccusative, self.intransitive, self.dative]
        return self.rng.choices(makers, [32, 24, 14, 14, 16])[0]()

    def as_subject(self, word: str) -> Pair:
        return self.rng.choice([self.transitive, self.intransitive, self.dative])(subject=self.noun_phrase(word))

    def as_object(self, word: str) -> Pair:
        return self.rng.choice([self.transitive, self.transitive, self.dative])(thing=self.noun_phrase(word))

    def exposure(self, kind: str, word: str) -> Pair:
        """The one construction in which training shows a held-out word."""
        if kind in ("prim_noun", "prim_name"):
            return [word], [word]
        if kind == "prim_verb":
            return [word + "ed"], [word]
        if kind.startswith("subj_to_obj"):
            return self.as_subject(word)
        if kind.startswith("obj_to_subj"):
            return self.as_object(word)
        return {"active": self.transitive, "passive": self.passive, "unacc": self.unaccusative}[kind.split("_")[0]](word)

    def novel(self, kind: str, word: str) -> Pair:
        """The construction in which the generalisation set uses it (structural types hold out no word)."""
        if kind == "pp_recursion":
            return self.transitive(thing=self.noun_phrase(modifiers=2))
        if kind == "obj_pp_to_subj_pp":
            return self.transitive(subject=self.noun_phrase(modifiers=1), thing=self.noun_phrase())
        if kind in ("prim_noun", "prim_name"):
            return self.rng.choice([self.as_subject, self.as_object])(word)
        if kind.startswith("subj_to_obj"):
            return self.as_object(word)
        if kind.startswith("obj_to_subj"):
            return self.as_subject(word)
        return self.passive(word) if kind == "active_to_passive" else self.transitive(word)


Row = tuple[str, str, str]
"""Sentence, logical form, type."""


def rows_of(seed: int) -> dict[str, list[Row]]:
    rng = random.Random(seed)
    words = Words(rng)
    grammar = Grammar(rng, words)
    seen: set[str] = set()

    def fresh(make: Callable[[int], Pair], count: int, kind: str, longest: int) -> list[Row]:
        rows: list[Row] = []
        while len(rows) < count:
            sentence, form = make(len(rows))
            text = " ".join(sentence)
            if text not in seen and len(form) <= longest:
                seen.add(text)
                rows.append((text, " ".join(form), kind))
        return rows

    def draw(_: int) -> Pair:
        return grammar.sentence()

    exposures: list[Row] = []
    for kind in LEXICAL:
        held = words.held_out[kind]
        exposures += fresh(lambda i, k=kind, h=held: grammar.exposure(k, h[i]), len(held), kind, LONGEST_TRAINING_FORM)
    out = {"train": exposures + fresh(draw, TRAIN - len(exposures), "in_distribution", LONGEST_TRAINING_FORM)}
    rng.shuffle(out["train"])
    for split, size in (("dev", DEV), ("test", TEST)):
        out[split] = fresh(draw, size, "in_distribution", LONGEST_TRAINING_FORM)
    out["gen"] = []
    for kind in (*LEXICAL, *STRUCTURAL):
        held = words.held_out.get(kind, [""])
        out["gen"] += fresh(lambda i, k=kind, h=held: grammar.novel(k, h[i % len(h)]), ITEMS_PER_TYPE, kind, 24)
    return out


def make(seed: int, data: Path, truth: Path) -> None:
    """Write train.tsv, dev.tsv, test.tsv and gen.tsv into `data`; the logical forms of test and gen stand in `truth` alone."""
    for split, rows in rows_of(seed).items():
        named = [(f"{split}-{at:04d}", *row) for at, row in enumerate(rows)]
        if split in EVALUATED:
            _write(truth / f"{split}.tsv", ("id", "logical_form"), [(key, form) for key, _, form, _ in named])
            _write(data / f"{split}.tsv", ("id", "sentence", "type"), [(key, sentence, kind) for key, sentence, _, kind in named])
        else:
            _write(data / f"{split}.tsv", ("id", "sentence", "logical_form", "type"), named)
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")


def _write(path: Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    path.write_text("\n".join("\t".join(row) for row in [header, *rows]) + "\n", encoding="utf-8")
