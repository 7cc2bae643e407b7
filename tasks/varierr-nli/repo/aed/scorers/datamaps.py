# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Datamaps: how the probability of the given label moves while a classifier is trained on all labels, the wrong ones too."""

import torch

from aed.config import Settings
from aed.data import LABELS, Study
from aed.encoder import SegmentEncoder
from aed.text import Vocabulary, encode_batch
from aed.training import class_probabilities, train_classifier


def dynamics(settings: Settings, study: Study, seed: int) -> tuple[list[str], torch.Tensor]:
    """Ids of the evaluation annotations and the probability of their label, epoch by annotation."""
    vocabulary = Vocabulary.read(settings.data)
    train = study.part("pool") + study.part("eval")
    rows = [(study.item_of(annotation).premise, study.item_of(annotation).hypothesis) for annotation in train]
    inputs = encode_batch(vocabulary, rows, settings.encoder.max_length)
    labels = torch.tensor([LABELS.index(annotation.label) for annotation in train])
    scored = torch.tensor([study.item_of(annotation).part == "eval" for annotation in train])
    epochs: list[torch.Tensor] = []

    def look(model: SegmentEncoder) -> None:
        given = labels[scored].unsqueeze(-1)
        epochs.append(class_probabilities(model, inputs[scored]).gather(1, given).squeeze(-1))

    train_classifier(settings, len(vocabulary), inputs, labels, seed, after_epoch=look)
    ids = [annotation.annotation for annotation, keep in zip(train, scored.tolist(), strict=True) if keep]
    return ids, torch.stack(epochs)


def dm_mean(settings: Settings, study: Study, seed: int) -> dict[str, float]:
    """Low mean probability of the given label is suspicious."""
    ids, probabilities = dynamics(settings, study, seed)
    return dict(zip(ids, (1 - probabilities.mean(dim=0)).tolist(), strict=True))


def dm_std(settings: Settings, study: Study, seed: int) -> dict[str, float]:
    """High variability is suspicious."""
    ids, probabilities = dynamics(settings, study, seed)
    return dict(zip(ids, probabilities.std(dim=0).clamp(max=1).tolist(), strict=True))
