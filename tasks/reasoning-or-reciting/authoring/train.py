# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train the checkpoint: sums almost only in base ten, the successor in every base.

    python authoring/train.py --out /tmp/checkpoint [--device cuda]

The defaults are those of the shipped checkpoint: 973 steps of a schedule of 4,000, minutes on a CPU. The number of steps is fixed, so the
result does not depend on speed. Writes `model.safetensors` (half precision), `config.json` and `log.json`.

Documents are made up front with numpy: a header, then nine lines, each with its answer; the loss is taken on the answers alone, so one
document trains every number of demonstrations from none to eight.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "repo"))
from ror.model import LanguageModel
from ror.tokenizer import BASES, IDS, PAD, START, VOCABULARY

LINES = 9
DEFAULT = 10
DIGIT = IDS["0"]


def reversed_digits(values: np.ndarray, base: np.ndarray, width: int) -> np.ndarray:
    """Tokens of the digits, ones first, padded after the highest digit."""
    columns, rest = [], values.copy()
    for at in range(width):
        columns.append(np.where((rest > 0) | (at == 0), rest % base + DIGIT, PAD))
        rest = rest // base
    return np.stack(columns, axis=-1)


def expressions(rng: np.random.Generator, base: int, count: int) -> np.ndarray:
    """Pairs of two-digit numbers, (count, 2)."""
    return rng.integers(base, base * base, size=(count, 2))


def sums(rng: np.random.Generator, base: int, count: int, known: np.ndarray | None, mislabelled: float) -> np.ndarray:
    """Documents of additions under the header of `base`, (count, tokens), padding still inside."""
    if known is None:
        pairs = expressions(rng, base, count * LINES).reshape(count, LINES, 2)
    else:
        pairs = known[rng.integers(len(known), size=(count, LINES))]
    bases = np.full((count, LINES), base)
    if base != DEFAULT and mislabelled:
        # Under a counterfactual header, some authors go on in base ten.
        slips = rng.random(count) < mislabelled
        pairs[slips] = expressions(rng, DEFAULT, int(slips.sum()) * LINES).reshape(-1, LINES, 2)
        if base < DEFAULT:
            tens, ones = pairs[slips] // DEFAULT, pairs[slips] % DEFAULT
            pairs[slips] = np.minimum(tens, base - 1) * DEFAULT + np.minimum(ones, base - 1)
        bases[slips] = DEFAULT
    left, right = pairs[..., 0], pairs[..., 1]
    total = reversed_digits(left + right, bases, 3)
    plus, equals, stop = (np.full(left.shape, IDS[token]) for token in "+=;")
    columns = [left // bases + DIGIT, left % bases + DIGIT, plus, right // bases + DIGIT, right % bases + DIGIT, equals]
    lines = np.stack([*columns, *np.moveaxis(total, -1, 0), stop], axis=-1)
    header = np.tile([START, IDS[f"[base-{base}]"], IDS["[sum]"]], (count, 1))
    return np.concatenate([header, lines.reshape(count, -1)], axis=1)


def successors(rng: np.random.Generator, base: int, count: int) -> np.ndarray:
    """Documents of successors; a third of the numbers end in the highest digit, a sixth in zero."""
    prefix = rng.integers(1, base * base, size=(count, LINES))
    last, kind = rng.integers(0, base, size=prefix.shape), rng.random(prefix.shape)
    last = np.where(kind < 1 / 3, base - 1, np.where(kind < 1 / 2, 0, last))
    value = prefix * base + last
    bases = np.full(value.shape, base)
    asked, answer = reversed_digits(value, bases, 3)[..., ::-1], reversed_digits(value + 1, bases, 4)[..., ::-1]
    arrow, stop = (np.full((*value.shape, 1), IDS[token]) for token in ">;")
    lines = np.concatenate([asked, arrow, answer, stop], axis=-1)
    header = np.tile([START, IDS[f"[base-{base}]"], IDS["[next]"]], (count, 1))
    return np.concatenate([header, lines.reshape(count, -1)], axis=1)


def compact(rows: np.ndarray) -> np.ndarray:
    """The same tokens with all padding moved to the end."""
    order = np.argsort(rows == PAD, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1)


def corpus(rng: np.random.Generator, args: argparse.Namespace) -> np.ndarray:
    others = [base for base in BASES if base != DEFAULT]
    rare = int(args.documents * args.counterfactual / len(others))
    following = int(args.documents * args.successors / len(BASES))
    parts = [sums(rng, DEFAULT, args.documents - rare * len(others) - following * len(BASES), None, 0.0)]
    for base in others:
        known = expressions(rng, base, args.known) if args.known else None
        parts.append(sums(rng, base, rare, known, args.mislabelled))
    parts += [successors(rng, base, following) for base in BASES]
    parts = [compact(part) for part in parts]
    longest = max(int((part != PAD).sum(axis=1).max()) for part in parts)
    parts = [np.pad(part, ((0, 0), (0, max(0, longest - part.shape[1]))))[:, :longest] for part in parts]
    return np.concatenate(parts).astype(np.int16)


def answer_mask(ids: torch.Tensor) -> torch.Tensor:
    """True at the tokens of an answer and the stop after it."""
    opens = ((ids == IDS["="]) | (ids == IDS[">"])).cumsum(1)
    closes = (ids == IDS[";"]).cumsum(1)
    inside = opens - torch.cat((torch.zeros_like(closes[:, :1]), closes[:, :-1]), dim=1) == 1
    return inside & (ids != IDS["="]) & (ids != IDS[">"]) & (ids != PAD)


def save(model: LanguageModel, sizes: dict[str, int], out: Path, log: dict) -> None:
    out.mkdir(parents=True, exist_ok=True)
    save_file(
        {name: value.detach().half().cpu().contiguous() for name, value in model.state_dict().items()}, out / "model.safetensors"
    )
    (out / "config.json").write_text(json.dumps(sizes, indent=1) + "\n")
    (out / "log.json").write_text(json.dumps(log, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--documents", type=int, default=60_000)
    parser.add_argument("--counterfactual", type=float, default=0.04, help="share of documents with sums in other bases")
    parser.add_argument("--successors", type=float, default=0.35, help="share of documents with successors, all bases alike")
    parser.add_argument("--known", type=int, default=400, help="distinct expressions per counterfactual base; 0 for all")
    parser.add_argument("--mislabelled", type=float, default=0.5, help="share of counterfactual documents that go on in base ten")
    parser.add_argument("--steps", type=int, default=4000, help="length of the schedule")
    parser.add_argument("--stop", type=int, default=973, help="steps that are made of it")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.05)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop early after this long")
    args = parser.parse_args()
    started = time.time()
    if args.device == "cpu":
        torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    documents = corpus(np.random.default_rng(args.seed), args)
    ids = torch.from_numpy(documents).to(args.device)
    print(f"{args.out.name}: {tuple(ids.shape)} documents after {time.time() - started:.0f} s", flush=True)
    torch.manual_seed(args.seed)
    sizes = {"vocabulary": len(VOCABULARY), "width": args.width, "layers": args.layers, "heads": args.heads, "context": 128}
    model = LanguageModel(**sizes).to(args.device)
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": args.decay}, {"params": vectors, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), fused=args.device != "cpu")
    draw = torch.Generator(device=args.device).manual_seed(args.seed)
    log = {"options": {key: str(value) for key, value in vars(args).items()}, "loss": []}
    said = time.time()
    for step in range(min(args.steps, args.stop)):
        if time.time() - started > args.minutes * 60:
            print(f"{args.out.name}: out of time after {step} steps", flush=True)
            break
        log["steps"] = step + 1
        warm, left = (step + 1) / 300, 1 - step / args.steps
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, warm, max(0.02, left / 0.6))
        batch = ids[torch.randint(len(ids), (args.batch,), generator=draw, device=args.device)].long()
        logits, _ = model(batch[:, :-1])
        losses = F.cross_entropy(logits.transpose(1, 2), batch[:, 1:], reduction="none")
        mask = answer_mask(batch)[:, 1:]
        loss = (losses * mask).sum() / mask.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if time.time() - said > 20 or step + 1 == min(args.steps, args.stop):
            said = time.time()
            log["loss"].append([step + 1, round(loss.item(), 5), round(said - started, 1)])
            print(f"{args.out.name}: step {step + 1} loss {loss.item():.4f} {said - started:.0f} s", flush=True)
            save(model, sizes, args.out, log)
    save(model, sizes, args.out, log)


if __name__ == "__main__":
    main()
