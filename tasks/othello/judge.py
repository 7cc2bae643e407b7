# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Labels and what the probes find, against the boards worked out here from the test games by a plain board engine.

The predictions themselves are held to live gold's position by position: the tables of task.toml do that.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import BrokenContract, read_array, read_text, require

LAYERS = 9
FOUND = 0.8
"""Share of right cells from which on a layer is said to give the board. By colour layers reach .77, relative to the mover .86 and more,
the embedding .66."""
EMPTY, BLACK, WHITE = ".", "X", "O"
DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]

Board = list[list[str]]


def _opponent(player: str) -> str:
    return WHITE if player == BLACK else BLACK


def _turned(board: Board, row: int, column: int, player: str) -> list[tuple[int, int]]:
    """The cells whose discs turn when `player` moves to an empty cell; none means that the move is illegal."""
    turned = []
    for dr, dc in DIRECTIONS:
        line = []
        r, c = row + dr, column + dc
        while 0 <= r < 6 and 0 <= c < 6 and board[r][c] == _opponent(player):
            line.append((r, c))
            r, c = r + dr, c + dc
        if line and 0 <= r < 6 and 0 <= c < 6 and board[r][c] == player:
            turned += line
    return turned


def _can_move(board: Board, player: str) -> bool:
    return any(board[r][c] == EMPTY and _turned(board, r, c, player) for r in range(6) for c in range(6))


@dataclass
class Truth:
    """One row per move of the test games: the board on which it is made."""

    colours: np.ndarray
    """(rows, 36): 0 empty, 1 black, 2 white."""
    relative: np.ndarray
    """(rows, 36): 0 empty, 1 the mover's, 2 the other's."""


def _truth(path: Path) -> Truth:
    colours, relative = [], []
    for line in read_text(path).splitlines():
        if line.startswith("#") or not line.strip():
            continue
        board = [[EMPTY] * 6 for _ in range(6)]
        board[2][2] = board[3][3] = WHITE
        board[2][3] = board[3][2] = BLACK
        player = BLACK
        for name in line.split():
            if not _can_move(board, player):
                player = _opponent(player)
            cells = [cell for row in board for cell in row]
            colours.append([(EMPTY, BLACK, WHITE).index(cell) for cell in cells])
            relative.append([(EMPTY, player, _opponent(player)).index(cell) for cell in cells])
            row, column = int(name[1]) - 1, "abcdef".index(name[0])
            turned = _turned(board, row, column, player)
            if board[row][column] != EMPTY or not turned:
                raise RuntimeError(f"{path.name}: {name} is not legal, the variant's data are broken")
            for r, c in [(row, column), *turned]:
                board[r][c] = player
            player = _opponent(player)
    return Truth(np.array(colours), np.array(relative))


def _classes(path: Path, rows: int) -> np.ndarray:
    """A (rows, 36) array of integers 0, 1, 2."""
    array = read_array(path, dtypes="iu")
    name = f"{path.parent.name}/{path.name}"
    require(array.shape == (rows, 36), f"{name}: shape {array.shape}, should be ({rows}, 36)")
    require(int(array.min()) >= 0 and int(array.max()) <= 2, f"{name}: classes other than 0, 1 and 2")
    return array


def _hits(folder: Path, labels: np.ndarray) -> list[np.ndarray]:
    """Per layer a (rows, 36) array of bool: the prediction is right."""
    return [_classes(folder / f"layer_{layer}.npy", len(labels)) == labels for layer in range(LAYERS)]


def metrics(artefacts: Path, data: Path) -> dict[str, int | float | str]:
    truth = _truth(data / "test_games.txt")
    results = artefacts / "results"
    written = _classes(results / "mine_theirs" / "labels.npy", len(truth.relative))
    return {
        "label_disagreements": int((written != truth.relative).sum()),
        "layers_mine_theirs": sum(float(hit.mean()) > FOUND for hit in _hits(results / "mine_theirs", truth.relative)),
        "layers_black_white": sum(float(hit.mean()) > FOUND for hit in _hits(results / "black_white", truth.colours)),
    }


def landmarks(artefacts: Path, data: Path) -> dict[str, bool]:
    """What a solution got right even where its numbers are wrong."""
    truth = _truth(data / "test_games.txt")
    folder = artefacts / "results" / "mine_theirs"

    def kept(check: str) -> bool:
        try:
            if check == "labels":
                return bool((_classes(folder / "labels.npy", len(truth.relative)) == truth.relative).all())
            hits = _hits(folder, truth.relative)
        except BrokenContract:
            return False
        return check == "layers" or 0.9 < max(float(hit.mean()) for hit in hits) < 0.999

    return {
        "every layer predicted": kept("layers"),
        "labels follow the player to move": kept("labels"),
        "mine/theirs linearly decodable": kept("effect"),
    }
