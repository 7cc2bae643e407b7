# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print one game board by board.

    PYTHONPATH=. python scripts/show_game.py data/test_games.txt 0
"""

import sys
from pathlib import Path

from othello.engine import CELL_NAMES, MOVE_CELLS, SIDE, cells_of, replay
from othello.games import load_games


def show(path: Path, game: int) -> None:
    games = load_games(path)
    played = replay(games.moves[game : game + 1])
    boards = cells_of(played.black)[0] + 2 * cells_of(played.white)[0]
    for t in games.live[game].nonzero()[0]:
        print(f"move {t}: {CELL_NAMES[MOVE_CELLS[games.moves[game, t]]]} is played on")
        for row in boards[t].reshape(SIDE, SIDE):
            print("  " + " ".join(".XO"[state] for state in row))


if __name__ == "__main__":
    show(Path(sys.argv[1]), int(sys.argv[2]))
