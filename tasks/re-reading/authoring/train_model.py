# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train a checkpoint for the codebase: a small recurrent model on worked answers to word problems.

    python3 authoring/train_model.py --out /tmp/model --seed 1 [--device cuda]

Two stages. In the first the question stands before the story, so that the model learns to count one colour while it reads. In the
second the question stands last, as in the data; half of the prompts show the whole once and half show it twice, in turn. Loss is
taken on the answer, and, at every lot that is read with the question already known, on the total of the colour so far (by a head that
is thrown away). A prompt read once has no such lot.

Prompts are written out here and not taken from the codebase, so that a change there cannot change what a model was trained on.
"""

import argparse
import json
import random
import sys
import time
from dataclasses import asdict
from itertools import pairwise
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
LONGEST = 124
TOTALS = max(variant.WANTED) * variant.MOST + 1
FORMS = ("asked first", "once", "twice")


def vocabulary() -> list[str]:
    """Special tokens, then every piece that a problem, a prompt or an answer can hold, sorted, then the numbers."""
    texts = [SYSTEM, FORMAT, PHRASE, TRIGGER, DIRECT, "Q: A: gets and How many does get? , lots together"]
    texts += [*variant.NAMES, *variant.COLOURS, *variant.THINGS]
    words = {piece for text in texts for piece in PIECES.findall(text)}
    special = [PAD, UNKNOWN, END, "<|system|>", "<|user|>", "<|assistant|>"]
    return special + sorted(words) + [str(number) for number in range(TOTALS)]


def example(rng: random.Random, form: str) -> tuple[str, str, str]:
    """A prompt, its answer, and the colour that is asked about."""
    made = variant.problem(rng, rng.randint(*LOTS), rng.choice(variant.WANTED))
    story, question = made["story"], made["question"]
    told = {
        "asked first": f"{question} {story}",
        "once": f"{story} {question}",
        "twice": f"{story} {question} {PHRASE} {story} {question}",
    }[form]
    prompt = f"<|system|> {SYSTEM} {END} <|user|> Q: {told} {FORMAT} {END} <|assistant|> A: "
    colour = question.split()[2]
    if rng.random() < DIRECT_SHARE:
        return prompt + DIRECT, f"{made['answer']}. {END}", colour
    return prompt + TRIGGER, f"{made['worked']} {DIRECT} {made['answer']}. {END}", colour


def running_totals(pieces: list[str], colour: str) -> list[int]:
    """For every piece of a prompt: the total of the colour so far if a lot has just ended and the question is known, else -1.

    A lot has just ended at the piece after its colour.
    """
    totals, known, total = [-1] * len(pieces), False, 0
    for at, (before, piece) in enumerate(pairwise(pieces), start=2):
        if before == "many":
            known, total = True, 0
        elif known and piece in variant.COLOURS and before.isdigit():
            total += int(before) if piece == colour else 0
            totals[at] = total
    return totals


def part_of_pool(given: tuple[int, str, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Token ids, padded on the right; where each answer starts; the running totals."""
    seed, form, part, size = given
    tokenizer, rng = Tokenizer(vocabulary()), random.Random(f"training/{seed}/{form}/{part}")
    ids, starts = np.full((size, LONGEST), tokenizer.pad, np.int16), np.zeros(size, np.int16)
    totals = np.full((size, LONGEST), -1, np.int8)
    for row in range(size):
        text, reply, colour = example(rng, form)
        prompt, answer = tokenizer.encode(text), tokenizer.encode(reply)
        ids[row, : len(prompt) + len(answer)] = prompt + answer
        totals[row, : len(prompt)] = running_totals([tokenizer.vocabulary[token] for token in prompt], colour)
        starts[row] = len(prompt)
    return ids, starts, totals


def pool(seed: int, form: str, size: int, device: torch.device) -> list[torch.Tensor]:
    with get_context("fork").Pool(2) as workers:
        made = workers.map(part_of_pool, [(seed, form, part, size // 8) for part in range(8)], chunksize=1)
    return [torch.from_numpy(np.concatenate(parts)).to(device) for parts in zip(*made, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--first", type=int, default=600, help="steps of the first stage")
    parser.add_argument("--steps", type=int, default=1500, help="steps of both stages")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--keys", type=int, default=4)
    parser.add_argument("--pool", type=int, default=64_000, help="examples of each form")
    given = parser.parse_args()
    tokenizer, device = Tokenizer(vocabulary()), torch.device(given.device)
    if device.type == "cpu":
        torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    pools = {form: pool(given.seed, form, given.pool, device) for form in FORMS}
    model = CausalLM(ModelConfig(len(tokenizer), given.width, given.layers, given.heads, given.keys)).to(device)
    counter = torch.nn.Linear(given.width, TOTALS).to(device)
    weights = [*model.parameters(), *counter.parameters()]
    optimizer = torch.optim.Adam(weights, lr=given.rate, betas=(0.9, 0.98))
    generator = torch.Generator(device=device).manual_seed(given.seed)
    began, losses, counting = time.time(), dict.fromkeys(FORMS, 0.0), 0.0
    for step in range(1, given.steps + 1):
        left = 1 - step / given.steps
        for group in optimizer.param_groups:
            group["lr"] = given.rate * min(1.0, step / 100, max(0.02, left / 0.5))
        form = "asked first" if step <= given.first else ("once", "twice")[step % 2]
        rows = torch.randint(0, given.pool, (given.batch,), generator=generator, device=device)
        batch, starts, totals = (part[rows].long() for part in pools[form])
        width = int((batch != tokenizer.pad).sum(1).max())
        batch, totals = batch[:, :width], totals[:, : width - 1]
        hidden, targets = model(batch[:, :-1]), batch[:, 1:]
        counted = (targets != tokenizer.pad) & (torch.arange(1, width, device=device) >= starts[:, None])
        answered = loss = F.cross_entropy(model.logits(hidden[counted]), targets[counted])
        if bool((totals >= 0).any()):
            miscounted = F.cross_entropy(counter(model.norm(hidden[totals >= 0])), totals[totals >= 0])
            loss, counting = loss + miscounted, 0.98 * counting + 0.02 * miscounted.item()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        losses[form] = 0.98 * losses[form] + 0.02 * answered.item() if losses[form] else answered.item()
        if step % 500 == 0:
            shown = "  ".join(f"{name} {value:.4f}" for name, value in losses.items())
            print(f"step {step}: {shown}  counting {counting:.4f}  {time.time() - began:.0f} s", flush=True)
            write(given, model, tokenizer, step)
    write(given, model, tokenizer, given.steps)


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
