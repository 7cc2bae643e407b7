# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""6x6 Othello on bitboards, vectorised over games.

The 6x6 board sits in the middle of an 8x8 one whose rim stays empty: cell (row, col) is bit 8 * (row + 1) + (col + 1) of a
64-bit word. Shifts by 1, 7, 8 and 9 then never wrap around, and the sign bit is never set. The bit operations below use
nothing but operators, so they work on numpy int64 arrays and on torch int64 tensors alike.

Moves are tokens 0..31: the 32 cells other than the four in the centre, row by row. A side that cannot move passes; passes are
forced and, as in Li et al. (2023), are not written down.
"""

from dataclasses import dataclass

import numpy as np

SIDE = 6
CELLS = SIDE * SIDE
CELL_BITS = [8 * (row + 1) + (col + 1) for row in range(SIDE) for col in range(SIDE)]
CENTRE = (14, 15, 20, 21)
MOVE_CELLS = [cell for cell in range(CELLS) if cell not in CENTRE]
MOVE_BITS = [CELL_BITS[cell] for cell in MOVE_CELLS]
CELL_NAMES = [f"{'abcdef'[cell % SIDE]}{cell // SIDE + 1}" for cell in range(CELLS)]
TOKEN_OF_NAME = {CELL_NAMES[cell]: token for token, cell in enumerate(MOVE_CELLS)}
MAX_MOVES = len(MOVE_CELLS)
NO_MOVE = -1

BLACK, WHITE = 0, 1
BOARD = sum(1 << bit for bit in CELL_BITS)
START_BLACK = (1 << CELL_BITS[15]) | (1 << CELL_BITS[20])
START_WHITE = (1 << CELL_BITS[14]) | (1 << CELL_BITS[21])
SHIFTS = (1, 7, 8, 9)
LONGEST_RUN = SIDE - 2  # discs that can lie between two ends of a line


def _toward(board, shift, left):
    return (board << shift) if left else (board >> shift)


def _runs(start, other, shift, left):
    """Discs of `other` in an unbroken row that begins next to `start`."""
    run = _toward(start, shift, left) & other
    for _ in range(LONGEST_RUN - 1):
        run = run | (_toward(run, shift, left) & other)
    return run


def legal_moves(own, other):
    """Bitboard of the empty cells on which `own` would turn at least one disc."""
    empty = BOARD & ~(own | other)
    legal = empty & 0
    for shift in SHIFTS:
        for left in (True, False):
            legal = legal | (_toward(_runs(own, other, shift, left), shift, left) & empty)
    return legal


def turned_discs(own, other, move):
    """Discs of `other` that turn when `own` places a disc on the one-bit board `move`."""
    turned = move & 0
    for shift in SHIFTS:
        for left in (True, False):
            run = _runs(move, other, shift, left)
            closed = (_toward(run, shift, left) & own) != 0
            turned = turned | (run * closed)
    return turned


def cells_of(board: np.ndarray) -> np.ndarray:
    """Bitboards (...) as 0/1 int8 arrays (..., 36)."""
    return ((board[..., None] >> np.array(CELL_BITS, dtype=np.int64)) & 1).astype(np.int8)


def tokens_of(board: np.ndarray) -> np.ndarray:
    """Bitboards (...) as boolean arrays (..., 32) over move tokens."""
    return ((board[..., None] >> np.array(MOVE_BITS, dtype=np.int64)) & 1).astype(bool)


@dataclass(frozen=True)
class Replay:
    """What the transcripts imply. Column t of each array speaks of the board on which move t is made."""

    black: np.ndarray
    """(games, 32) int64: black's discs before move t."""
    white: np.ndarray
    """(games, 32) int64: white's discs before move t."""
    live: np.ndarray
    """(games, 32) bool: there is a move t, i.e. the game is not over."""


def replay(moves: np.ndarray) -> Replay:
    """Play transcripts (games, 32), padded with NO_MOVE, on the board."""
    games = len(moves)
    bits = np.array(MOVE_BITS, dtype=np.int64)
    own = np.full(games, START_BLACK, dtype=np.int64)
    other = np.full(games, START_WHITE, dtype=np.int64)
    turn = np.full(games, BLACK, dtype=np.int8)  # whose discs are `own`
    black = np.zeros((games, MAX_MOVES), dtype=np.int64)
    white = np.zeros((games, MAX_MOVES), dtype=np.int64)
    live = moves != NO_MOVE
    for t in range(MAX_MOVES):
        black[:, t] = np.where(turn == BLACK, own, other)
        white[:, t] = np.where(turn == BLACK, other, own)
        stuck = legal_moves(own, other) == 0
        own, other = np.where(stuck, other, own), np.where(stuck, own, other)
        turn = np.where(stuck, 1 - turn, turn).astype(np.int8)
        move = np.where(live[:, t], np.int64(1) << bits[moves[:, t]], 0)
        if (move & ~legal_moves(own, other)).any():
            game = int(np.flatnonzero(move & ~legal_moves(own, other))[0])
            raise ValueError(f"game {game}: move {t} is illegal")
        turned = turned_discs(own, other, move)
        own, other = other & ~turned, own | turned | move
        turn = (1 - turn).astype(np.int8)
    return Replay(black, white, live)
