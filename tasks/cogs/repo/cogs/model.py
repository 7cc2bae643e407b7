# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A pre-norm Transformer encoder-decoder over one shared vocabulary, input and output embeddings tied."""

import math
import os

import torch
from torch import Tensor, nn

from cogs.config import Config
from cogs.data import BOS, EOS, PAD

MAX_LENGTH = 64
LONGEST_FORM = 24
"""Greedy decoding gives up after this many tokens."""


JITTER = "JITTER"
"""Environment variable. A number there changes the initial weights in their last digits, and no random number that is drawn later: runs of
one seed then differ as they do between processors, by rounding alone."""


def sinusoids(length: int, width: int) -> Tensor:
    angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2)[None] / width)
    table = torch.zeros(length, width)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Written out: on sequences this short the fused kernel gains nothing. Heads are the second dimension."""
    b, heads, n, size = query.shape
    weights = (query @ key.transpose(-1, -2) * size**-0.5 + mask).softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(b, n, heads * size)


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query_key_value, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        b, n, _ = x.shape
        q, k, v = self.query_key_value(x).view(b, n, 3, self.heads, self.size).permute(2, 0, 3, 1, 4)
        return self.out(attend(q, k, v, mask))


class CrossAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key_value, self.out = nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        b, n, _ = x.shape
        q = self.query(x).view(b, n, self.heads, self.size).transpose(1, 2)
        k, v = self.key_value(memory).view(b, -1, 2, self.heads, self.size).permute(2, 0, 3, 1, 4)
        return self.out(attend(q, k, v, mask))


class Layer(nn.Module):
    def __init__(self, config: Config, decoder: bool) -> None:
        super().__init__()
        width = config.d_model
        self.dropout = nn.Dropout(config.dropout)
        self.self_norm, self.self_attention = nn.LayerNorm(width), SelfAttention(width, config.heads)
        self.cross_norm = nn.LayerNorm(width) if decoder else None
        self.cross_attention = CrossAttention(width, config.heads) if decoder else None
        self.ff_norm = nn.LayerNorm(width)
        self.ff = nn.Sequential(nn.Linear(width, config.d_ff), nn.ReLU(), nn.Linear(config.d_ff, width))

    def forward(self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None) -> Tensor:
        x = x + self.dropout(self.self_attention(self.self_norm(x), mask))
        if self.cross_attention is not None:
            x = x + self.dropout(self.cross_attention(self.cross_norm(x), memory, memory_mask))
        return x + self.dropout(self.ff(self.ff_norm(x)))


class Parser(nn.Module):
    def __init__(self, vocabulary_size: int, config: Config) -> None:
        super().__init__()
        width = config.d_model
        self.embedding = nn.Embedding(vocabulary_size, width)
        self.bias = nn.Parameter(torch.zeros(vocabulary_size))
        self.scale, self.dropout = math.sqrt(width), nn.Dropout(config.dropout)
        self.register_buffer("positions", sinusoids(MAX_LENGTH, width), persistent=False)
        self.encoder = nn.ModuleList(Layer(config, decoder=False) for _ in range(config.layers))
        self.decoder = nn.ModuleList(Layer(config, decoder=True) for _ in range(config.layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)
        if os.environ.get(JITTER):
            self.jitter(int(os.environ[JITTER]))

    @torch.no_grad()
    def jitter(self, number: int) -> None:
        own = torch.Generator().manual_seed(number)
        for parameter in self.parameters():
            parameter.mul_(1 + 1e-6 * torch.randn(parameter.shape, generator=own))

    def embed(self, ids: Tensor) -> Tensor:
        return self.dropout(self.embedding(ids) * self.scale + self.positions[: ids.shape[1]])

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        mask = torch.zeros(source.shape).masked_fill(source == PAD, -1e9)[:, None, None]
        h = self.embed(source)
        for layer in self.encoder:
            h = layer(h, mask)
        return self.encoder_norm(h), mask

    def decode(self, target: Tensor, memory: Tensor, memory_mask: Tensor) -> Tensor:
        """The decoder's states, ready for `readout`."""
        n = target.shape[1]
        causal = torch.full((n, n), -1e9).triu(1)
        h = self.embed(target)
        for layer in self.decoder:
            h = layer(h, causal, memory, memory_mask)
        return self.decoder_norm(h)

    def readout(self, states: Tensor) -> Tensor:
        """Scores of all words, from states of any leading shape."""
        return nn.functional.linear(states, self.embedding.weight, self.bias)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        return self.readout(self.decode(target, *self.encode(source)))

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy of the next token, the right prefix given. Padding is left out before the costly readout."""
        gold = target[:, 1:]
        kept = gold != PAD
        states = self.decode(target[:, :-1], *self.encode(source))
        return nn.functional.cross_entropy(self.readout(states[kept]), gold[kept])

    @torch.no_grad()
    def greedy(self, source: Tensor) -> Tensor:
        """Most likely token by token, without BOS; a row is padded after its EOS."""
        memory, mask = self.encode(source)
        ids = torch.full((len(source), 1), BOS)
        done = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(LONGEST_FORM):
            best = self.readout(self.decode(ids, memory, mask)[:, -1]).argmax(-1).masked_fill(done, PAD)
            ids = torch.cat([ids, best[:, None]], 1)
            done |= best == EOS
            if done.all():
                break
        return ids[:, 1:]
