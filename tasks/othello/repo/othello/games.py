# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Transcripts on disk: one game per line, moves as cell names separated by blanks, lines that begin with # are comments."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from othello.engine import MAX_MOVES, NO_MOVE, TOKEN_OF_NAME


@dataclass(frozen=True)
class Games:
    """The games of one split, in the order of the file."""

    moves: np.ndarray
    """(games, 32) int64 tokens, NO_MOVE past the end of a game."""
    digest: str
    """Changes whenever any move of any game does."""

    @property
    def live(self) -> np.ndarray:
        """(games, 32) bool: the positions that are probed, i.e. those on which a move is still made."""
        return self.moves != NO_MOVE

    def __len__(self) -> int:
        return len(self.moves)


def load_games(path: Path) -> Games:
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    moves = np.full((len(lines), MAX_MOVES), NO_MOVE, dtype=np.int64)
    for game, line in enumerate(lines):
        tokens = [TOKEN_OF_NAME[name] for name in line.split()]
        moves[game, : len(tokens)] = tokens
    return Games(moves, hashlib.sha256(moves.tobytes()).hexdigest()[:16])
