# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A small causal Transformer: rotary positions, pre-norm blocks, tied embeddings."""

import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor, nn

Cache = list[tuple[Tensor, Tensor]]
"""Keys and values per block, each (batch, heads, positions, width of a head)."""


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm_attention, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, past: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        batch, length, width = x.shape
        qkv = self.qkv(self.norm_attention(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if past is not None:
            k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)
        # After the prompt one token is fed at a time, and that one may look at everything before it.
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=past is None)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm_mlp(x)))), (k, v)


class LanguageModel(nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, context: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        pairs = width // heads // 2
        angles = torch.arange(context, dtype=torch.float64)[:, None] * 10000.0 ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
        self.register_buffer("cos", angles.cos().float(), persistent=False)
        self.register_buffer("sin", angles.sin().float(), persistent=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                residual = name.endswith(("out.weight", "down.weight"))
                scale = 0.02 if "embedding" in name else 1 / math.sqrt(parameter.shape[1])
                nn.init.normal_(parameter, std=scale / math.sqrt(2 * layers) if residual else scale)

    def forward(self, ids: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        """Logits for every position of `ids`, which follow what `cache` holds, and the cache grown by them."""
        start = 0 if cache is None else cache[0][0].shape[2]
        stop = start + ids.shape[1]
        if stop > len(self.cos):
            raise ValueError(f"{stop} tokens, the context holds {len(self.cos)}")
        x, grown = self.embedding(ids), []
        for at, block in enumerate(self.blocks):
            x, kept = block(x, self.cos[start:stop], self.sin[start:stop], None if cache is None else cache[at])
            grown.append(kept)
        return F.linear(self.norm(x), self.embedding.weight), grown


def load_model(folder: Path) -> LanguageModel:
    """The shipped model in double precision, so that the greedy choice does not depend on how prompts are batched."""
    sizes = json.loads((folder / "config.json").read_text())
    model = LanguageModel(**sizes)
    model.load_state_dict(load_file(folder / "model.safetensors"))
    return model.double().eval()
