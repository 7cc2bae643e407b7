# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Random games for training the language model: every legal move is equally likely.

The games under `data/` are fixed and are not made here.
"""

import torch

from othello.engine import MAX_MOVES, MOVE_BITS, NO_MOVE, START_BLACK, START_WHITE, legal_moves, turned_discs


def random_games(
    games: int, device: str | torch.device, generator: torch.Generator, legal_too: bool = False
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """Transcripts (games, 32) int64 with NO_MOVE past the end; with `legal_too` also the mover's legal tokens (games, 32, 32)."""
    bits = torch.tensor(MOVE_BITS, device=device)
    one = torch.ones((), dtype=torch.int64, device=device)
    own = torch.full((games,), START_BLACK, dtype=torch.int64, device=device)
    other = torch.full((games,), START_WHITE, dtype=torch.int64, device=device)
    moves = torch.full((games, MAX_MOVES), NO_MOVE, dtype=torch.int64, device=device)
    legal_tokens = []
    for t in range(MAX_MOVES):
        legal = legal_moves(own, other)
        stuck = legal == 0
        own, other = torch.where(stuck, other, own), torch.where(stuck, own, other)
        legal = torch.where(stuck, legal_moves(own, other), legal)
        live = legal != 0
        mask = (legal[:, None] >> bits) & 1
        if legal_too:
            legal_tokens.append(mask.bool())
        token = ((torch.rand((games, MAX_MOVES), device=device, generator=generator) + 1.0) * mask).argmax(1)
        moves[:, t] = torch.where(live, token, NO_MOVE)
        move = torch.where(live, one << bits[token], 0)
        turned = turned_discs(own, other, move)
        own, other = torch.where(live, other & ~turned, own), torch.where(live, own | turned | move, other)
    return (moves, torch.stack(legal_tokens, 1)) if legal_too else moves
