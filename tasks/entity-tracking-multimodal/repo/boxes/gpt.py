# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The text model: a small GPT with learned positions and an output layer that is tied to the token embeddings."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Cache = list[tuple[Tensor, Tensor]]
"""Keys and values of every block, each (batch, heads, length, head size)."""


@dataclass(frozen=True)
class GPTConfig:
    """The fields of a text model's config.json that shape the network."""

    vocab_size: int
    n_layer: int
    n_head: int
    n_embd: int
    n_positions: int


class Attention(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.n_head = config.n_head
        self.qkv = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.proj = nn.Linear(config.n_embd, config.n_embd)

    def forward(self, x: Tensor, mask: Tensor | None, past: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.n_head, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        return self.proj(y.transpose(1, 2).reshape(batch, length, width)), (k, v)


class Block(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.attn = Attention(config)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.fc = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.out = nn.Linear(4 * config.n_embd, config.n_embd)

    def forward(self, x: Tensor, mask: Tensor | None, past: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        y, present = self.attn(self.ln_1(x), mask, past)
        x = x + y
        return x + self.out(F.gelu(self.fc(self.ln_2(x)))), present


class GPT(nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.wpe = nn.Embedding(config.n_positions, config.n_embd)
        self.h = nn.ModuleList(Block(config) for _ in range(config.n_layer))
        self.ln_f = nn.LayerNorm(config.n_embd)

    def forward(
        self, ids: Tensor, positions: Tensor | None = None, mask: Tensor | None = None, cache: Cache | None = None
    ) -> tuple[Tensor, Cache]:
        """Logits (batch, length, vocabulary) and the extended cache.

        `mask` is a boolean (batch, 1, length, length of the keys), True where a query may look; without it attention is causal.
        """
        if positions is None:
            positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        x = self.wte(ids) + self.wpe(positions)
        presents = []
        for index, block in enumerate(self.h):
            x, present = block(x, mask, None if cache is None else cache[index])
            presents.append(present)
        return self.ln_f(x) @ self.wte.weight.T, presents
