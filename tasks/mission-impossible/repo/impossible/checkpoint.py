# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Weights on disk: one flat float32 vector, parameters in alphabetical order of their names."""

from pathlib import Path

import numpy as np
import torch

from impossible.model import GPT


def save_weights(model: GPT, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    named = dict(model.named_parameters())
    np.save(path, np.concatenate([named[name].detach().numpy().ravel() for name in sorted(named)]).astype(np.float32))


def load_weights(model: GPT, path: Path) -> None:
    flat, at = np.load(path), 0
    named = dict(model.named_parameters())
    with torch.no_grad():
        for name in sorted(named):
            parameter = named[name]
            parameter.copy_(torch.from_numpy(flat[at : at + parameter.numel()]).view_as(parameter))
            at += parameter.numel()
    if at != len(flat):
        raise ValueError(f"{path} holds {len(flat)} numbers where the model has {at}")
