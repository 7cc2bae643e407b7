# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The training loop."""

import csv
import time
from pathlib import Path

import torch

from cogs import checkpoints
from cogs.config import Config
from cogs.data import PAD, Tensors, batches
from cogs.model import Parser
from cogs.schedule import rate_at
from cogs.stopping import EarlyStopping

LOG_COLUMNS = ("step", "loss", "learning_rate", "dev_accuracy")


@torch.no_grad()
def exact_match(model: Parser, data: Tensors) -> float:
    """Percentage of forms that greedy decoding would get right.

    Read off one pass under teacher forcing: a greedy decode is right exactly if every token is the most likely one after the
    right prefix.
    """
    model.eval()
    guesses = model(data.source, data.target[:, :-1]).argmax(-1)
    gold = data.target[:, 1:]
    right = ((guesses == gold) | (gold == PAD)).all(1)
    model.train()
    return 100 * right.float().mean().item()


def train(model: Parser, data: dict[str, Tensors], config: Config, run: Path) -> None:
    """Train until dev stops improving or the steps are used up. Writes the log and both checkpoints."""
    optimiser = torch.optim.Adam(model.parameters(), lr=config.peak_rate, betas=(0.9, 0.98), fused=True)
    stopping = EarlyStopping(config.patience, config.min_gain)
    stream = batches(data["train"], config.batch_size, config.seed)
    started, losses = time.time(), []
    model.train()
    with (run / "train_log.csv").open("w", newline="", encoding="utf-8") as file:
        log = csv.writer(file, lineterminator="\n")
        log.writerow(LOG_COLUMNS)
        for step in range(1, config.max_steps + 1):
            rate = rate_at(step, config)
            for group in optimiser.param_groups:
                group["lr"] = rate
            loss = model.loss(*next(stream))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip_norm)
            optimiser.step()
            losses.append(loss.item())
            if step % config.eval_every:
                continue
            dev = exact_match(model, data["dev"])
            mean_loss = sum(losses) / len(losses)
            losses.clear()
            log.writerow([step, mean_loss, rate, dev])
            file.flush()
            print(f"step {step:4d} loss {mean_loss:.4f} rate {rate:.2e} dev {dev:5.1f} {time.time() - started:4.0f} s", flush=True)
            checkpoints.save_state(model, run, "last")
            if stopping.better(dev):
                checkpoints.save_state(model, run, "best")
            elif stopping.exhausted:
                print(f"no gain on dev for {config.patience} evaluations, stopped at step {step}", flush=True)
                break
