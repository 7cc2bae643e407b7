# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The model's residual stream on the probed positions of a set of games."""

from pathlib import Path

import numpy as np
import torch

from othello.cache import cached_array, file_digest
from othello.games import Games
from othello.model import load_checkpoint, model_inputs

BATCH = 100


@torch.no_grad()
def capture(checkpoint: Path, games: Games) -> np.ndarray:
    """(layers + 1, rows, width) float16; layer 0 is the embedding, layer l the stream after block l.

    Rows are the live positions, game by game in file order and inside a game from the first move to the last.
    """
    model = load_checkpoint(checkpoint)
    inputs = model_inputs(torch.from_numpy(games.moves))
    live = torch.from_numpy(games.live)
    parts = []
    for begin in range(0, len(games), BATCH):
        some = slice(begin, begin + BATCH)
        stream = torch.stack(model.residual_stream(inputs[some]))
        parts.append(stream[:, live[some]].half().numpy())
    return np.concatenate(parts, axis=1)


def activations(checkpoint: Path, games: Games) -> np.ndarray:
    return cached_array("activations", [file_digest(checkpoint), games.digest], lambda: capture(checkpoint, games))
