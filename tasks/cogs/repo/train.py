#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train a parser.

    python train.py --config configs/small.yaml --seed 0 --out runs/small
"""

import argparse
from pathlib import Path

import torch

from cogs import config as configs
from cogs.data import Vocabulary, tensors
from cogs.examples import read_split
from cogs.model import Parser
from cogs.trainer import train


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run; made if missing")
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--steps", type=int, dest="max_steps")
    parser.add_argument("--patience", type=int)
    parser.add_argument("--batch-size", type=int)
    parser.add_argument("--rate", type=float, dest="peak_rate")
    flags = vars(parser.parse_args())
    path, out, folder = flags.pop("config"), flags.pop("out"), flags.pop("data")
    config = configs.build(path, flags)

    torch.set_num_threads(1)
    torch.manual_seed(config.seed)
    out.mkdir(parents=True, exist_ok=True)
    train_set = read_split(folder, "train")
    vocabulary = Vocabulary.of(train_set)
    data = {"train": tensors(train_set, vocabulary), "dev": tensors(read_split(folder, "dev"), vocabulary)}
    configs.save(config, out / "config.json")
    vocabulary.save(out / "vocabulary.json")
    model = Parser(len(vocabulary), config)
    print(config)
    print(f"{len(train_set)} examples, {len(vocabulary)} words, {sum(p.numel() for p in model.parameters())} weights", flush=True)
    train(model, data, config, out)


if __name__ == "__main__":
    main()
