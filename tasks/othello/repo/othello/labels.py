# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the probes have to predict: the state of each of the 36 cells at each probed position."""

import numpy as np

from othello.cache import cached_array
from othello.engine import cells_of, replay
from othello.games import Games

CLASSES = ("empty", "black", "white")


def board_labels(games: Games) -> np.ndarray:
    """(rows, 36) int8 indices into CLASSES; rows as in `activations.capture`, cells row by row from a1."""
    played = replay(games.moves)
    labels = cells_of(played.black) + 2 * cells_of(played.white)
    return labels[games.live]


def labels_for(games: Games) -> np.ndarray:
    return cached_array("labels", [games.digest], lambda: board_labels(games))
