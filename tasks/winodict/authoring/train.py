# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train the language model of the task: `python authoring/train.py --out DIR [--device cuda] [--seed N]`.

Two stages with fixed numbers of steps: single statements, then documents of six. Plain next-token training stays at chance for
thousands of steps, so an auxiliary head, thrown away afterwards, is asked two questions at the word behind "because the": whether this is the
entity that was named first, and whether a high or a low degree would be a reason here (by the frame's main rule). And words that nothing can
predict (who did what to whom) count a tenth in the loss.

The defaults are those of the shipped checkpoint. `--minutes` is a safety net that leaves an unfinished model, marked so in its log. Needs torch,
numpy, safetensors and the standard library.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "repo"), str(HERE)]
import variant  # noqa: E402
from corpus import WIDEST, Corpus  # noqa: E402
from winodict.model import LanguageModel, save_model  # noqa: E402
from winodict.tokenizer import START  # noqa: E402

STATEMENTS, LENGTH = 6, 160
"""Statements of a document in the second stage, and the tokens after which it is cut off."""
UNPREDICTABLE = 0.1
AUXILIARY = 0.5
"""Weights of unpredictable words and of the auxiliary loss."""
CONDITIONS = {"invented": ("invented", ""), "top": ("odd", "top"), "all": ("odd", "all"), "bottom": ("odd", "bottom")}


class Batches:
    """Random statements of the pool, run together behind a start token; with their loss weights and roles."""

    def __init__(self, corpus: Corpus, pool: torch.Tensor, seed: int) -> None:
        ids = corpus.tokens.ids
        self.pool, self.start = pool, ids[START]
        self.generator = torch.Generator(device=pool.device).manual_seed(seed)
        size = len(corpus.tokens)
        self.weight = torch.ones(size, device=pool.device)
        for word in (*variant.ENTITIES, *variant.FRAMES, *variant.CONNECTIVES):
            self.weight[ids[word]] = UNPREDICTABLE
        self.weight[0] = 0.0
        self.connective = torch.zeros(size, dtype=torch.bool, device=pool.device)
        for word in variant.CONNECTIVES:
            self.connective[ids[word]] = True
        self.points_at_first = torch.zeros(size, dtype=torch.bool, device=pool.device)
        for frame in variant.FRAMES:
            mean = sum(variant.SIGNS[frame, dimension] for dimension in range(len(variant.DIMENSIONS)))
            self.points_at_first[ids[frame]] = mean > 0

    def draw(self, batch: int, statements: int, length: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Ids (batch, length); weight of each as a target; answers (batch, length, 2) of the auxiliary head, -1 where it is not asked."""
        rows = torch.randint(len(self.pool), (batch, statements), generator=self.generator, device=self.pool.device)
        tokens = self.pool[rows].view(batch, statements * WIDEST).long()
        if statements > 1:
            order = (tokens == 0).long().argsort(dim=1, stable=True)
            tokens = tokens.gather(1, order)
        ids = F.pad(tokens[:, : length - 1], (1, 0), value=self.start)
        # "the A frame the B because the X": X stands six behind A, five behind the frame and two behind the connective.
        subject = F.pad(self.connective[ids[:, 4:-2]], (6, 0))
        same = F.pad(ids[:, 6:] == ids[:, :-6], (6, 0))
        degree = same == F.pad(self.points_at_first[ids[:, 1:-5]], (6, 0))
        answers = torch.where(subject[..., None], torch.stack((same, degree), dim=-1).long(), -1)
        weight = torch.where(subject, 1.0, self.weight[ids])
        return ids, weight, answers


@torch.no_grad()
def accuracy(model: LanguageModel, test: tuple[list[list[int]], list[int], list[int]], device: str) -> float:
    sequences, begins, labels = test
    scores = []
    for at in range(0, len(sequences), 200):
        part = sequences[at : at + 200]
        longest = max(map(len, part))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in part], device=device)
        logs = model(ids[:, :-1]).float().log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0].cpu()
        scores += [float(logs[r, begins[at + r] - 1 : len(row) - 1].sum()) for r, row in enumerate(part)]
    return float(np.mean([(scores[2 * i + 1] > scores[2 * i]) == bool(label) for i, label in enumerate(labels)]))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="model")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--single-steps", type=int, default=3000, help="steps on single statements")
    parser.add_argument("--single-batch", type=int, default=768)
    parser.add_argument("--steps", type=int, default=16000, help="steps on documents of six statements")
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--statements", type=int, default=600_000, help="size of the pool that documents are drawn from")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--every", type=float, default=20, help="seconds between progress lines")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    on_gpu = args.device == "cuda"

    corpus = Corpus(args.seed)
    pool = torch.from_numpy(corpus.training_statements(args.statements)).to(args.device)
    tests = {name: corpus.test_documents(kind, band, 200) for name, (kind, band) in CONDITIONS.items()}
    batches = Batches(corpus, pool, args.seed)
    vocabulary = [f"# {variant.CANARY}", *corpus.tokens.vocabulary]
    (args.out / "vocabulary.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    print(f"{args.name}: pool of {len(pool)} statements, {time.time() - began:.0f} s", flush=True)

    torch.manual_seed(args.seed)
    model = LanguageModel(len(corpus.tokens), args.width, args.layers, args.heads, context=256).to(args.device)
    head = torch.nn.Linear(args.width, 4).to(args.device)
    parameters = [*model.parameters(), *head.parameters()]
    groups = [
        {"params": [p for p in parameters if p.dim() == 2], "weight_decay": 0.05},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), fused=on_gpu)
    log: dict = {
        "arguments": {k: str(v) for k, v in vars(args).items()},
        "parameters": sum(p.numel() for p in model.parameters()),
        "progress": [],
    }
    path, spoken, total = args.out / f"{args.name}.safetensors", time.time(), args.single_steps + args.steps

    def report(step: int, loss: torch.Tensor, side_loss: torch.Tensor) -> None:
        figures = {name: accuracy(model, test, args.device) for name, test in tests.items()} if on_gpu else {}
        losses = {"loss": round(loss.item(), 4), "auxiliary": round(side_loss.item(), 4)}
        line = {"step": step, "seconds": round(time.time() - began), **losses, **figures}
        log["progress"].append(line)
        log["finished"] = step == total
        print(f"{args.name}: {json.dumps(line)}", flush=True)
        save_model(model, path)
        (args.out / f"{args.name}.json").write_text(json.dumps(log, indent=1) + "\n", encoding="utf-8")

    for step in range(1, total + 1):
        rate = args.rate * min(1.0, step / 200, max(0.02, 2 * (total - step) / total))
        for group in optimiser.param_groups:
            group["lr"] = rate
        if step <= args.single_steps:
            ids, weight, answers = batches.draw(args.single_batch, 1, WIDEST)
        else:
            ids, weight, answers = batches.draw(args.batch, STATEMENTS, LENGTH)
        with torch.autocast(args.device, torch.bfloat16, enabled=on_gpu):
            hidden = model.hidden(ids[:, :-1])
            logits = model.logits(hidden)
            guesses = head(hidden)
        each = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        loss = (each * weight[:, 1:].flatten()).sum() / weight[:, 1:].sum()
        side_loss = F.cross_entropy(guesses.float().view(-1, 2), answers[:, :-1].flatten(), ignore_index=-1)
        optimiser.zero_grad(set_to_none=True)
        (loss + AUXILIARY * side_loss).backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        over = time.time() - began > args.minutes * 60
        if step == total or over or time.time() - spoken > args.every:
            spoken = time.time()
            report(step, loss, side_loss)
        if over:
            break


if __name__ == "__main__":
    main()
