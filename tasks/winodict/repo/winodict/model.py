# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A small decoder-only Transformer: pre-norm blocks, rotary positions, tied embeddings."""

import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm_attention, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        batch, length, width = x.shape
        split = self.qkv(self.norm_attention(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        q, k = _rotate(q, cos, sin), _rotate(k, cos, sin)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.relu(self.up(self.norm_mlp(x))))


def _rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1).to(x.dtype)


class LanguageModel(nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, context: int) -> None:
        super().__init__()
        self.settings = {"vocabulary": vocabulary, "width": width, "layers": layers, "heads": heads, "context": context}
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        half = width // heads // 2
        angles = torch.arange(context)[:, None] * 10000.0 ** (-torch.arange(half) / half)[None]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)
        self._initialise(layers)

    def _initialise(self, layers: int) -> None:
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                std = 0.02 if "embedding" in name else 1 / math.sqrt(parameter.shape[1])
                if name.endswith(("out.weight", "down.weight")):
                    std /= math.sqrt(2 * layers)
                nn.init.normal_(parameter, std=std)

    def hidden(self, ids: torch.Tensor, positions: torch.Tensor | None = None, mask: torch.Tensor | None = None) -> torch.Tensor:
        """(batch, length) token ids to the normalised residual stream.

        `positions` (batch, length) and `mask` (batch, length, length; True where a row may look) replace plain left-to-right reading.
        """
        if positions is None:
            positions = torch.arange(ids.shape[1], device=ids.device)[None]
        cos, sin = self.cos[positions][:, None], self.sin[positions][:, None]
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, cos, sin, None if mask is None else mask[:, None])
        return self.norm(x)

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        return F.linear(hidden, self.embedding.weight)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.logits(self.hidden(ids))


def save_model(model: LanguageModel, path: Path) -> None:
    """Half precision on disk; the settings travel in the file's metadata."""
    tensors = {name: value.detach().half().cpu().contiguous() for name, value in model.state_dict().items()}
    save_file(tensors, str(path), metadata={"settings": json.dumps(model.settings)})


def load_model(path: Path) -> LanguageModel:
    """The model in double precision, so that a score hardly depends on what else is in its batch."""
    with safe_open(str(path), framework="pt") as file:
        model = LanguageModel(**json.loads(file.metadata()["settings"]))
        state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    model.load_state_dict(state)
    return model.double().eval()
