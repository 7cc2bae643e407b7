# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How often the model's favourite move is legal, on the games of a file.

    PYTHONPATH=. python scripts/legal_rate.py data/test_games.txt
"""

import sys
from pathlib import Path

import torch

from othello.engine import legal_moves, replay, tokens_of
from othello.games import load_games
from othello.model import load_checkpoint, model_inputs


@torch.no_grad()
def legal_rate(checkpoint: Path, path: Path) -> float:
    games = load_games(path)
    favourite = load_checkpoint(checkpoint)(model_inputs(torch.from_numpy(games.moves))).argmax(-1).numpy()
    played = replay(games.moves)
    # The transcript shows who moved only through the rules: the move that was made is legal for that side.
    for_black = tokens_of(legal_moves(played.black, played.white))
    for_white = tokens_of(legal_moves(played.white, played.black))
    right = total = 0
    for game, t in zip(*games.live.nonzero(), strict=True):
        made, guess = games.moves[game, t], favourite[game, t]
        # TODO where the move is legal for both sides this takes either side's word, so the rate is a little too high
        right += any(legal[game, t, made] and legal[game, t, guess] for legal in (for_black, for_white))
        total += 1
    return right / total


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in sys.argv[1:]:
        print(f"{name}: {legal_rate(Path('checkpoints/othello_gpt.safetensors'), Path(name)):.4f}")
