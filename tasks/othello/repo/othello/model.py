# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""OthelloGPT: a small pre-norm GPT over move tokens, and its checkpoint file."""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from othello.engine import MAX_MOVES

START_TOKEN = MAX_MOVES
"""Every transcript begins with this token, so that there is a position before the first move."""


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.mlp_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, time, width = x.shape
        query, key, value = (
            part.view(batch, time, self.heads, -1).transpose(1, 2)
            for part in self.qkv(self.attention_norm(x)).split(width, 2)
        )
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, time, width))
        return x + self.down(F.gelu(self.up(self.mlp_norm(x))))


class OthelloGPT(nn.Module):
    def __init__(self, layers: int, width: int, heads: int):
        super().__init__()
        self.shape = {"layers": layers, "width": width, "heads": heads}
        self.token, self.position = nn.Embedding(MAX_MOVES + 1, width), nn.Embedding(MAX_MOVES, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.final_norm, self.head = nn.LayerNorm(width), nn.Linear(width, MAX_MOVES, bias=False)
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
                if getattr(module, "bias", None) is not None:
                    nn.init.zeros_(module.bias)
        for block in self.blocks:
            for module in (block.out, block.down):
                nn.init.normal_(module.weight, std=0.02 / (2 * layers) ** 0.5)

    def residual_stream(self, tokens: torch.Tensor) -> list[torch.Tensor]:
        """The embedding, then the stream after each block: layers + 1 tensors (batch, time, width)."""
        x = self.token(tokens) + self.position.weight[: tokens.shape[1]]
        stream = [x]
        for block in self.blocks:
            x = block(x)
            stream.append(x)
        return stream

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits over the 32 moves for the move that follows each position."""
        return self.head(self.final_norm(self.residual_stream(tokens)[-1]))


def model_inputs(moves: torch.Tensor) -> torch.Tensor:
    """(games, 32) transcripts -> (games, 32) inputs: the start token, then moves 0..30. Position t has read the moves before t."""
    start = torch.full_like(moves[:, :1], START_TOKEN)
    return torch.cat([start, moves[:, :-1].clamp(min=0)], 1)


def save_checkpoint(path: Path, model: OthelloGPT) -> None:
    """Half-precision weights, with the model's shape in the file's metadata."""
    weights = {name: value.detach().cpu().half().contiguous() for name, value in model.state_dict().items()}
    save_file(weights, str(path), metadata={name: str(value) for name, value in model.shape.items()})


def load_checkpoint(path: Path) -> OthelloGPT:
    """The model in single precision, ready for evaluation."""
    with safe_open(str(path), framework="pt") as file:
        model = OthelloGPT(**{name: int(value) for name, value in file.metadata().items()})
        model.load_state_dict({name: file.get_tensor(name).float() for name in file.keys()})
    return model.eval()
