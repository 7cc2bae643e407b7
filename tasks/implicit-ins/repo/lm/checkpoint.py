# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Load a model folder: config.json, tokenizer.json, model.safetensors."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from lm.model import Config, LanguageModel
from lm.tokenizers import Tokenizer, load_tokenizer


@dataclass(frozen=True)
class Checkpoint:
    name: str
    model: LanguageModel
    tokenizer: Tokenizer


def load_checkpoint(folder: str | Path) -> Checkpoint:
    folder = Path(folder)
    config = Config(**json.loads((folder / "config.json").read_text()))
    stored = load_file(folder / "model.safetensors")
    weights = {name: tensor.astype(np.float64) for name, tensor in stored.items()}
    return Checkpoint(folder.name, LanguageModel(config, weights), load_tokenizer(folder / "tokenizer.json"))
