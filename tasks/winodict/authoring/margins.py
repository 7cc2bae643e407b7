# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How many choices a mistake changes, without running the model: `python authoring/margins.py FIRST_SEED COUNT`. Needs lemminflect.

For every mistake and variant: problems (of 240 in three groups) with another word or form than in a right solution, and problems with
other demonstrations. The least over the variants must be above 0, because a digest of either is compared exactly.
"""

import random
import sys
import tempfile
from functools import cache
from pathlib import Path

from lemminflect import getInflection

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "repo")]
import variant  # noqa: E402
from winodict.inflection import regular_form  # noqa: E402
from winodict.items import Item, clashes, load_items, load_words  # noqa: E402

MISTAKES = (
    "right",
    "uninflected",
    "regular_endings",
    "groups_after_filtering",
    "same_word_demonstrations",
    "guessed_forms",
    "last_spelling",
    "adjectives_at_20",
    "only_lemma_checked",
    "twins_as_demonstrations",
)


@cache
def forms(lemma: str, tag: str, guess: bool) -> tuple[str, ...]:
    return getInflection(lemma, tag=tag, inflect_oov=guess)


def cut(words: list, pos: str, group: str, mistake: str) -> list:
    share = 0.35 if pos == "adj" and mistake != "adjectives_at_20" else 0.2
    size = round(share * len(words))
    return {"top": words[: round(0.2 * len(words))], "bottom": words[len(words) - size :], "all": words}[group]


def word(item: Item, words: list[str], group: str, mistake: str) -> tuple[str, str]:
    if mistake != "groups_after_filtering":
        words = cut(words, item.pos, group, mistake)
    usable = []
    for lemma in words:
        found = forms(lemma, item.tag, mistake == "guessed_forms")
        if mistake == "regular_endings":
            found = (regular_form(lemma, item.tag),)
        elif mistake == "uninflected" and found:
            found = (lemma,)
        if found:
            form = found[-1 if mistake == "last_spelling" else 0]
            if not clashes(item, lemma, lemma if mistake == "only_lemma_checked" else form):
                usable.append((lemma, form))
    if mistake == "groups_after_filtering":
        usable = cut(usable, item.pos, group, mistake)
    return random.Random(f"13:{group}:{item.id}").choice(usable)


def shots(item: Item, items: list[Item], words: dict[str, tuple[str, str]], mistake: str) -> list[str]:
    pool = [other.id for other in items if other.id != item.id]
    if mistake != "twins_as_demonstrations":
        pool = [other for other in pool if other[:-1] != item.pair]
    if mistake != "same_word_demonstrations":
        pool = [other for other in pool if words[other][0] != words[item.id][0]]
    return random.Random(f"13:demonstrations:{item.id}").sample(pool, 5)


def choices(data: Path, mistake: str) -> tuple[dict, dict]:
    items, chosen, shown = load_items(data), {}, {}
    lists = {pos: load_words(data, pos) for pos in variant.LEXICON}
    for group in ("top", "bottom", "all"):
        words = {item.id: word(item, lists[item.pos], group, mistake) for item in items}
        chosen |= {(group, key): value for key, value in words.items()}
        shown |= {(group, item.id): shots(item, items, words, mistake) for item in items}
    return chosen, shown


def main(first: int, count: int) -> None:
    changed: dict[str, list[tuple[int, int]]] = {mistake: [] for mistake in MISTAKES}
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            variant.make(seed, Path(folder))
            right = choices(Path(folder), "right")
            for mistake in MISTAKES:
                found = choices(Path(folder), mistake)
                changed[mistake].append(tuple(sum(a[key] != b[key] for key in a) for a, b in zip(right, found, strict=True)))
    print("| mistake | words changed, mean (least) | demonstrations changed, mean (least) |\n|---|---|---|")
    for mistake, pairs in changed.items():
        cells = [f"{sum(column) / count:.1f} ({min(column)})" for column in zip(*pairs, strict=True)]
        print(f"| {mistake} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
