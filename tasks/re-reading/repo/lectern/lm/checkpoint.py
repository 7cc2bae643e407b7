# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Loading a model folder: weights, tokenizer and the chat format that the model was tuned with."""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file

from lectern.lm.generation import greedy
from lectern.lm.model import CausalLM, ModelConfig
from lectern.lm.tokenizer import Tokenizer


@dataclass(frozen=True)
class LanguageModel:
    folder: Path
    network: CausalLM
    tokenizer: Tokenizer
    turns: dict[str, str]
    """Role to the text of a turn, with {text} where its content goes."""

    def complete(self, prompts: list[str], max_new_tokens: int, stop: str | None, batch_size: int) -> list[str]:
        """Greedy continuations. Without a stop token a continuation always has `max_new_tokens` tokens."""
        ids = [self.tokenizer.encode(prompt) for prompt in prompts]
        until = -1 if stop is None else self.tokenizer.ids[stop]
        answers = greedy(self.network, ids, max_new_tokens, until, self.tokenizer.pad, batch_size)
        return [self.tokenizer.decode(answer) for answer in answers]


def load(folder: Path) -> LanguageModel:
    """Weights are stored in half and used in double precision: answers then do not depend on how prompts are batched."""
    torch.set_num_threads(1)
    config = ModelConfig(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
    network = CausalLM(config).double()
    network.load_state_dict({name: value.double() for name, value in load_file(folder / "model.safetensors").items()})
    turns = json.loads((folder / "chat.json").read_text(encoding="utf-8"))
    return LanguageModel(folder, network.eval(), Tokenizer.load(folder / "vocabulary.json"), turns)
