# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Relative position biases, to replace the sinusoids. NOT USED.

Tried for pp_recursion: a model without absolute positions should not care how deep a phrase sits. With biases alone dev never
got past the high eighties, so it was dropped. Kept in case someone wants to combine the two.
"""

import torch
from torch import Tensor, nn


class RelativeBias(nn.Module):
    """One learned number per head and clipped distance, added to the attention scores."""

    def __init__(self, heads: int, reach: int = 8) -> None:
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.zeros(heads, 2 * reach + 1))

    def forward(self, queries: int, keys: int) -> Tensor:
        distance = torch.arange(keys)[None] - torch.arange(queries)[:, None]
        return self.table[:, distance.clamp(-self.reach, self.reach) + self.reach]
