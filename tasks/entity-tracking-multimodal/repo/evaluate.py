# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Evaluate a text model on the boxes task: predict the state of every box after the operations, and score it."""

import argparse
from pathlib import Path

import torch

from boxes.checkpoint import load_text_model
from boxes.config import load_config
from boxes.generate import greedy
from boxes.prompts import build_prompt
from boxes.results import accuracy_table, prediction_rows, print_table, write_predictions
from boxes.scenarios import load_scenarios
from boxes.wording import parse_box_list


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("configs/eval.yaml"))
    parser.add_argument("--model", default="boxes-gpt", help="a folder under checkpoints/")
    args = parser.parse_args()
    torch.set_num_threads(1)
    config = load_config(args.config)
    scenarios = load_scenarios(config.data / "scenarios.jsonl")
    demonstrations = load_scenarios(config.data / "demonstrations.jsonl")[: config.demonstrations]

    model, tokenizer = load_text_model(config.checkpoints / args.model, config.dtype)
    stop, pad = tokenizer.ids["."], tokenizer.ids["<pad>"]
    rows: list[dict] = []
    for start in range(0, len(scenarios), config.batch_size):
        batch = scenarios[start : start + config.batch_size]
        prompts = [build_prompt(scenario, demonstrations, tokenizer, config.max_new_tokens, model.config.n_positions) for scenario in batch]
        answers = greedy(model, [ids for ids, _ in prompts], stop, pad, config.max_new_tokens)
        for scenario, (ids, used), answer in zip(batch, prompts, answers, strict=True):
            predicted = parse_box_list(tokenizer.decode(answer), len(scenario.start))
            rows += prediction_rows(scenario, predicted, used, len(ids))
        print(f"{args.model}: {start + len(batch)} of {len(scenarios)} scenarios", flush=True)
    write_predictions(config.output / args.model / "predictions.jsonl", rows)
    print_table(args.model, accuracy_table(rows, scenarios))


if __name__ == "__main__":
    main()
