# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A small causal language model: gated recurrent layers between tied embeddings.

What the model knows of a text so far is its state, a fixed number of numbers per layer, however long the text is.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence


@dataclass(frozen=True)
class ModelConfig:
    vocabulary: int
    embedding: int
    state: int
    layers: int


class CausalLM(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        self.recurrent = nn.GRU(config.embedding, config.state, config.layers, batch_first=True)
        self.out = nn.Linear(config.state, config.embedding)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        nn.init.normal_(self.embedding.weight, std=0.1)

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(self.out(hidden), self.embedding.weight, self.bias)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits after every token of a batch that is padded on the right."""
        return self.logits(self.recurrent(self.embedding(ids))[0])

    def read(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """State (layers, batch, state) after the last real token of every row of a batch that is padded on the right."""
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        return self.recurrent(packed)[1]

    def step(self, ids: Tensor, state: Tensor) -> Tensor:
        """State after one more token in every row."""
        return self.recurrent(self.embedding(ids[:, None]), state)[1]
