# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A small text encoder, trained from scratch.

Word vectors see their neighbours through one convolution of three words, are pooled per segment, and one hidden
layer reads the segments' vectors together with their pairwise products.
"""

from itertools import combinations

import torch
import torch.nn.functional as F
from torch import nn

from aed.config import EncoderSettings
from aed.text import PAD, SEP


class SegmentEncoder(nn.Module):
    def __init__(self, settings: EncoderSettings, vocabulary_size: int, segments: int, outputs: int):
        super().__init__()
        width = settings.width
        self.segments = segments
        self.words = nn.Embedding(vocabulary_size, width, padding_idx=PAD)
        self.neighbours = nn.Linear(3 * width, width)
        self.hidden = nn.Linear((segments + segments * (segments - 1) // 2) * width, 2 * width)
        self.head = nn.Linear(2 * width, outputs)
        nn.init.normal_(self.words.weight, std=0.5)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Raw outputs of the head, one row per row of ids."""
        ids = ids[:, : int((ids != PAD).sum(dim=1).max())]  # columns that are padding in every row only cost time
        is_separator = ids == SEP
        is_word = ((ids != PAD) & ~is_separator).unsqueeze(-1)
        # What a word gives to the convolution is the same wherever it stands: computed once per word, then looked up.
        parts = [self.words.weight @ part.T for part in self.neighbours.weight.chunk(3, dim=1)]
        before, here, after = (F.embedding(ids, part) * is_word for part in parts)
        window = here + F.pad(before, (0, 0, 1, 0))[:, :-1] + F.pad(after, (0, 0, 0, 1))[:, 1:] + self.neighbours.bias
        words = self.words(ids) * is_word + torch.tanh(window)

        # Which segment a word is in: the number of separators before it. Further segments count to the last one.
        segment = is_separator.cumsum(dim=1).clamp(max=self.segments - 1)
        member = (F.one_hot(segment, self.segments) * is_word).to(words.dtype)
        pooled = member.transpose(1, 2) @ words / member.sum(dim=1).clamp(min=1).sqrt().unsqueeze(-1)

        single = [pooled[:, at] for at in range(self.segments)]
        joint = [pooled[:, one] * pooled[:, two] for one, two in combinations(range(self.segments), 2)]
        features = torch.cat(single + joint, dim=-1)
        return self.head(torch.relu(self.hidden(features)))
