# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The vision-language model: a small vision tower, and a language tower with gated cross-attention layers between its blocks.

Written for captioning, one picture at a time. The checkpoint's README says how the model was trained.
"""

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Pair = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class TextConfig:
    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    max_position_embeddings: int
    cross_attention_layers: tuple[int, ...]
    rope_theta: float = 10000.0
    rms_norm_eps: float = 1e-5
    tie_word_embeddings: bool = False


@dataclass(frozen=True)
class VisionConfig:
    hidden_size: int
    num_attention_heads: int
    num_patches: int
    patch_pixels: int


@dataclass(frozen=True)
class VLMConfig:
    text_config: TextConfig
    vision_config: VisionConfig
    num_image_tokens: int
    extra: dict[str, object] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, values: dict) -> "VLMConfig":
        text = dict(values["text_config"])
        text["cross_attention_layers"] = tuple(text["cross_attention_layers"])
        known = ("text_config", "vision_config", "num_image_tokens")
        rest = {key: value for key, value in values.items() if key not in known}
        return cls(TextConfig(**text), VisionConfig(**values["vision_config"]), values["num_image_tokens"], rest)


class RMSNorm(nn.Module):
    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


def rotary_tables(positions: Tensor, size: int, theta: float, dtype: torch.dtype) -> Pair:
    """Cosines and sines (batch, 1, length, size / 2) for the positions (batch, length) and a head of `size` dimensions."""
    half = size // 2
    rates = theta ** (-torch.arange(half, dtype=torch.float64, device=positions.device) / half)
    angles = positions[:, None, :, None].to(torch.float64) * rates
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(x: Tensor, tables: Pair) -> Tensor:
    """Rotary positions; dimension i is paired with dimension i + half."""
    cos, sin = tables
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)


class MLP(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(width, inner, bias=False)
        self.up_proj = nn.Linear(width, inner, bias=False)
        self.down_proj = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Projections(nn.Module):
    """The four matrices of an attention layer."""

    def __init__(self, width: int, heads: int, source_width: int | None = None) -> None:
        super().__init__()
        self.heads = heads
        source_width = width if source_width is None else source_width
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(source_width, width, bias=False)
        self.v_proj = nn.Linear(source_width, width, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def merge(self, y: Tensor) -> Tensor:
        return self.o_proj(y.transpose(1, 2).flatten(2))


class SelfLayer(nn.Module):
    def __init__(self, config: TextConfig) -> None:
        super().__init__()
        self.input_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.self_attn = Projections(config.hidden_size, config.num_attention_heads)
        self.post_attention_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.mlp = MLP(config.hidden_size, config.intermediate_size)

    def forward(self, x: Tensor, tables: Pair, past: Pair | None = None) -> tuple[Tensor, Pair]:
        attn, y = self.self_attn, self.input_layernorm(x)
        q = rotate(attn.split(attn.q_proj(y)), tables)
        k = rotate(attn.split(attn.k_proj(y)), tables)
        v = attn.split(attn.v_proj(y))
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        x = x + attn.merge(F.scaled_dot_product_attention(q, k, v, is_causal=past is None))
        return x + self.mlp(self.post_attention_layernorm(x)), (k, v)


class CrossLayer(nn.Module):
    """Looks at the picture. Both of its contributions are scaled by the tanh of a learned gate."""

    def __init__(self, config: TextConfig, vision_width: int) -> None:
        super().__init__()
        self.input_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.cross_attn = Projections(config.hidden_size, config.num_attention_heads, vision_width)
        self.cross_attn_attn_gate = nn.Parameter(torch.zeros(1))
        self.post_attention_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.mlp = MLP(config.hidden_size, config.intermediate_size)
        self.cross_attn_mlp_gate = nn.Parameter(torch.zeros(1))

    def forward(self, x: Tensor, picture: Tensor) -> Tensor:
        attn = self.cross_attn
        q = attn.split(attn.q_proj(self.input_layernorm(x)))
        k, v = attn.split(attn.k_proj(picture)), attn.split(attn.v_proj(picture))
        x = x + self.cross_attn_attn_gate.tanh() * attn.merge(F.scaled_dot_product_attention(q, k, v))
        return x + self.cross_attn_mlp_gate.tanh() * self.mlp(self.post_attention_layernorm(x))


class VisionTower(nn.Module):
    """Patches (batch, patches, pixels) to states (batch, patches, width)."""

    def __init__(self, config: VisionConfig) -> None:
        super().__init__()
        self.patch_embedding = nn.Linear(config.patch_pixels, config.hidden_size)
        self.position_embedding = nn.Embedding(config.num_patches, config.hidden_size)
        self.attn = Projections(config.hidden_size, config.num_attention_heads)
        self.mlp = MLP(config.hidden_size, 2 * config.hidden_size)
        self.norms = nn.ModuleList(RMSNorm(config.hidden_size, 1e-5) for _ in range(3))

    def forward(self, pixels: Tensor) -> Tensor:
        x = self.patch_embedding(pixels) + self.position_embedding.weight
        attn, y = self.attn, self.norms[0](x)
        q, k, v = attn.split(attn.q_proj(y)), attn.split(attn.k_proj(y)), attn.split(attn.v_proj(y))
        x = x + attn.merge(F.scaled_dot_product_attention(q, k, v))
        x = x + self.mlp(self.norms[1](x))
        return self.norms[2](x)


class TextModel(nn.Module):
    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        text = config.text_config
        self.embed_tokens = nn.Embedding(config.num_image_tokens + text.vocab_size, text.hidden_size)
        self.layers = nn.ModuleList(
            CrossLayer(text, config.vision_config.hidden_size) if index in text.cross_attention_layers else SelfLayer(text)
            for index in range(text.num_hidden_layers)
        )
        self.norm = RMSNorm(text.hidden_size, text.rms_norm_eps)


class LanguageModel(nn.Module):
    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.model = TextModel(config)
        self.lm_head = nn.Linear(config.text_config.hidden_size, config.text_config.vocab_size, bias=False)


class BoxesVLM(nn.Module):
    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.config = config
        self.vision_model = VisionTower(config.vision_config)
        self.language_model = LanguageModel(config)

    def forward(self, rows: Tensor, pixels: Tensor | None = None, cache: list[Pair] | None = None) -> tuple[Tensor, list[Pair]]:
        """Logits (batch, length, text vocabulary) for embedding rows (batch, length) and pictures (batch, patches, pixels).

        With the `cache` of an earlier call, `rows` is the one token that follows; keys and values of the self-attention layers are kept in it.
        """
        if pixels is None:  # a blank canvas, so that the smoke test runs without a picture
            vision = self.config.vision_config
            pixels = self.vision_model.patch_embedding.weight.new_zeros(len(rows), vision.num_patches, vision.patch_pixels)
        picture = self.vision_model(pixels)
        text, tower = self.config.text_config, self.language_model.model
        x = tower.embed_tokens(rows)
        past = iter(cache) if cache is not None else None
        seen = 0 if cache is None else cache[0][0].shape[2]
        positions = torch.arange(seen, seen + rows.shape[1], device=rows.device)[None]
        tables = rotary_tables(positions, text.hidden_size // text.num_attention_heads, text.rope_theta, x.dtype)
        presents = []
        for layer in tower.layers:
            if isinstance(layer, CrossLayer):
                x = layer(x, picture)
            else:
                x, present = layer(x, tables, None if past is None else next(past))
                presents.append(present)
        return self.language_model.lm_head(tower.norm(x)), presents
