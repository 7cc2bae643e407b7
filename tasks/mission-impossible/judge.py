# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a run of the extension produced, recomputed from its files.

The perturbed corpus is compared word for word through a digest, with a few counts beside it that say where a difference lies.
The perplexities are made of the written log-probabilities, and these must be what the written weights give: every sentence is
scored again here, in numpy. So a perplexity cannot be had without a model of the stated shape that really has it.
This module does not know how to perturb a sentence; the gold run on the same data says what is right.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rexbench.evaluation.reading import as_integer, as_number, read_array, read_table, read_text, require, same_ids

Array = NDArray[np.float32]
Tree = tuple[str, "str | list[Tree]"]

WIDTH, LAYERS, HEADS, CONTEXT = 64, 2, 4, 48
TOGETHER = 125
"""Sentences per forward pass: few large products instead of many small ones, whatever the number of BLAS threads."""
PIECE = re.compile(r"\(([^\s()]+)|([^\s()]+)|\)")
NUMERALS, DETERMINERS, NOUNS, PREPOSITIONS = {"CD"}, {"DT"}, {"NN", "NNS"}, {"IN", "TO"}


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    sources = read_sources(data)
    texts = perturbed_texts(artefacts, sources)
    plain = {key: words(tree) for key, tree in sources.items()}
    vocabulary = {word: at for at, word in enumerate(read_text(data / "vocab.tsv").split("\n")[:-1])}
    tags = tags_of_words(sources.values())
    listing = "".join(f"{key}\t{' '.join(texts[key])}\n" for key in sorted(texts))
    return {
        "sentences": len(texts),
        "changed_sentences": sum(texts[key] != plain[key] for key in texts),
        "moved_words": sum(new != old for key in texts for new, old in zip(texts[key], plain[key], strict=True)),
        "numeral_determiner_pairs": count_pairs(texts, tags, NUMERALS, DETERMINERS),
        "noun_adjective_pairs": count_pairs(texts, tags, NOUNS, {"JJ"}),
        "noun_graded_pairs": count_pairs(texts, tags, NOUNS, {"JJR", "JJS"}),
        "preposition_pairs": count_pairs(texts, tags, PREPOSITIONS, PREPOSITIONS),
        "corpus_digest": hashlib.sha256(listing.encode()).hexdigest(),
        "perplexity_control": perplexity(artefacts, "control", plain, vocabulary),
        "perplexity_structural": perplexity(artefacts, "structural", texts, vocabulary),
    }


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """Partial credit: each says that one property of the corpus or of the finding holds."""
    sources = read_sources(data)
    texts = perturbed_texts(artefacts, sources)
    plain = {key: words(tree) for key, tree in sources.items()}
    final, nested, counted, graded = [], [], [], []
    for key, tree in sources.items():
        text, pairs = texts[key], set(pairwise(texts[key]))
        ending = final_prepositions(tree)
        if len(ending) >= 1:
            final.append(text[-2] == ending[0])
        if len(ending) >= 2:
            nested.append(text[-1 - len(ending) : -1] == ending[::-1])
        for left, right in sisters(tree):
            if (left[0], right[0]) == ("DT", "CD"):
                counted.append((low(right), low(left)) in pairs)
            if left[0] in ("JJR", "JJS") and right[0] in NOUNS:
                graded.append((low(left), low(right)) in pairs)
    return {
        "sentence-final phrases end in their preposition": all(final),
        "so do the phrases inside them": all(nested),
        "numerals stand before determiners": all(counted),
        "comparatives and superlatives stay before their noun": all(graded),
        "the perturbed language is harder": geometric_mean(read_scores(artefacts, "structural", texts), texts)
        > geometric_mean(read_scores(artefacts, "control", plain), plain),
    }


def read_sources(data: Path) -> dict[str, Tree]:
    """The test sentences' trees by id."""
    return {row["id"]: parse(row["tree"]) for row in read_table(data / "test.trees.tsv", ["id", "tree"], delimiter="\t")}


def parse(text: str) -> Tree:
    stack: list[list[Any]] = [[]]
    for match in PIECE.finditer(text):
        if match[1]:
            stack.append([match[1]])
        elif match[2]:
            stack[-1].append(match[2])
        else:
            label, *body = stack.pop()
            stack[-1].append((label, body[0] if isinstance(body[0], str) else body))
    tree: Tree = stack[0][0]
    return tree


def leaves(tree: Tree) -> list[Tree]:
    return [tree] if isinstance(tree[1], str) else [leaf for child in tree[1] for leaf in leaves(child)]


def low(leaf: Tree) -> str:
    return str(leaf[1]).lower()


def words(tree: Tree) -> list[str]:
    return [low(leaf) for leaf in leaves(tree)]


def sisters(tree: Tree) -> list[tuple[Tree, Tree]]:
    """Neighbouring leaves under one node."""
    if isinstance(tree[1], str):
        return []
    here = [(a, b) for a, b in pairwise(tree[1]) if isinstance(a[1], str) and isinstance(b[1], str)]
    return here + [pair for child in tree[1] for pair in sisters(child)]


def final_prepositions(tree: Tree) -> list[str]:
    """Prepositions, outermost first, of the nested phrases that all end right before the full stop."""
    found: list[str] = []
    node = (tree[0], tree[1][:-1]) if isinstance(tree[1], list) else tree
    while isinstance(node[1], list):
        if node[0] == "PP":
            found += [low(child) for child in node[1] if child[0] in PREPOSITIONS]
        node = node[1][-1]
    return found


def perturbed_texts(artefacts: Path, sources: dict[str, Tree]) -> dict[str, list[str]]:
    """The perturbed test split by id, each sentence holding exactly the words of its source."""
    rows = read_table(artefacts / "results/structural/test.tsv", ["id", "text"], delimiter="\t")
    same_ids((row["id"] for row in rows), sources, "structural/test.tsv")
    texts = {row["id"]: row["text"].split(" ") for row in rows}
    for key, tokens in texts.items():
        require(Counter(tokens) == Counter(words(sources[key])), f"structural/test.tsv: {key} has not the words of its source")
    return texts


def tags_of_words(trees: Iterable[Tree]) -> dict[str, set[str]]:
    tags: dict[str, set[str]] = {}
    for tree in trees:
        for leaf in leaves(tree):
            tags.setdefault(low(leaf), set()).add(leaf[0])
    return tags


def count_pairs(texts: dict[str, list[str]], tags: dict[str, set[str]], first: set[str], second: set[str]) -> int:
    """Neighbours of which the left may bear a tag of `first` and the right one of `second`."""
    return sum(bool(tags[a] & first and tags[b] & second) for tokens in texts.values() for a, b in pairwise(tokens))


def perplexity(artefacts: Path, language: str, texts: dict[str, list[str]], vocabulary: dict[str, int]) -> float:
    """Geometric mean of the sentences' perplexities, from scores that the weights confirm."""
    scores = read_scores(artefacts, language, texts)
    weights = read_array(artefacts / "results" / language / "weights.npy", "f")
    expected = Model(weights, len(vocabulary), f"{language}/weights.npy").logprobs(texts, vocabulary)
    for key, written in scores.items():
        close = abs(written - expected[key]) <= 0.01 + 1e-3 * abs(expected[key])
        require(close, f"{language}/scores.tsv {key}: {written} where the weights give {expected[key]:.4f}")
    return geometric_mean(scores, texts)


def read_scores(artefacts: Path, language: str, texts: dict[str, list[str]]) -> dict[str, float]:
    """Log-probabilities by id, with the right number of tokens beside each."""
    rows = read_table(artefacts / "results" / language / "scores.tsv", ["id", "tokens", "logprob"], delimiter="\t")
    same_ids((row["id"] for row in rows), texts, f"{language}/scores.tsv")
    for row in rows:
        what, right = f"{language}/scores.tsv {row['id']}", len(texts[row["id"]]) + 1
        count = as_integer(row["tokens"], f"{what} tokens")
        require(count == right, f"{what}: {count} tokens where the sentence and its end mark make {right}")
    return {row["id"]: as_number(row["logprob"], f"{language}/scores.tsv {row['id']} logprob", high=0.0) for row in rows}


def geometric_mean(scores: dict[str, float], texts: dict[str, list[str]]) -> float:
    return math.exp(math.fsum(-logprob / (len(texts[key]) + 1) for key, logprob in scores.items()) / len(scores))


class Model:
    """The GPT of the repository, forward only, from its flat weights (parameters in alphabetical order of their names)."""

    def __init__(self, flat: NDArray[Any], vocabulary: int, what: str) -> None:
        block = {
            "attention.bias": (3 * WIDTH,), "attention.weight": (3 * WIDTH, WIDTH),
            "contract.bias": (WIDTH,), "contract.weight": (WIDTH, 4 * WIDTH),
            "expand.bias": (4 * WIDTH,), "expand.weight": (4 * WIDTH, WIDTH),
            "norm1.bias": (WIDTH,), "norm1.weight": (WIDTH,), "norm2.bias": (WIDTH,), "norm2.weight": (WIDTH,),
            "project.bias": (WIDTH,), "project.weight": (WIDTH, WIDTH),
        }  # fmt: skip
        shapes = {f"blocks.{at}.{name}": shape for at in range(LAYERS) for name, shape in block.items()}
        shapes |= {
            "norm.bias": (WIDTH,),
            "norm.weight": (WIDTH,),
            "positions.weight": (CONTEXT, WIDTH),
            "tokens.weight": (vocabulary, WIDTH),
        }
        size = sum(math.prod(shape) for shape in shapes.values())
        require(flat.shape == (size,), f"{what}: shape {flat.shape} where the model has {size} weights")
        self.weights: dict[str, Array] = {}
        at = 0
        for name in sorted(shapes):
            count = math.prod(shapes[name])
            self.weights[name] = flat[at : at + count].astype(np.float32).reshape(shapes[name])
            at += count

    def logprobs(self, texts: dict[str, list[str]], vocabulary: dict[str, int]) -> dict[str, float]:
        """The log-probability of each sentence and its end mark; sentences of like length go through together, padded on the right."""
        keys = sorted(texts, key=lambda key: len(texts[key]))
        found: dict[str, float] = {}
        for start in range(0, len(keys), TOGETHER):
            part = keys[start : start + TOGETHER]
            ids = np.full((len(part), len(texts[part[-1]]) + 2), vocabulary["<pad>"])
            for row, key in zip(ids, part, strict=True):
                known = [vocabulary["<bos>"], *(vocabulary[token] for token in texts[key]), vocabulary["<eos>"]]
                row[: len(known)] = known
            found.update(zip(part, self.forward(ids, vocabulary["<pad>"]).tolist(), strict=True))
        return found

    def forward(self, ids: NDArray[np.int64], pad: int) -> NDArray[np.float64]:
        """The log-probability of each row; a causal model does not see the padding behind a sentence."""
        targets = ids[:, 1:, None]
        x = self.weights["tokens.weight"][ids[:, :-1]] + self.weights["positions.weight"][: targets.shape[1]]
        for at in range(LAYERS):
            x = self.block(f"blocks.{at}.", x)
        logits = (self.norm("norm", x).reshape(-1, WIDTH) @ self.weights["tokens.weight"].T).reshape(*targets.shape[:2], -1)
        top = logits.max(-1, keepdims=True)
        totals = top + np.log(np.exp(logits - top).sum(-1, keepdims=True))
        each = (np.take_along_axis(logits, targets, -1) - totals)[..., 0].astype(np.float64)
        rows: NDArray[np.float64] = np.where(targets[..., 0] == pad, 0.0, each).sum(1)
        return rows

    def block(self, name: str, x: Array) -> Array:
        count, length, size = x.shape[0], x.shape[1], WIDTH // HEADS
        packed = self.linear(name + "attention", self.norm(name + "norm1", x)).reshape(count, length, 3, HEADS, size)
        query, key, value = packed.transpose(2, 0, 3, 1, 4)
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(size)
        scores[..., np.triu(np.ones((length, length), bool), 1)] = -np.inf
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ value
        x = x + self.linear(name + "project", mixed.transpose(0, 2, 1, 3).reshape(count, length, WIDTH))
        inner = self.linear(name + "expand", self.norm(name + "norm2", x))
        inner = 0.5 * inner * (1 + np.tanh(math.sqrt(2 / math.pi) * inner * (1 + 0.044715 * inner * inner)))
        return x + self.linear(name + "contract", inner)

    def norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return scaled * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def linear(self, name: str, x: Array) -> Array:
        product = x.reshape(-1, x.shape[-1]) @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]
        return product.reshape(*x.shape[:-1], -1)
