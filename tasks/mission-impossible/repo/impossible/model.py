# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""GPT-2 in small: learned positions, pre-norm blocks, tanh GELU, output tied to the input embedding."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 4 * width)
        self.contract = nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        packed = self.attention(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = packed.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.contract(F.gelu(self.expand(self.norm2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, context: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                residual = name.endswith(("project.weight", "contract.weight"))
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * layers) if residual else 0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the next token at every position of a right-padded batch."""
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.tokens.weight)


def pad(sequences: list[list[int]], value: int) -> Tensor:
    length = max(map(len, sequences))
    return torch.tensor([sequence + [value] * (length - len(sequence)) for sequence in sequences])
