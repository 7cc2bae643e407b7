# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Let the model choose between the options of every problem, and keep what it saw and how it scored them."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import torch

from winodict.config import Config
from winodict.demonstrations import draw_demonstrations
from winodict.items import Problem
from winodict.model import LanguageModel, load_model
from winodict.prompts import prefix, statement
from winodict.scoring import Query, score
from winodict.tokenizer import Tokenizer

DECIMALS = 6


@dataclass(frozen=True)
class Prediction:
    problem: Problem
    demonstrations: list[Problem]
    scores: tuple[float, float]

    @property
    def choice(self) -> int:
        """The option with the higher score; the first one in a tie."""
        return int(self.scores[1] > self.scores[0])

    @property
    def correct(self) -> bool:
        return self.choice == self.problem.item.label


class Evaluator:
    """The model is loaded once and used for several datasets."""

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        random.seed(config.seed)
        self.config = config
        self.tokenizer = Tokenizer.load(config.vocabulary)
        self.model: LanguageModel = load_model(config.checkpoint)

    def predict(self, problems: list[Problem]) -> list[Prediction]:
        template = self.config.template
        shots = [draw_demonstrations(problem, problems, self.config) for problem in problems]
        queries = [
            Query(prefix(shown, template), (statement(problem, 0, template), statement(problem, 1, template)))
            for problem, shown in zip(problems, shots, strict=True)
        ]
        scores = score(self.model, self.tokenizer, queries, self.config.batch)
        return [
            Prediction(problem, shown, (round(a, DECIMALS), round(b, DECIMALS)))
            for problem, shown, (a, b) in zip(problems, shots, scores, strict=True)
        ]


def write_predictions(predictions: list[Prediction], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for prediction in predictions:
            row = {
                "id": prediction.problem.id,
                "demonstrations": [shot.id for shot in prediction.demonstrations],
                "scores": list(prediction.scores),
                "prediction": prediction.choice,
            }
            file.write(json.dumps(row) + "\n")
