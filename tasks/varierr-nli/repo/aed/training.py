# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Training of label classifiers, with a look at every epoch: what the datamaps scorers are made of."""

import time
from collections.abc import Callable

import torch
import torch.nn.functional as F

from aed.config import Settings
from aed.encoder import SegmentEncoder


def train_classifier(
    settings: Settings,
    vocabulary_size: int,
    inputs: torch.Tensor,
    labels: torch.Tensor,
    seed: int,
    after_epoch: Callable[[SegmentEncoder], None] | None = None,
) -> SegmentEncoder:
    """Fit an encoder of premise and hypothesis to labels. The seed decides the weights and the order of batches."""
    training = settings.training
    torch.manual_seed(seed)
    model = SegmentEncoder(settings.encoder, vocabulary_size, segments=2, outputs=int(labels.max()) + 1)
    order = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.SGD(
        model.parameters(), lr=training.learning_rate, momentum=training.momentum, weight_decay=training.weight_decay
    )
    steps = training.epochs * -(-len(inputs) // training.batch_size)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - step / steps)
    for epoch in range(training.epochs):
        model.train()
        total, began = 0.0, time.perf_counter()
        for batch in torch.randperm(len(inputs), generator=order).split(training.batch_size):
            loss = F.cross_entropy(model(inputs[batch]), labels[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item() * len(batch)
        seconds = time.perf_counter() - began
        print(f"  seed {seed} epoch {epoch + 1:2d}/{training.epochs}  loss {total / len(inputs):.4f}  {seconds:.1f} s", flush=True)
        if after_epoch is not None:
            model.eval()
            with torch.no_grad():
                after_epoch(model)
    model.eval()
    return model


def class_probabilities(model: SegmentEncoder, inputs: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return torch.cat([F.softmax(model(part), dim=-1) for part in inputs.split(512)])
