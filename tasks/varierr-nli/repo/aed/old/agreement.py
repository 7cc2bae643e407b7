# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Dropped: predict the share of annotators who give a label, and call a label suspicious where the prediction is low.

Did no better than counting the labels. Kept for the loop, which is where the plain regression head came from.
"""

import torch
import torch.nn.functional as F

from aed.config import Settings
from aed.encoder import SegmentEncoder


def train_regressor(settings: Settings, vocabulary_size: int, inputs: torch.Tensor, shares: torch.Tensor, seed: int) -> SegmentEncoder:
    torch.manual_seed(seed)
    model = SegmentEncoder(settings.encoder, vocabulary_size, segments=2, outputs=1)
    optimiser = torch.optim.SGD(model.parameters(), lr=settings.training.learning_rate, momentum=settings.training.momentum)
    for _ in range(settings.training.epochs):
        for batch in torch.randperm(len(inputs)).split(settings.training.batch_size):
            loss = F.mse_loss(model(inputs[batch]).squeeze(-1), shares[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return model.eval()


def predicted_share(model: SegmentEncoder, inputs: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return model(inputs).squeeze(-1).clamp(0, 1)
