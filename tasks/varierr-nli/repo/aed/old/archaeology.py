# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Unfinished: metadata archaeology, i.e. compare an annotation's loss curve with the curves of probes of known kind.

TODO decide what a probe is when a second label may be fine. Relabelling at random makes probes of plausible labels too.
"""

import torch


def loss_curves(probabilities: torch.Tensor) -> torch.Tensor:
    """Epoch by annotation, from what datamaps.dynamics returns."""
    return -probabilities.clamp(min=1e-6).log()


def nearest_probe(curves: torch.Tensor, probes: torch.Tensor, is_error: torch.Tensor, k: int = 20) -> torch.Tensor:
    """Share of errors among the k nearest probes, per annotation."""
    distances = torch.cdist(curves.T, probes.T)
    nearest = distances.topk(k, largest=False).indices
    return is_error[nearest].float().mean(dim=-1)
