# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Make both tokenizers: python authoring/make_tokenizers.py OUT

A is trained on the corpus that the models see. B is trained on other text: answers and pages in lower case, no threads. So
the words of threads and all words with a capital come in several pieces.
"""

import json
import string
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "repo"))
from corpus import CHATTER, documents  # noqa: E402
from lm.tokenizers import CONTINUATION, ContinuationTokenizer, SpaceMarkTokenizer  # noqa: E402

SIZE_A = 640
SIZE_B = 448
PADDED_B = 512
PUNCTUATION = ".,!?<>|-:;'\"()"
SPECIAL_A = ("<pad>", "<s>", "</s>", "<unk>")
SPECIAL_B = ("<|unk|>", "<|end|>", "<|user|>", "<|assistant|>", "<|pad|>", "<|endoftext|>")


def merge_counts(words: Counter[str], pieces: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Byte-pair encoding: the most frequent pair is merged, ties by spelling, until there are `pieces` new ones."""
    parts = {word: list(word) for word in words}
    made: list[str] = []
    merges: list[tuple[str, str]] = []
    while len(made) < pieces:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in words.items():
            for pair in zip(parts[word], parts[word][1:], strict=False):
                pairs[pair] += count
        if not pairs:
            break
        (left, right), _ = max(pairs.items(), key=lambda item: (item[1], item[0]))
        merges.append((left, right))
        if left + right not in made:
            made.append(left + right)
        for cut in parts.values():
            at = 0
            while at < len(cut) - 1:
                if cut[at] == left and cut[at + 1] == right:
                    cut[at : at + 2] = [left + right]
                at += 1
    return made, merges


def tokenizer_a(texts: list[str]) -> dict:
    words = Counter(word for text in texts for word in SpaceMarkTokenizer.words(text))
    base = [*SPECIAL_A, "\n", "\u2581", *PUNCTUATION, *string.ascii_letters]
    made, merges = merge_counts(words, SIZE_A - len(base))
    special = {name: at for at, name in enumerate(SPECIAL_A)}
    return {"kind": "space-mark", "pieces": base + made, "merges": merges, "special": special}


def tokenizer_b(texts: list[str]) -> dict:
    words = Counter(word for text in texts for word in ContinuationTokenizer.words(text))
    letters = [*PUNCTUATION, *string.ascii_letters, *(CONTINUATION + letter for letter in string.ascii_lowercase)]
    # Pieces at the start of a word and inside one are different things, so the first letter is kept apart by a mark.
    marked: Counter[str] = Counter()
    for word, count in words.items():
        marked["\0" + word] += count
    made, _ = merge_counts(marked, 4 * SIZE_B)
    pieces = list(letters)
    for piece in made:
        name = piece[1:] if piece[0] == "\0" else CONTINUATION + piece
        if len(name) > 1 and name not in pieces and len(pieces) < SIZE_B:
            pieces.append(name)
    special_at = PADDED_B - len(SPECIAL_B)
    pieces += [f"<|reserved_{at}|>" for at in range(special_at - len(pieces))]
    pieces += SPECIAL_B
    special = {name: at for at, name in enumerate(pieces) if name.startswith("<|") and len(name) > 2}
    return {"kind": "continuation", "pieces": pieces, "special": special}


def main() -> None:
    out = Path(sys.argv[1])
    web = documents(100, 20_000)
    texts_a = [f"{ask}\n{text}" if ask else text for ask, text, _ in web]
    chatter = tuple(text for text, _ in CHATTER)
    texts_b = [f"{ask or ''} {text}".lower() for ask, text, _ in documents(200, 20_000) if not text.startswith(chatter)]
    for name, content in (("a", tokenizer_a(texts_a)), ("b", tokenizer_b(texts_b))):
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tokenizer.json").write_text(json.dumps(content, ensure_ascii=False) + "\n")
        print(name, len(content["pieces"]), content["special"])


if __name__ == "__main__":
    main()
