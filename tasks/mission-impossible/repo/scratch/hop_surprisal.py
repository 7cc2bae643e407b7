# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Mean surprisal at the number markers of a hop language, from saved weights. One-off for a talk.

    python scratch/hop_surprisal.py word_hop
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch

from impossible.checkpoint import load_weights
from impossible.config import load_config
from impossible.corpus import load_split
from impossible.languages import get_language
from impossible.model import GPT
from impossible.vocabulary import Vocabulary


def main(name: str) -> None:
    config = load_config(Path("configs/base.yaml"), [])
    vocabulary = Vocabulary(Path("data/vocab.tsv"))
    model = GPT(len(vocabulary), config["width"], config["layers"], config["heads"], config["context"]).eval()
    load_weights(model, Path("results/base") / name / "weights.npy")
    markers = {vocabulary.ids["<sg>"], vocabulary.ids["<pl>"]}
    total, count = 0.0, 0
    for text in load_split(Path("data"), "test", get_language(name)):
        ids = torch.tensor([vocabulary.encode(text.tokens)])
        with torch.no_grad():
            logprobs = model(ids[:, :-1]).log_softmax(-1)[0]
        for at, target in enumerate(ids[0, 1:].tolist()):
            if target in markers:
                total -= logprobs[at, target].item()
                count += 1
    print(f"{name}: mean surprisal at {count} markers {total / count:.3f} nats")


if __name__ == "__main__":
    main(sys.argv[1])
