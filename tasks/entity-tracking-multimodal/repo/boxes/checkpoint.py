# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Loading a text model from its folder."""

import json
from dataclasses import fields
from pathlib import Path

import torch
from safetensors.torch import load_file

from boxes.gpt import GPT, GPTConfig
from boxes.tokenizer import WordTokenizer


def load_text_model(folder: Path, dtype: torch.dtype) -> tuple[GPT, WordTokenizer]:
    values = json.loads((folder / "config.json").read_text())
    config = GPTConfig(**{field.name: values[field.name] for field in fields(GPTConfig)})
    model = GPT(config)
    model.load_state_dict(load_file(folder / "model.safetensors"))
    return model.to(dtype).eval(), WordTokenizer.load(folder)
