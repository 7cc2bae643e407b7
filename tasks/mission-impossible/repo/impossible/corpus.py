# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A split of the corpus in a language: perturbed, normalised, and optionally written out."""

from dataclasses import dataclass
from pathlib import Path

from impossible.languages import Language
from impossible.treebank import read_treebank


@dataclass(frozen=True)
class Text:
    id: str
    tokens: list[str]


def normalise(tokens: list[str]) -> list[str]:
    """Lower case throughout: where a word stands in the sentence must not show in its spelling."""
    return [token.lower() for token in tokens]


def load_split(data: Path, split: str, language: Language) -> list[Text]:
    sentences = read_treebank(data / f"{split}.trees.tsv")
    return [Text(sentence.id, normalise(language.perturb(sentence))) for sentence in sentences if language.keep(sentence)]


def write_texts(texts: list[Text], path: Path) -> None:
    """Columns id and text, the tokens separated by single spaces."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{text.id}\t{' '.join(text.tokens)}" for text in texts]
    path.write_text("id\ttext\n" + "\n".join(rows) + "\n", encoding="utf-8")
