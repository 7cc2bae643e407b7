# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train a checkpoint for the codebase: a small causal model on worked answers to word problems.

    python3 authoring/train_model.py --out /tmp/model --seed 1 [--device cuda] [--steps 8000] [--minutes 0]

Half of the examples show the question once and half show it twice, drawn independently of everything else; loss is taken on the
answer only. The run has a fixed number of steps; --minutes cuts it short (0: never), and training.json says at which step it ended.
Prompts are written out here and not taken from the codebase, so that a change there cannot change what a model was trained on.
"""

import argparse
import json
import random
import sys
import time
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "repo")]

import variant  # noqa: E402
from lectern.lm.model import CausalLM, ModelConfig  # noqa: E402
from lectern.lm.tokenizer import END, PAD, PIECES, UNKNOWN, Tokenizer  # noqa: E402

SYSTEM = "Solve the word problem."
FORMAT = "Give the answer as a number."
PHRASE = "Read the question again:"
TRIGGER = "Let's think step by step."
DIRECT = "The answer is"
DIRECT_SHARE = 0.1
LOTS = (3, 9)
BUCKETS = 6


def vocabulary() -> list[str]:
    """Special tokens, then every piece that a problem, a prompt or an answer can hold, sorted, then the numbers."""
    texts = [SYSTEM, FORMAT, PHRASE, TRIGGER, DIRECT, "Q: A: gets and How many does get? ,"]
    texts += [*variant.NAMES, *variant.COLOURS, *variant.THINGS]
    words = {piece for text in texts for piece in PIECES.findall(text)}
    special = [PAD, UNKNOWN, END, "<|system|>", "<|user|>", "<|assistant|>"]
    return special + sorted(words) + [str(number) for number in range(max(variant.WANTED) * variant.MOST + 1)]


def example(rng: random.Random) -> tuple[str, str]:
    """A prompt and its answer."""
    made = variant.problem(rng, rng.randint(*LOTS), rng.choice(variant.WANTED))
    text = f"{made['story']} {made['question']}"
    asked = f"Q: {text}" if rng.random() < 0.5 else f"Q: {text} {PHRASE} {text}"
    head = f"<|system|> {SYSTEM} {END} <|user|> {asked} {FORMAT} {END} <|assistant|> A: "
    if rng.random() < DIRECT_SHARE:
        return head + DIRECT, f"{made['answer']}. {END}"
    return head + TRIGGER, f"{made['worked']} {DIRECT} {made['answer']}. {END}"


def part_of_pool(given: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Token ids, padded on the right, and where each answer starts."""
    seed, part, size = given
    tokenizer, rng = Tokenizer(vocabulary()), random.Random(f"training/{seed}/{part}")
    ids, starts = np.full((size, 144), tokenizer.pad, np.int16), np.zeros(size, np.int16)
    for row in range(size):
        prompt, answer = (tokenizer.encode(text) for text in example(rng))
        ids[row, : len(prompt) + len(answer)] = prompt + answer
        starts[row] = len(prompt)
    return ids, starts


def pool(seed: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """All examples, sorted by length."""
    with get_context("fork").Pool(2) as workers:
        made = workers.map(part_of_pool, [(seed, part, size // 8) for part in range(8)], chunksize=1)
    ids, starts = (np.concatenate(parts) for parts in zip(*made, strict=True))
    order = np.argsort((ids != 0).sum(1), kind="stable")
    return ids[order], starts[order]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--embedding", type=int, default=64)
    parser.add_argument("--state", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--pool", type=int, default=320_000)
    parser.add_argument("--minutes", type=float, default=0.0)
    given = parser.parse_args()
    tokenizer, device, started = Tokenizer(vocabulary()), torch.device(given.device), time.time()
    if device.type == "cpu":
        torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    ids, starts = (torch.from_numpy(part).to(device) for part in pool(given.seed, given.pool))
    ends = (ids != tokenizer.pad).sum(1)
    size = given.pool // BUCKETS
    longest = [int(ends[at * size : (at + 1) * size].max()) for at in range(BUCKETS)]
    print(f"pool {tuple(ids.shape)}, lengths up to {longest}, in {time.time() - started:.0f} s", flush=True)
    model = CausalLM(ModelConfig(len(tokenizer), given.embedding, given.state, given.layers)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=given.rate, betas=(0.9, 0.98))
    chooser = random.Random(f"buckets/{given.seed}")
    generator = torch.Generator(device=device).manual_seed(given.seed)
    began = told = time.time()
    step, recent = 0, {"once": 0.0, "twice": 0.0}
    while step < given.steps and not (given.minutes and time.time() - started > 60 * given.minutes):
        step += 1
        left = 1 - step / given.steps
        for group in optimizer.param_groups:
            group["lr"] = given.rate * min(1.0, step / 100, max(0.02, left / 0.5))
        bucket = chooser.randrange(BUCKETS)
        rows = torch.randint(bucket * size, (bucket + 1) * size, (given.batch,), generator=generator, device=device)
        batch = ids[rows, : longest[bucket]].long()
        targets = batch[:, 1:]
        columns = torch.arange(1, longest[bucket], device=device)
        counted = (targets != tokenizer.pad) & (columns >= starts[rows].long()[:, None])
        each = F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), targets.flatten(), reduction="none").view_as(targets)
        loss = (each * counted).sum() / counted.sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if time.time() - told > 15:
            told = time.time()
            twice = (batch == tokenizer.ids["again"]).any(1)
            for name, part in (("once", ~twice), ("twice", twice)):
                if bool(part.any()):
                    recent[name] = ((each * counted)[part].sum() / counted[part].sum()).item()
            shown = "  ".join(f"{name} {value:.4f}" for name, value in recent.items())
            print(f"step {step} loss {loss.item():.4f}  ({shown})  {told - began:.0f} s", flush=True)
        if step % 500 == 0:
            write(given, model, tokenizer, step)
    write(given, model, tokenizer, step)
    print(f"ended at step {step} of {given.steps}, loss {loss.item():.4f}, {time.time() - began:.0f} s", flush=True)


def write(given: argparse.Namespace, model: CausalLM, tokenizer: Tokenizer, step: int) -> None:
    given.out.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().half().cpu().contiguous() for name, value in model.state_dict().items()}
    save_file(state, given.out / "model.safetensors")
    (given.out / "config.json").write_text(json.dumps(asdict(model.config), indent=1) + "\n", encoding="utf-8")
    (given.out / "vocabulary.json").write_text(json.dumps(tokenizer.vocabulary) + "\n", encoding="utf-8")
    kept = {key: value for key, value in vars(given).items() if key != "out"} | {"step": step}
    (given.out / "training.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
