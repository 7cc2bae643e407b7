# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a run leaves in its folder: config.json, vocabulary.json, train_log.csv, best.safetensors, last.safetensors.

`best` is the state with the best accuracy on dev, `last` the state at the most recent evaluation (to look at, or to resume).
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from cogs import config as configs
from cogs.data import Vocabulary
from cogs.model import Parser


def save_state(model: Parser, run: Path, name: str) -> None:
    save_file({key: value.clone() for key, value in model.state_dict().items()}, run / f"{name}.safetensors")


def load_run(run: Path) -> tuple[Parser, Vocabulary]:
    """The trained parser of a run, ready to decode."""
    config, vocabulary = configs.load(run / "config.json"), Vocabulary.load(run / "vocabulary.json")
    model = Parser(len(vocabulary), config)
    model.load_state_dict(load_file(run / "best.safetensors"))
    return model.eval(), vocabulary


def write_weights(model: Parser, path: Path) -> None:
    """All parameters as one float32 vector, in alphabetical order of their names, each flattened row by row."""
    parts = [value.detach().flatten() for _, value in sorted(model.named_parameters())]
    np.save(path, torch.cat(parts).numpy().astype(np.float32))
