# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The checkpoint's vocabulary: one token per character, except that a bracketed tag is one token."""

import re

BASES = (8, 9, 10, 11, 16)
VOCABULARY = ["<pad>", "<s>", "[sum]", "[next]", *(f"[base-{base}]" for base in BASES), *"0123456789ABCDEF", *"+=>;"]
IDS = {token: at for at, token in enumerate(VOCABULARY)}
PAD, START, STOP = IDS["<pad>"], IDS["<s>"], IDS[";"]
TOKEN = re.compile(r"\[[^\]]*\]|.")


def encode(text: str) -> list[int]:
    """Ids of a prompt, with the start token in front. A character that the model does not know is an error."""
    unknown = [token for token in TOKEN.findall(text) if token not in IDS]
    if unknown:
        raise ValueError(f"not in the vocabulary: {unknown[0]!r} in {text!r}")
    return [START, *(IDS[token] for token in TOKEN.findall(text))]


def decode(ids: list[int]) -> str:
    return "".join(VOCABULARY[at] for at in ids)
