# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A two-layer probe in the manner of Li et al. (2023), for one layer. Not used by run_probes.sh.

    PYTHONPATH=. python scripts/nonlinear_probe.py 5

Kept for the record: one hidden layer already brings black/white far above the linear probe, but it takes several times as long
and the hidden size, rate and epochs below were never tuned. Predictions are not written anywhere.
"""

import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from othello.activations import activations
from othello.config import load_config
from othello.engine import CELLS
from othello.games import load_games
from othello.labels import labels_for

HIDDEN, EPOCHS, BATCH, RATE = 256, 6, 512, 3e-3


def main(layer: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = load_config(Path("configs/probe.yaml"))
    train, test = load_games(Path(config.train_games)), load_games(Path(config.test_games))
    checkpoint = Path(config.checkpoint)
    inputs, held_out = (
        torch.from_numpy(np.asarray(activations(checkpoint, games)[layer], dtype=np.float32)) for games in (train, test)
    )
    targets, truth = (torch.from_numpy(np.asarray(labels_for(games), dtype=np.int64)) for games in (train, test))
    mean, scale = inputs.mean(0), inputs.std(0) + 1e-6
    inputs, held_out = (inputs - mean) / scale, (held_out - mean) / scale

    probe = nn.Sequential(nn.Linear(inputs.shape[1], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 3 * CELLS))
    optimiser = torch.optim.Adam(probe.parameters(), lr=RATE)
    for epoch in range(EPOCHS):
        for rows in torch.randperm(len(inputs)).split(BATCH):
            loss = F.cross_entropy(probe(inputs[rows]).view(-1, 3, CELLS), targets[rows])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        with torch.no_grad():
            right = (probe(held_out).view(-1, 3, CELLS).argmax(1) == truth).float().mean().item()
        print(f"layer {layer}, epoch {epoch + 1}: test accuracy {right:.4f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
