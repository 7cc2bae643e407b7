# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scores the final state's predictions, and asks the final weights how they were trained.

Every prediction is checked to be the greedy parse that the written weights give, token by token, in numpy; so accuracies cannot
be had without a model of the stated shape that really has them. How long the model was trained, and at which rates, shows in three
quantities read off the weights: the loss that is left on the training sentences of the held-out words, and the sizes of the gains of
the last normalisation and of the output bias, which grow with every step at a pace set by the schedule. For one seed they are fixed up
to rounding. The forms of test and gen are in the truth alone.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rexbench.evaluation.reading import read_array, read_table, require, same_ids

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Row = dict[str, str]

WEIGHTS = "results/weights.npy"
PREDICTIONS = "results/{}_predictions.tsv"

WIDTH, HEADS, HIDDEN = 64, 4, 128
LONGEST_FORM = 24
PAD, BOS, EOS = 0, 1, 2
SPECIAL = ("<pad>", "<s>", "</s>")
TIE = 0.01
"""A token whose score is this close to the highest may have been the highest in single precision."""
CHUNK = 128
IN_DISTRIBUTION = "in_distribution"
STRUCTURAL = ("pp_recursion", "obj_pp_to_subj_pp")


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, int | float | str]:
    train, model, index = _model(artefacts, data)
    _right(artefacts, data, truth, "test", model, index)
    gen = _right(artefacts, data, truth, "gen", model, index)
    shown_once = [row for row in train if row["type"] != IN_DISTRIBUTION]
    return {
        "gen_accuracy": _percentage([mark for _, mark in gen]),
        "exposure_log_loss": math.log(max(_mean_loss(shown_once, model, index), 1e-12)),
        "readout_gain": float(np.linalg.norm(model.weights["decoder_norm.weight"])),
        "readout_bias": float(np.linalg.norm(model.weights["bias"])),
    }


def landmarks(artefacts: Path, data: Path, truth: Path) -> dict[str, bool]:
    _, model, index = _model(artefacts, data)
    test, gen = (_right(artefacts, data, truth, split, model, index) for split in ("test", "gen"))
    return {
        "the small model's weights made the predictions": True,
        "test accuracy is at least 95": _percentage([mark for _, mark in test]) >= 95,
        "most lexical generalisation succeeds": _percentage([mark for kind, mark in gen if kind not in STRUCTURAL]) >= 50,
    }


def _model(artefacts: Path, data: Path) -> tuple[list[Row], "Parser", dict[str, int]]:
    """The training rows, the parser that the run ended with, and its vocabulary."""
    train = _split(data, "train")
    words = {word for row in train for word in (row["sentence"] + " " + row["logical_form"]).split()}
    index = {word: at for at, word in enumerate([*SPECIAL, *sorted(words)])}
    return train, Parser(read_array(artefacts / WEIGHTS, "f"), len(index)), index


def _split(data: Path, split: str) -> list[Row]:
    return read_table(data / f"{split}.tsv", ("id", "sentence", "type"), delimiter="\t")


def _right(artefacts: Path, data: Path, truth: Path, split: str, model: "Parser", index: dict[str, int]) -> list[tuple[str, bool]]:
    """Type and correctness of every row of a split, once it is certain that the model made the predictions."""
    path = artefacts / PREDICTIONS.format(split)
    gold = _split(data, split)
    written = read_table(path, ("id", "prediction"), delimiter="\t")
    same_ids((row["id"] for row in written), (row["id"] for row in gold), path.name)
    forms = {row["id"]: row["prediction"].split() for row in written}
    for key, form in forms.items():
        require(len(form) <= LONGEST_FORM, f"{path.name} {key}: {len(form)} tokens where decoding ends after {LONGEST_FORM}")
        unknown = [token for token in form if index.get(token, EOS) == EOS]
        require(not unknown, f"{path.name} {key}: {unknown[:1]} is not a word of the training data")
    sources = [[*_ids(row["sentence"].split(), index), EOS] for row in gold]
    targets = [[BOS, *_ids(forms[row["id"]], index), EOS][: LONGEST_FORM + 1] for row in gold]
    for at, scores in model.scores(sources, targets):
        target, key = targets[at], gold[at]["id"]
        lead = scores.max(-1) - scores[np.arange(len(scores)), target[1:]]
        worst = int(lead.argmax())
        require(lead[worst] <= TIE, f"{path.name} {key}: token {worst + 1} is not the one that weights.npy give")
    right = {row["id"]: row["logical_form"].split() for row in read_table(truth / f"{split}.tsv", ("id", "logical_form"), "\t")}
    return [(row["type"], forms[row["id"]] == right[row["id"]]) for row in gold]


def _mean_loss(rows: Sequence[Row], model: "Parser", index: dict[str, int]) -> float:
    """Mean over sentences of the negative log-likelihood of the form and its end mark, in nats."""
    sources = [[*_ids(row["sentence"].split(), index), EOS] for row in rows]
    targets = [[BOS, *_ids(row["logical_form"].split(), index), EOS] for row in rows]
    total = 0.0
    for at, scores in model.scores(sources, targets):
        top = scores.max(-1, keepdims=True)
        normaliser = top[:, 0] + np.log(np.exp(scores - top).sum(-1))
        total += float((normaliser - scores[np.arange(len(scores)), targets[at][1:]]).sum())
    return total / len(rows)


def _ids(tokens: list[str], index: dict[str, int]) -> list[int]:
    return [index[token] for token in tokens]


def _percentage(marks: list[bool]) -> float:
    return 100 * sum(marks) / len(marks)


class Parser:
    """The small parser of the repository, forward only, from its flat weights (parameters in alphabetical order of their names)."""

    def __init__(self, flat: NDArray[Any], vocabulary: int) -> None:
        def linear(name: str, rows: int, columns: int = WIDTH) -> dict[str, tuple[int, ...]]:
            return {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}

        def norm(name: str) -> dict[str, tuple[int, ...]]:
            return {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}

        shapes: dict[str, tuple[int, ...]] = {"bias": (vocabulary,), "embedding.weight": (vocabulary, WIDTH)}
        for side in ("encoder", "decoder"):
            layer = f"{side}.0"
            shapes |= norm(f"{side}_norm") | norm(f"{layer}.self_norm") | norm(f"{layer}.ff_norm")
            shapes |= linear(f"{layer}.self_attention.query_key_value", 3 * WIDTH) | linear(f"{layer}.self_attention.out", WIDTH)
            shapes |= linear(f"{layer}.ff.0", HIDDEN) | linear(f"{layer}.ff.2", WIDTH, HIDDEN)
        cross = "decoder.0.cross_attention"
        shapes |= norm("decoder.0.cross_norm") | linear(f"{cross}.query", WIDTH)
        shapes |= linear(f"{cross}.key_value", 2 * WIDTH) | linear(f"{cross}.out", WIDTH)

        size = sum(math.prod(shape) for shape in shapes.values())
        require(flat.shape == (size,), f"weights.npy: shape {flat.shape} where the small model has {size} weights")
        require(flat.dtype == np.float32, f"weights.npy: {flat.dtype} where float32 is asked for")
        self.weights: dict[str, Array] = {}
        at = 0
        for name in sorted(shapes):
            count = math.prod(shapes[name])
            self.weights[name] = flat[at : at + count].astype(np.float64).reshape(shapes[name])
            at += count

    def scores(self, sources: list[list[int]], targets: list[list[int]]) -> Iterator[tuple[int, Array]]:
        """Row by row, its number and the scores of all words after each prefix of its target (the last token only ends it)."""
        order = sorted(range(len(targets)), key=lambda at: (len(targets[at]), len(sources[at])))
        for start in range(0, len(order), CHUNK):
            chosen = order[start : start + CHUNK]
            source = _padded([sources[at] for at in chosen])
            target = _padded([targets[at][:-1] for at in chosen])
            found = self.forward(source, target)
            for at, scores in zip(chosen, found, strict=True):
                yield at, scores[: len(targets[at]) - 1]

    def forward(self, source: Indices, target: Indices) -> Array:
        hidden = np.where(source == PAD, -1e9, 0.0)[:, None, None, :]
        memory = self.norm("encoder_norm", self.layer("encoder.0", self.embed(source), hidden))
        causal = np.triu(np.full((target.shape[1], target.shape[1]), -1e9), 1)
        states = self.norm("decoder_norm", self.layer("decoder.0", self.embed(target), causal, memory, hidden))
        scores: Array = states @ self.weights["embedding.weight"].T + self.weights["bias"]
        return scores

    def embed(self, ids: Indices) -> Array:
        angle = np.arange(ids.shape[1])[:, None] / 10000 ** (np.arange(0, WIDTH, 2)[None] / WIDTH)
        positions = np.stack([np.sin(angle), np.cos(angle)], -1).reshape(ids.shape[1], WIDTH)
        embedded: Array = self.weights["embedding.weight"][ids] * math.sqrt(WIDTH) + positions
        return embedded

    def layer(self, name: str, x: Array, mask: Array, memory: Array | None = None, memory_mask: Array | None = None) -> Array:
        packed = self.linear(f"{name}.self_attention.query_key_value", self.norm(f"{name}.self_norm", x))
        query, key, value = np.split(packed, 3, axis=-1)
        x = x + self.linear(f"{name}.self_attention.out", _attend(query, key, value, mask))
        if memory is not None and memory_mask is not None:
            query = self.linear(f"{name}.cross_attention.query", self.norm(f"{name}.cross_norm", x))
            key, value = np.split(self.linear(f"{name}.cross_attention.key_value", memory), 2, axis=-1)
            x = x + self.linear(f"{name}.cross_attention.out", _attend(query, key, value, memory_mask))
        inner = np.maximum(self.linear(f"{name}.ff.0", self.norm(f"{name}.ff_norm", x)), 0)
        return x + self.linear(f"{name}.ff.2", inner)

    def norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def linear(self, name: str, x: Array) -> Array:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]


def _padded(rows: list[list[int]]) -> Indices:
    width = max(map(len, rows))
    return np.array([row + [PAD] * (width - len(row)) for row in rows])


def _attend(query: Array, key: Array, value: Array, mask: Array) -> Array:
    def heads(x: Array) -> Array:
        return x.reshape(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

    scores = heads(query) @ heads(key).swapaxes(-1, -2) / math.sqrt(WIDTH // HEADS) + mask
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (shares / shares.sum(-1, keepdims=True)) @ heads(value)
    return mixed.transpose(0, 2, 1, 3).reshape(query.shape)
