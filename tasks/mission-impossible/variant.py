# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The data of one variant: a parsed corpus of a small English-like language.

A seed decides which words exist, which preposition each verb and noun governs, which nouns each preposition takes, which
adjectives each noun likes, and every sentence. The grammar itself is the same for all seeds. Nothing written here is a
perturbed sentence: the files hold trees in Penn brackets, the vocabulary and the verbs' base forms. Every case that a rule of the
extension speaks of occurs in the test split, in a number that makes a wrong reading visible; a draw without is made again.
"""

import random
import re
from itertools import pairwise
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
SIZES = {"train": 4000, "dev": 200, "test": 500}
MAX_WORDS = 36
SPECIALS = ["<pad>", "<bos>", "<eos>", "<sg>", "<pl>"]

NOUNS = {
    "person": "teacher farmer doctor singer lawyer painter nurse baker pilot judge sailor tailor guard clerk poet miner",
    "animal": "dog horse goat rabbit eagle spider tiger camel lizard parrot turtle beaver badger falcon donkey hamster",
    "place": "garden kitchen village harbour castle forest market island temple station tower valley prison museum bridge cellar",
    "vehicle": "wagon truck boat train tractor scooter rocket barge canoe sledge cart ferry tram glider lorry raft",
    "tool": "hammer needle ladder shovel lantern bucket mirror candle kettle basket pencil barrel anchor drill broom whistle",
    "food": "apple carrot biscuit pumpkin melon onion pancake lemon sausage pepper walnut turnip pudding olive almond waffle",
    "clothing": "jacket helmet apron sweater ribbon button blanket collar sandal turban mitten bonnet slipper cloak pillow curtain",
    "text": "letter poem novel ticket recipe contract banner diary map song riddle legend report prayer notebook manual",
}
ADJECTIVES = (
    "old young red green quiet loud clever dull heavy light narrow wide clean dirty sweet bitter round square famous modern "
    "ancient wooden golden silver broken hollow gentle stubborn curious lazy hungry thirsty foreign local secret public "
    "purple yellow smooth rough careful careless honest cheerful"
)
GRADED = {
    "JJR": "older younger bigger smaller cheaper heavier lighter nicer",
    "JJS": "oldest youngest biggest smallest cheapest heaviest",
}
NOMINAL = "poor rich blind deaf"
"""Adjectives that head a phrase of people, as in "the poor"."""
ORDINAL = "first last next"
TRANSITIVE = (
    "admire visit clean repair paint carry collect describe follow guard "
    "hide ignore like mention need notice remember sell steal watch"
)
PREPOSITIONAL = "wait look talk work sleep argue travel complain hurry sing whisper stumble vanish linger shout wander"
DITRANSITIVE = "give lend send offer show"
PARTICLE = {"pick": "up", "throw": "away", "point": "out"}
CLAUSAL = "think know claim believe"
PREPOSITIONS = "in on at near behind under with without about for from of against beside above through across around inside to"
UNITS = "two three four five six seven eight nine"
NUMERALS = UNITS + " ten twelve"
ROUND = "hundred thousand"
NAMES = "Alma Boris Clara Dario Edith Felix Greta Hugo Irma Jonas Karla Leon"
DEGREE = "very rather quite"
MANNER = "often rarely always seldom"
FOCUS = "just right"
FUNCTION_WORDS = "day days an my her their 's more most and or that because while can will should he she they it to , ."
SINGULAR_DETERMINERS = ["the", "the", "the", "the", "a", "this", "every"]
PLURAL_DETERMINERS = ["the", "the", "the", "the", "these", "those", "some"]
COUNTED_DETERMINERS = ["the", "the", "the", "the", "these", "those", "all"]


CASES = {
    r"^PP> (.* )?(IN|TO) .*\|.* PP ": 40,
    r"^PP> (.* )?TO ": 5,
    r"^VP> TO ": 5,
    r"^SBAR> IN ": 10,
    r"^SBAR> IN S \|.* PP ": 10,
    r"^SBAR> WHNP S \|.* PP ": 10,
    r"^PRT> ": 5,
    r"^PP> PP CC PP ": 5,
    r"^PP> RB (IN|TO) ": 5,
    r"^PP> RB RB (IN|TO) ": 3,
    r"^PP> (IN|TO) PP ": 3,
    r"^PP> (IN|TO) S ": 10,
    r"^NP> (.* )?DT=\w+ CD ": 20,
    r"^NP> (.* )?DT=\w+ CD CD ": 5,
    r"^NP> PDT DT=the CD ": 3,
    r"^NP> DT=an? CD ": 5,
    r"^NP> (PRP\$|NP) CD ": 3,
    r"^NP> (.* )?DT=\w+ JJ CD ": 3,
    r"^NP> DT=the (JJ )+NNS? ": 40,
    r"^NP> DT=the JJ JJ NNS? ": 10,
    r"^NP> DT=the JJ JJ JJ NNS? ": 5,
    r"^NP> PDT DT=the (JJ )+NNS? ": 3,
    r"^NP> DT=the JJ[RS] NNS? ": 8,
    r"^NP> DT=the JJ JJ[RS] NNS? ": 3,
    r"^NP> DT=the JJ[RS] JJ NNS? ": 3,
    r"^NP> DT=The (JJ )+NNS? ": 10,
    r"^NP> DT=(?!the)[a-z]+ (JJ )+NNS? ": 20,
    r"^NP> DT=the ADJP NNS? ": 5,
    r"^NP> DT=the RB[RS] JJ NNS? ": 3,
    r"^NP> DT=the CD JJ NNS? ": 5,
    r"^NP> DT=[Tt]he JJ NNP ": 3,
    r"^ADVP> DT=the JJ NN ": 3,
    r"^ADVP> DT=\w+ CD NNS ": 3,
    r"^beside> DT=\w+ JJ , NNS? ": 3,
    r"^beside> DT=\w+ , CD ": 3,
}
"""What the rules of the extension turn on, as patterns over `outlines`, and in how many test sentences each must occur."""
NEVER = r"^[^|]*DT=[^|]*DT=", r"^PP> ([^|]* )?(IN|TO) ([^|]* )?(IN|TO) "
"""Phrases of which the rules do not say which word they mean: two determiners, or two prepositions, among one node's daughters."""


def outlines(tree: tuple) -> list[str]:
    """Each phrase as `LABEL> its daughters' labels | the phrases below`, and each pair of sisters as `beside> the first's daughters,
    the first word of the second that is no preposition`."""
    label, body = tree
    if isinstance(body, str):
        return []
    below = [line for child in body for line in outlines(child)]
    inner = " ".join(line.split(">")[0] for line in below if line[:6] != "beside")
    found = [f"{label}> {_daughters(tree)}| {inner} "]
    for left, right in pairwise(body):
        if not isinstance(left[1], str) and not isinstance(right[1], str):
            words = [tag for tag in _tags(right) if tag not in ("IN", "TO")]
            found.append(f"beside> {_daughters(left)}, {words[0] if words else ''} ")
    return found + below


def _daughters(tree: tuple) -> str:
    return "".join(f"DT={body} " if label == "DT" else f"{label} " for label, body in tree[1])


def _tags(tree: tuple) -> list[str]:
    return [tree[0]] if isinstance(tree[1], str) else [tag for child in tree[1] for tag in _tags(child)]


def missing_cases(trees: list[tuple]) -> list[str]:
    outlined = [outlines(tree) for tree in trees]
    patterns = {re.compile(pattern): least for pattern, least in CASES.items()}
    return [
        pattern.pattern for pattern, least in patterns.items() if sum(any(map(pattern.search, lines)) for lines in outlined) < least
    ]


def forbid_ambiguous(trees: list[tuple]) -> None:
    for line in (line for tree in trees for line in outlines(tree)):
        if any(re.search(pattern, line) for pattern in NEVER):
            raise ValueError(f"the grammar drew a phrase that the digest rules out: {line}")


def make(seed: int, out_dir: Path) -> None:
    """Write the whole data folder of variant `seed` into the empty folder `out_dir`."""
    for attempt in range(50):
        grammar = Grammar(random.Random(f"mission-impossible/{seed}/{attempt}"))
        splits = draw(grammar)
        missing = missing_cases(splits["test"])
        if not missing:
            break
    else:
        raise ValueError(f"no draw in which every case occurs: {missing}")
    for split, trees in splits.items():
        forbid_ambiguous(trees)
        lines = [f"{split}-{at:05d}\t{bracket(tree)}" for at, tree in enumerate(trees)]
        (out_dir / f"{split}.trees.tsv").write_text("id\ttree\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (out_dir / "vocab.tsv").write_text("\n".join(SPECIALS + grammar.vocabulary()) + "\n", encoding="utf-8")
    forms = [f"{third_person(verb)}\t{verb}" for verb in sorted(grammar.verbs())]
    (out_dir / "base_forms.tsv").write_text("form\tbase\n" + "\n".join(forms) + "\n", encoding="utf-8")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n", encoding="utf-8")


def draw(grammar: "Grammar") -> dict[str, list[tuple]]:
    """Sentences of all splits, none of them twice."""
    seen: set[str] = set()
    splits: dict[str, list[tuple]] = {}
    for split, size in SIZES.items():
        trees: list[tuple] = []
        while len(trees) < size:
            tree = grammar.sentence()
            words = leaves(tree)
            key = " ".join(words).lower()
            if len(words) <= MAX_WORDS and key not in seen:
                seen.add(key)
                trees.append(tree)
        splits[split] = trees
    return splits


def plural(noun: str) -> str:
    if noun.endswith(("s", "x", "sh", "ch")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


third_person = plural


def leaves(tree: tuple) -> list[str]:
    body = tree[1]
    return [body] if isinstance(body, str) else [word for child in body for word in leaves(child)]


def bracket(tree: tuple) -> str:
    label, body = tree
    return f"({label} {body})" if isinstance(body, str) else f"({label} {' '.join(bracket(child) for child in body)})"


class Lexicon:
    """The words of one variant and what each selects."""

    def __init__(self, rng: random.Random) -> None:
        self.classes = {name: rng.sample(words.split(), 5) for name, words in NOUNS.items()}
        self.nouns = [noun for members in self.classes.values() for noun in members]
        self.adjectives = rng.sample(ADJECTIVES.split(), 20)
        self.transitive = rng.sample(TRANSITIVE.split(), 8)
        self.prepositional = rng.sample(PREPOSITIONAL.split(), 8)
        self.names = rng.sample(NAMES.split(), 6)
        self.prepositions = PREPOSITIONS.split()
        names = list(self.classes)
        self.objects_of_preposition = {}
        for at, preposition in enumerate(rng.sample(self.prepositions, len(self.prepositions))):
            # Every class is the main one of at least two prepositions.
            self.objects_of_preposition[preposition] = rng.sample(self.classes[names[at % len(names)]], 2)
        self.objects_of_verb = {verb: rng.sample(self.classes[rng.choice(names)], 2) for verb in self.transitive}
        governors = self.nouns + self.prepositional + self.transitive
        self.governed = {word: rng.sample(self.prepositions, 2) for word in governors}
        self.liked = {noun: rng.sample(self.adjectives, 2) for noun in self.nouns}


class Grammar:
    """Draws one tree after the other; a tree is (label, word) or (label, [trees])."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lexicon = Lexicon(rng)

    def vocabulary(self) -> list[str]:
        lexicon = self.lexicon
        words = set(lexicon.nouns) | {plural(noun) for noun in lexicon.nouns} | set(lexicon.adjectives)
        for text in (*GRADED.values(), NOMINAL, ORDINAL, DITRANSITIVE, CLAUSAL, NUMERALS, ROUND, DEGREE, MANNER, FOCUS):
            words |= set(text.split())
        words |= set(lexicon.prepositions) | {name.lower() for name in lexicon.names}
        words |= set(self.verbs()) | {third_person(verb) for verb in self.verbs()} | set(PARTICLE.values())
        words |= set(SINGULAR_DETERMINERS) | set(PLURAL_DETERMINERS) | set(COUNTED_DETERMINERS)
        words |= {gerund(verb) for verb in lexicon.transitive}
        words |= set(FUNCTION_WORDS.split())
        return sorted(words)

    def verbs(self) -> list[str]:
        lexicon = self.lexicon
        return lexicon.transitive + lexicon.prepositional + DITRANSITIVE.split() + list(PARTICLE) + CLAUSAL.split()

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def word(self, tag: str, words: str) -> tuple:
        return (tag, self.rng.choice(words.split()))

    def sentence(self) -> tuple:
        parts: list[tuple] = []
        if self.chance(0.12):
            parts += [self.prepositional_phrase(self.rng.choice(self.lexicon.prepositions), 1), (",", ",")]
        parts += self.clause(0)
        if self.chance(0.06):
            parts.append(self.time())
        if self.chance(0.1):
            parts.append(("SBAR", [self.word("IN", "because while"), ("S", self.clause(1))]))
        parts.append((".", "."))
        return ("S", capitalise(parts))

    def time(self) -> tuple:
        """An adverbial that looks like a noun phrase inside."""
        if self.chance(0.5):
            return ("ADVP", [("DT", "the"), self.word("JJ", ORDINAL), ("NN", "day")])
        return ("ADVP", [self.word("DT", "the these those"), self.word("CD", NUMERALS), ("NNS", "days")])

    def clause(self, depth: int) -> list[tuple]:
        kind = self.rng.random()
        if kind < 0.08:
            name = ("NNP", self.rng.choice(self.lexicon.names))
            praised = [("DT", "the"), ("JJ", self.rng.choice(self.lexicon.adjectives))] if self.chance(0.35) else []
            subject, number = ("NP", [*praised, name]), "sg"
        elif kind < 0.14:
            pronoun = self.rng.choice(["he", "she", "they", "it"])
            subject, number = ("NP", [("PRP", pronoun)]), "pl" if pronoun == "they" else "sg"
        elif kind < 0.18:
            subject, number = self.nominal_adjective(), "pl"
        else:
            number = self.rng.choice(["sg", "pl"])
            people = self.lexicon.classes["person"] + self.lexicon.classes["animal"]
            subject = self.noun_phrase(self.rng.choice(people), number, depth, 0.35)
        return [subject, self.verb_phrase(number, depth)]

    def verb_phrase(self, number: str, depth: int) -> tuple:
        kind = self.rng.random()
        adverb = [("ADVP", [self.word("RB", MANNER)])] if self.chance(0.12) else []
        if self.chance(0.2):
            return ("VP", [self.word("MD", "can will should"), *adverb, ("VP", self.predicate("VB", kind, depth))])
        tag = "VBZ" if number == "sg" else "VBP"
        return ("VP", adverb + self.predicate(tag, kind, depth))

    def verb(self, tag: str, base: str) -> tuple:
        return (tag, third_person(base) if tag == "VBZ" else base)

    def predicate(self, tag: str, kind: float, depth: int) -> list[tuple]:
        lexicon = self.lexicon
        if kind < 0.44:
            base = self.rng.choice(lexicon.prepositional)
            return [self.verb(tag, base), self.governed_phrase(base, depth + 1)]
        if kind < 0.76:
            return self.transitive_predicate(tag, depth)
        if kind < 0.84:
            giver = self.verb(tag, self.rng.choice(DITRANSITIVE.split()))
            receiver = self.nominal_adjective() if self.chance(0.5) else ("NP", [("PRP", "it")])
            gift = self.rng.choice(lexicon.classes["food"])
            number = self.rng.choice(["sg", "pl", "pl"])
            return [giver, receiver, self.noun_phrase(gift, number, depth + 1, 0.2, bare=0.6 if number == "pl" else 0.0)]
        if kind < 0.90:
            base = self.rng.choice(list(PARTICLE))
            thing = self.rng.choice(lexicon.classes["tool"])
            return [self.verb(tag, base), ("PRT", [("RP", PARTICLE[base])]), self.noun_phrase(thing, "sg", depth + 1, 0.2)]
        if kind < 0.95 and depth == 0:
            return [self.word_of(tag, CLAUSAL), ("SBAR", [("IN", "that"), ("S", self.clause(depth + 1))])]
        purpose = ("S", [("VP", [("TO", "to"), ("VP", self.transitive_predicate("VB", depth + 1))])])
        return [self.verb(tag, "hurry" if "hurry" in lexicon.prepositional else lexicon.prepositional[0]), purpose]

    def word_of(self, tag: str, bases: str) -> tuple:
        return self.verb(tag, self.rng.choice(bases.split()))

    def transitive_predicate(self, tag: str, depth: int) -> list[tuple]:
        lexicon = self.lexicon
        base = self.rng.choice(lexicon.transitive)
        if tag != "VBG" and self.chance(0.06):
            # A bare demonstrative right before a phrase that may start with a numeral.
            thing: tuple = ("NP", [self.word("DT", "this those these")])
            return [self.verb(tag, base), thing, self.governed_phrase(base, depth + 1, counted=0.5)]
        noun = self.pick(lexicon.objects_of_verb[base], lexicon.nouns, 0.85)
        head = (tag, gerund(base)) if tag == "VBG" else self.verb(tag, base)
        parts = [head, self.noun_phrase(noun, self.rng.choice(["sg", "pl"]), depth + 1, 0.35)]
        if self.chance(0.3):
            parts.append(self.governed_phrase(base, depth + 1))
        return parts

    def pick(self, favourites: list[str], others: list[str], share: float) -> str:
        return self.rng.choice(favourites if self.chance(share) else others)

    def governed_phrase(self, governor: str, depth: int, counted: float = 0.0) -> tuple:
        first, second = self.lexicon.governed[governor]
        preposition = self.pick([first, first, first, second], self.lexicon.prepositions, 0.95)
        return self.prepositional_phrase(preposition, depth, counted)

    def prepositional_phrase(self, preposition: str, depth: int, counted: float = 0.0) -> tuple:
        if self.chance(0.06) and depth < 4:
            first = self.prepositional_phrase(preposition, 4)
            link = self.word("CC", "and or")
            return ("PP", [first, link, self.prepositional_phrase(self.rng.choice(self.lexicon.prepositions), 4)])
        head = ("TO", "to") if preposition == "to" else ("IN", preposition)
        if self.chance(0.04):
            return ("PP", [head, ("S", [("VP", self.transitive_predicate("VBG", max(depth, 2)))])])
        if self.chance(0.04):
            inner = self.rng.choice(["behind", "under", "near"])
            return ("PP", [head, self.prepositional_phrase(inner, 4)])
        noun = self.pick(self.lexicon.objects_of_preposition[preposition], self.lexicon.nouns, 0.9)
        focus = [self.word("RB", FOCUS)] if self.chance(0.04) else []
        if focus and self.chance(0.3):
            focus = [self.word("RB", DEGREE), *focus]
        if self.chance(counted):
            body = ("NP", [self.word("CD", NUMERALS), ("NNS", plural(noun))])
        else:
            body = self.noun_phrase(noun, self.rng.choice(["sg", "pl"]), depth, 0.55)
        return ("PP", [*focus, head, body])

    def nominal_adjective(self) -> tuple:
        return ("NP", [("DT", "the"), self.word("JJ", NOMINAL)])

    def noun_phrase(self, noun: str, number: str, depth: int, modified: float, bare: float = 0.0) -> tuple:
        """A noun phrase headed by `noun`; with chance `modified` a phrase that the noun governs, or a relative clause, follows."""
        core = ("NP", self.core(noun, number, depth, bare))
        if depth < 4 and self.chance(modified):
            if self.chance(0.12) and depth < 2:
                tag, kind = "VBZ" if number == "sg" else "VBP", 0.3 + 0.4 * self.rng.random()
                inside = ("S", [("VP", self.predicate(tag, kind, depth + 2))])
                return ("NP", [core, ("SBAR", [("WHNP", [("WDT", "that")]), inside])])
            return ("NP", [core, self.governed_phrase(noun, depth + 1)])
        if depth < 3 and self.chance(0.05):
            other = self.rng.choice(self.lexicon.nouns)
            return ("NP", [core, ("CC", "and"), ("NP", self.core(other, self.rng.choice(["sg", "pl"]), depth, 0.2))])
        return core

    def core(self, noun: str, number: str, depth: int, bare: float = 0.0) -> list[tuple]:
        tag, form = ("NN", noun) if number == "sg" else ("NNS", plural(noun))
        if bare and self.chance(bare):
            return [(tag, form)]
        return with_article([*self.specifier(number, depth), *self.modifiers(noun), (tag, form)])

    def specifier(self, number: str, depth: int) -> list[tuple]:
        kind = self.rng.random()
        if kind < 0.06:
            owner = self.word("PRP$", "my her their")
            return [owner, self.word("CD", NUMERALS)] if number == "pl" and self.chance(0.5) else [owner]
        if kind < 0.12 and depth < 3:
            owner = self.possessor()
            return [owner, self.word("CD", NUMERALS)] if number == "pl" and self.chance(0.3) else [owner]
        if number == "sg":
            return [("DT", self.rng.choice(SINGULAR_DETERMINERS))]
        if kind < 0.45:
            return self.counted()
        if kind < 0.50:
            return [("PDT", "all"), ("DT", "the")]
        return [("DT", self.rng.choice(PLURAL_DETERMINERS))]

    def counted(self) -> list[tuple]:
        kind = self.rng.random()
        if kind < 0.10:
            return [("DT", "a"), self.word("CD", ROUND)]
        if kind < 0.20:
            return [("DT", "the"), self.word("CD", UNITS), self.word("CD", ROUND)]
        if kind < 0.30:
            return [("DT", "the"), self.word("JJ", ORDINAL), self.word("CD", NUMERALS)]
        if kind < 0.36:
            return [("PDT", "all"), ("DT", "the"), self.word("CD", NUMERALS)]
        if kind < 0.42:
            return [self.word("CD", NUMERALS)]
        return [("DT", self.rng.choice(COUNTED_DETERMINERS)), self.word("CD", NUMERALS)]

    def possessor(self) -> tuple:
        if self.chance(0.4):
            return ("NP", [("NNP", self.rng.choice(self.lexicon.names)), ("POS", "'s")])
        owner = self.rng.choice(self.lexicon.classes["person"])
        adjective = [("JJ", self.adjective(owner))] if self.chance(0.4) else []
        return ("NP", with_article([("DT", self.rng.choice(["the", "the", "a"])), *adjective, ("NN", owner), ("POS", "'s")]))

    def adjective(self, noun: str) -> str:
        return self.pick(self.lexicon.liked[noun], self.lexicon.adjectives, 0.9)

    def modifiers(self, noun: str) -> list[tuple]:
        kind = self.rng.random()
        one = ("JJ", self.adjective(noun))
        if kind < 0.42:
            return []
        if kind < 0.68:
            return [one]
        if kind < 0.80:
            others = 1 if kind < 0.77 else 2
            return [*(("JJ", adjective) for adjective in self.rng.sample(self.lexicon.adjectives, others)), one]
        if kind < 0.86:
            return [self.graded()]
        if kind < 0.89:
            return [self.graded(), one]
        if kind < 0.91:
            return [one, self.graded()]
        if kind < 0.94:
            return [("ADJP", [self.word("RB", DEGREE), one])]
        if kind < 0.97:
            return [self.word("RBR", "more") if self.chance(0.5) else ("RBS", "most"), one]
        return [("ADJP", [one, ("CC", "and"), ("JJ", self.rng.choice(self.lexicon.adjectives))])]

    def graded(self) -> tuple:
        tag = self.rng.choice(["JJR", "JJS"])
        return self.word(tag, GRADED[tag])


def gerund(verb: str) -> str:
    return (verb[:-1] if verb.endswith("e") else verb) + "ing"


def with_article(parts: list[tuple]) -> list[tuple]:
    """The same daughters of a noun phrase, "a" made "an" before a vowel."""
    if parts[0] == ("DT", "a") and leaves(parts[1])[0][0] in "aeiou":
        return [("DT", "an"), *parts[1:]]
    return parts


def capitalise(parts: list[tuple]) -> list[tuple]:
    """The same trees with the first word of the sentence in title case."""
    (label, body), rest = parts[0], parts[1:]
    changed = body[0].upper() + body[1:] if isinstance(body, str) else capitalise(body)
    return [(label, changed), *rest]
