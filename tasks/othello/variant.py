# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Data of a variant: transcripts of random 6x6 Othello games, in train_games.txt and test_games.txt.

Boards are int8 arrays (games, 36) of 0 empty, 1 black, 2 white, and moves are found by walking precomputed rays. Only the moves are
written: boards, turns and passes have to be worked out by whoever reads them.
"""

from pathlib import Path

import numpy as np

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
TRAIN_GAMES, TEST_GAMES = 400, 200
SPARE = 40
"""Games generated beyond the number needed, so that repeated ones can be dropped."""
LEAST_PASSES, LEAST_OFF_CLOCK = 50, 80
"""Test positions right after a forced pass, and those on which parity names the wrong player: fewer would not show who counts moves
instead of following the rules."""
NAMES = [f"{column}{row}" for row in "123456" for column in "abcdef"]


def _rays() -> list[list[list[int]]]:
    """For each cell, the cells met on the way to the rim in each direction; rays too short to hold a turned disc are left out."""
    rays = []
    for cell in range(36):
        row, column = divmod(cell, 6)
        found = []
        for down, right in ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)):
            ray, r, c = [], row + down, column + right
            while 0 <= r < 6 and 0 <= c < 6:
                ray.append(6 * r + c)
                r, c = r + down, c + right
            if len(ray) >= 2:
                found.append(ray)
        rays.append(found)
    return rays


RAYS = _rays()


def _turned_on(ray: list[int], boards: np.ndarray, mover: np.ndarray) -> np.ndarray:
    """How many discs along `ray` the mover would turn: (games,) int64."""
    count = np.zeros(len(boards), dtype=np.int64)
    unbroken = np.ones(len(boards), dtype=bool)
    turned = np.zeros(len(boards), dtype=np.int64)
    for cell in ray:
        disc = boards[:, cell]
        turned = np.where(unbroken & (disc == mover), count, turned)
        unbroken &= disc == 3 - mover
        count += unbroken
    return turned


def _legal(boards: np.ndarray, mover: np.ndarray) -> np.ndarray:
    """(games, 36) bool."""
    legal = np.zeros(boards.shape, dtype=bool)
    for cell, rays in enumerate(RAYS):
        empty = np.flatnonzero(boards[:, cell] == 0)
        if not len(empty):
            continue
        some, who = boards[empty], mover[empty]
        legal[empty, cell] = np.any([_turned_on(ray, some, who) > 0 for ray in rays], axis=0)
    return legal


def _play(boards: np.ndarray, mover: np.ndarray, move: np.ndarray) -> None:
    """Place the movers' discs in place; `move` is a cell per game, -1 for none."""
    for cell, rays in enumerate(RAYS):
        here = np.flatnonzero(move == cell)
        if not len(here):
            continue
        some, who = boards[here], mover[here]
        for ray, turned in [(ray, _turned_on(ray, some, who)) for ray in rays]:
            for at, passed in enumerate(ray):
                some[:, passed] = np.where(at < turned, who, some[:, passed])
        some[:, cell] = who
        boards[here] = some


def _random_games(games: int, rng: np.random.Generator) -> dict[str, tuple[int, int]]:
    """Transcripts of games in which every legal move is equally likely; a side that cannot move passes, which is not written.

    Of each, how many moves follow a pass, and how many are not made by the player that their parity names.
    """
    boards = np.zeros((games, 36), dtype=np.int8)
    boards[:, [NAMES.index("d3"), NAMES.index("c4")]] = 1
    boards[:, [NAMES.index("c3"), NAMES.index("d4")]] = 2
    mover = np.ones(games, dtype=np.int8)
    written: list[list[str]] = [[] for _ in range(games)]
    passes, off_clock = np.zeros(games, dtype=int), np.zeros(games, dtype=int)
    for index in range(32):
        legal = _legal(boards, mover)
        stuck = ~legal.any(axis=1)
        mover[stuck] = 3 - mover[stuck]
        legal[stuck] = _legal(boards[stuck], mover[stuck])
        live = legal.any(axis=1)
        move = np.where(live, np.where(legal, rng.random(legal.shape), -1.0).argmax(axis=1), -1)
        passes += stuck & live
        off_clock += live & (mover != 1 + index % 2)
        _play(boards, mover, move)
        mover = (3 - mover).astype(np.int8)
        for game in np.flatnonzero(live):
            written[game].append(NAMES[move[game]])
    counted = zip(passes.tolist(), off_clock.tolist(), strict=True)
    return dict(zip((" ".join(moves) for moves in written), counted, strict=True))


def make(seed: int, out_dir: Path) -> None:
    rng = np.random.default_rng([7, seed])
    wanted = TRAIN_GAMES + TEST_GAMES
    for _ in range(20):
        drawn = _random_games(wanted + SPARE, rng)
        games = list(drawn)[:wanted]
        passes, off_clock = np.sum([drawn[game] for game in games[TRAIN_GAMES:]], axis=0)
        if len(games) == wanted and passes >= LEAST_PASSES and off_clock >= LEAST_OFF_CLOCK:
            break
    else:
        raise RuntimeError(f"variant {seed}: no draw of {wanted} different games has enough passes")
    header = f"# {CANARY}\n"
    (out_dir / "train_games.txt").write_text(header + "\n".join(games[:TRAIN_GAMES]) + "\n")
    (out_dir / "test_games.txt").write_text(header + "\n".join(games[TRAIN_GAMES:]) + "\n")
    (out_dir / "CANARY.txt").write_text(CANARY + "\n")
