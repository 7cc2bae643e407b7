# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""A linear probe: softmax regression from one layer's activations to 36 cells of three classes each."""

import numpy as np
import torch
import torch.nn.functional as F

from othello.config import ProbeConfig
from othello.engine import CELLS

STATES = 3


class Adam:
    """Adam (Kingma and Ba, 2015) with the usual constants. torch.optim does the same, after importing for several seconds."""

    def __init__(self, parameters: list[torch.Tensor]):
        self.parameters = parameters
        self.first = [torch.zeros_like(p) for p in parameters]
        self.second = [torch.zeros_like(p) for p in parameters]
        self.steps = 0

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Use up the parameters' gradients."""
        self.steps += 1
        first_share, second_share = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for parameter, first, second in zip(self.parameters, self.first, self.second, strict=True):
            first.lerp_(parameter.grad, 0.1)
            second.mul_(0.999).addcmul_(parameter.grad, parameter.grad, value=0.001)
            parameter.addcdiv_(first, (second / second_share).sqrt_().add_(1e-8), value=-rate / first_share)
            parameter.grad = None


class LinearProbe:
    """One weight matrix (width, 3 * 36) on standardised features, all cells at once."""

    def __init__(self, features: np.ndarray, config: ProbeConfig, seed: int):
        self.config = config
        self.generator = torch.Generator().manual_seed(seed)
        raw = torch.from_numpy(np.asarray(features, dtype=np.float32))
        self.mean, self.scale = raw.mean(0), raw.std(0) + 1e-6
        self.inputs = self.standardise(raw)
        width = raw.shape[1]
        self.weight = torch.randn(width, STATES * CELLS, generator=self.generator) * config.init_scale
        self.bias = torch.zeros(STATES * CELLS)

    def standardise(self, raw: torch.Tensor) -> torch.Tensor:
        return (raw - self.mean) / self.scale

    def logits(self, inputs: torch.Tensor) -> torch.Tensor:
        return torch.addmm(self.bias, inputs, self.weight).view(len(inputs), STATES, CELLS)

    def fit(self, labels: np.ndarray) -> float:
        """Adam on the cross-entropy, averaged over positions and cells; returns the mean loss of the last epoch."""
        config = self.config
        targets = torch.from_numpy(np.asarray(labels, dtype=np.int64))
        self.weight.requires_grad_(), self.bias.requires_grad_()
        optimiser = Adam([self.weight, self.bias])
        steps_per_epoch = len(targets) // config.batch
        steps = config.epochs * steps_per_epoch
        for epoch in range(config.epochs):
            order = torch.randperm(len(targets), generator=self.generator)
            total = 0.0
            for step in range(steps_per_epoch):
                rows = order[step * config.batch : (step + 1) * config.batch]
                loss = F.cross_entropy(self.logits(self.inputs[rows]), targets[rows])
                loss.backward()
                done = (epoch * steps_per_epoch + step) / steps
                optimiser.step(config.learning_rate * (1.0 - done))
                total += loss.item()
        self.weight.requires_grad_(False), self.bias.requires_grad_(False)
        return total / steps_per_epoch

    def predict(self, features: np.ndarray) -> np.ndarray:
        """(rows, 36) int8: the most likely class of each cell."""
        raw = torch.from_numpy(np.asarray(features, dtype=np.float32))
        return self.logits(self.standardise(raw)).argmax(1).to(torch.int8).numpy()
