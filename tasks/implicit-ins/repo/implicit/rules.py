# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The rule-based model: scores for the next token that know nothing of the instruction (section 4 of papers/hewitt2024.md)."""

import numpy as np

from implicit.chat import RESPONSE_MARKER
from implicit.settings import RuleSettings

RULES = ("eos", "words", "repetition")

TOKEN_WEIGHTS = {
    # markers of a conversation, likely because the prompt is full of them
    10: -4.0,  # <
    165: -4.0,  # _<
    12: -4.0,  # |
    161: -4.0,  # _|
    # starts of a chat about the request
    98: -5.0,  # _I
    112: -3.0,  # _We
    127: -5.0,  # _What
    97: -6.0,  # _should
    206: -4.0,  # _Maybe
    317: -3.0,  # _Someone
    185: -4.0,  # _Sorry
    308: -3.0,  # _Thanks
    303: -2.0,  # _Well
    # how a guide goes on
    189: 1.0,  # _Also
    209: 1.0,  # _Then
    8: 1.0,  # !
}


def parse_rules(text: str) -> tuple[str, ...]:
    """"eos,words" and the like; "none" is the language model alone."""
    rules = () if text == "none" else tuple(text.split(","))
    unknown = [rule for rule in rules if rule not in RULES]
    if unknown:
        raise ValueError(f"unknown rule {unknown[0]!r}; there are {', '.join(RULES)}")
    return rules


class RuleAdapter:
    """Gives every possible next token a score. Added to log-probabilities, it makes the product of the two models."""

    def __init__(self, vocabulary: int, rules: tuple[str, ...], settings: RuleSettings, eos_id: int = 2):
        self.vocabulary = vocabulary
        self.rules = rules
        self.settings = settings
        self.eos_id = eos_id
        self.token_weights = np.zeros(vocabulary)
        for token, weight in TOKEN_WEIGHTS.items():
            self.token_weights[token] = weight

    def scores(self, ids: np.ndarray) -> np.ndarray:
        """`ids`: the whole sequences so far, padding and prompt included, shape (rows, length). Returns (rows, vocabulary)."""
        scores = np.zeros((len(ids), self.vocabulary))
        starts = response_starts(ids)
        if "eos" in self.rules:
            scores[:, self.eos_id] += self.eos_weight(ids.shape[1] - starts)
        if "words" in self.rules:
            scores += self.token_weights
        if "repetition" in self.rules:
            for row, start in enumerate(starts):
                scores[row, np.unique(ids[row, start:])] -= self.settings.repetition_penalty
        return scores

    def eos_weight(self, generated: np.ndarray) -> np.ndarray:
        """Grows linearly with the number of tokens generated, then stays."""
        return self.settings.eos_scale * np.minimum(generated / self.settings.eos_range, 1.0)


def response_starts(ids: np.ndarray) -> np.ndarray:
    """For every row the column behind the first response marker."""
    marker = np.array(RESPONSE_MARKER)
    if ids.shape[1] < len(marker):
        return np.zeros(len(ids), dtype=int)
    found = (np.lib.stride_tricks.sliding_window_view(ids, len(marker), axis=1) == marker).all(axis=2)
    return np.where(found.any(axis=1), found.argmax(axis=1) + len(marker), 0)
