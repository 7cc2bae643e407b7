# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A small causal language model of gated linear attention, the recurrent kind of attention.

Each head has a memory, a matrix of fixed size. Every token lets it fade a little and adds the product of its key and its value; what
a token's query finds there is all that it learns of the text before. So what the model knows of a text are these matrices and the
last tokens, however long the text is. `forward` computes every position of a text at once, for training; `read` and `step` go from
token to token. Both give the same result.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

REACH = 3
"""Tokens that a layer sees directly: its own and those right before it."""


@dataclass(frozen=True)
class ModelConfig:
    vocabulary: int
    width: int
    layers: int
    heads: int
    keys: int
    """Size of a key: a memory has this many rows."""


@dataclass(frozen=True)
class LayerState:
    recent: Tensor
    """(batch, width, REACH - 1): what the layer was given for the last tokens."""
    memory: Tensor
    """(batch, heads, keys, width / heads)"""


@dataclass(frozen=True)
class State:
    layers: list[LayerState]
    hidden: Tensor
    """(batch, width): output of the last layer for the last token."""


class Layer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width = config.width
        self.heads, self.keys = config.heads, config.keys
        self.norm1 = nn.LayerNorm(width)
        self.near = nn.Conv1d(width, width, REACH, groups=width)
        self.query = nn.Linear(width, config.heads * config.keys, bias=False)
        self.key = nn.Linear(width, config.heads * config.keys, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.keep = nn.Linear(width, config.heads)
        self.project = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 4 * width)
        self.contract = nn.Linear(4 * width, width)
        nn.init.constant_(self.keep.bias, 6.0)

    def forward(self, x: Tensor) -> Tensor:
        """(batch, length, width) to the same."""
        batch, length, width = x.shape
        normed = self.norm1(x)
        y = normed + self.near(F.pad(normed.transpose(1, 2), (REACH - 1, 0))).transpose(1, 2)
        query, key, value = self._heads(y)
        kept = F.logsigmoid(self.keep(y)).transpose(1, 2).cumsum(-1)
        later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        fading = (kept[..., :, None] - kept[..., None, :]).masked_fill(later, float("-inf")).exp()
        found = ((query @ key.transpose(-1, -2)) * fading) @ value
        return self._finish(x, found.transpose(1, 2).reshape(batch, length, width))

    def step(self, x: Tensor, state: LayerState) -> tuple[Tensor, LayerState]:
        """One token: (batch, width) to the same."""
        batch, width = x.shape
        normed = self.norm1(x)
        seen = torch.cat([state.recent, normed[:, :, None]], -1)
        y = normed + self.near(seen)[:, :, 0]
        query, key, value = self._heads(y[:, None])
        keep = torch.sigmoid(self.keep(y))[:, :, None, None]
        memory = keep * state.memory + key.transpose(-1, -2) @ value
        return self._finish(x, (query @ memory).reshape(batch, width)), LayerState(seen[:, :, 1:], memory)

    def empty(self, batch: int, like: Tensor) -> LayerState:
        width = self.norm1.normalized_shape[0]
        return LayerState(like.new_zeros(batch, width, REACH - 1), like.new_zeros(batch, self.heads, self.keys, width // self.heads))

    def _heads(self, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        batch, length, _ = y.shape
        query, key, value = (part(y).view(batch, length, self.heads, -1).transpose(1, 2) for part in (self.query, self.key, self.value))
        return query, key, value

    def _finish(self, x: Tensor, found: Tensor) -> Tensor:
        x = x + self.project(found)
        return x + self.contract(F.gelu(self.expand(self.norm2(x))))


class CausalLM(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.out = nn.Linear(config.width, config.vocabulary)
        nn.init.normal_(self.embedding.weight, std=0.1)

    def logits(self, hidden: Tensor) -> Tensor:
        return self.out(self.norm(hidden))

    def forward(self, ids: Tensor) -> Tensor:
        """Output of the last layer, (batch, length, width), for a batch that is padded on the right."""
        x = self.embedding(ids)
        for layer in self.layers:
            x = layer(x)
        return x

    def read(self, ids: Tensor, lengths: Tensor) -> State:
        """State after the last real token of every row of a batch that is padded on the right."""
        batch, longest = ids.shape
        like = self.embedding.weight
        state = State([layer.empty(batch, like) for layer in self.layers], like.new_zeros(batch, self.config.width))
        for at in range(longest):
            state = _where(at < lengths, self.step(ids[:, at], state), state)
        return state

    def step(self, ids: Tensor, state: State) -> State:
        """State after one more token in every row."""
        x, states = self.embedding(ids), []
        for layer, before in zip(self.layers, state.layers, strict=True):
            x, after = layer.step(x, before)
            states.append(after)
        return State(states, x)


def _where(rows: Tensor, new: State, old: State) -> State:
    def choose(first: Tensor, second: Tensor) -> Tensor:
        return torch.where(rows.view(-1, *[1] * (first.dim() - 1)), first, second)

    layers = [
        LayerState(choose(a.recent, b.recent), choose(a.memory, b.memory)) for a, b in zip(new.layers, old.layers, strict=True)
    ]
    return State(layers, choose(new.hidden, old.hidden))
