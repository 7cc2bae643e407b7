#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train repo/checkpoints/othello_gpt.safetensors from scratch: next-move prediction on an endless stream of fresh random games.

    python authoring/train.py --out /tmp/othello_checkpoint            # the shipped setting
    python authoring/train.py --out /tmp/try --steps 5 --batch 64      # does it run at all

The number of steps is fixed, so the schedule does not depend on the machine. On CUDA: bf16 autocast and torch.compile (eager where
that fails). On a CPU the same steps take days; lower --steps. Writes OUT/othello_gpt.safetensors (half precision) and
OUT/othello_gpt.json with the quality figures of that file. Needs torch, numpy and safetensors.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "repo"))

from othello.engine import NO_MOVE  # noqa: E402
from othello.generate import random_games  # noqa: E402
from othello.model import OthelloGPT, load_checkpoint, model_inputs, save_checkpoint  # noqa: E402


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("othello_checkpoint"))
    parser.add_argument("--steps", type=int, default=14_000)
    parser.add_argument("--batch", type=int, default=2048, help="games per step")
    parser.add_argument("--lr", type=float, default=2e-3, help="peak learning rate")
    parser.add_argument("--warmup", type=int, default=400)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--weight-decay", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--eval-games", type=int, default=20_000, help="games for the final figures")
    parser.add_argument("--no-compile", action="store_true")
    return parser.parse_args()


def rate_at(step: int, steps: int, warmup: int) -> float:
    """Share of the peak rate: linear warm-up, constant to a tenth of the run, then linear to 2 %."""
    done = step / steps
    decay = 1.0 if done <= 0.1 else (1.0 - done) / 0.9
    return min(1.0, (step + 1) / warmup) * (0.02 + 0.98 * decay)


@torch.no_grad()
def quality(model: OthelloGPT, games: int, seed: int, device: str) -> dict[str, float]:
    """On fresh games: how often the top move is legal, the probability on legal moves, the loss, and its floor.

    The floor is the mean log number of legal moves: the games are uniformly random, so no model can do better.
    """
    generator = torch.Generator(device=device).manual_seed(seed)
    total = {"positions": 0.0, "legal": 0.0, "mass": 0.0, "loss": 0.0, "floor": 0.0}
    for begin in range(0, games, 2000):
        moves, legal = random_games(min(2000, games - begin), device, generator, legal_too=True)
        live = moves != NO_MOVE
        log_p = model(model_inputs(moves)).float().log_softmax(-1)
        top = legal.gather(2, log_p.argmax(-1, keepdim=True))[..., 0]
        taken = log_p.gather(2, moves.clamp(min=0)[..., None])[..., 0]
        total["positions"] += live.sum().item()
        total["legal"] += top[live].sum().item()
        total["mass"] += (log_p.exp() * legal).sum(-1)[live].sum().item()
        total["loss"] -= taken[live].sum().item()
        total["floor"] += legal.sum(-1)[live].float().log().sum().item()
    positions = total.pop("positions")
    figures = {name: value / positions for name, value in total.items()}
    return {
        "legal_move_rate": figures["legal"],
        "legal_probability": figures["mass"],
        "loss": figures["loss"],
        "loss_minus_floor": figures["loss"] - figures["floor"],
        "games": games,
        "positions": int(positions),
    }


def main() -> None:
    args = parse_arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    generator = torch.Generator(device=device).manual_seed(10_000 + args.seed)

    model = OthelloGPT(args.layers, args.width, args.heads).to(device)
    parameters = list(model.parameters())
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": args.weight_decay},
            {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
        ],
        lr=args.lr,
        betas=(0.9, 0.98),
        fused=device == "cuda",
    )

    def loss_of(moves: torch.Tensor) -> torch.Tensor:
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits = model(model_inputs(moves))
        return F.cross_entropy(logits.float().flatten(0, 1), moves.flatten(), ignore_index=NO_MOVE)

    step_loss, compiled = loss_of, False
    if device == "cuda" and not args.no_compile:
        try:
            candidate = torch.compile(loss_of, dynamic=False)
            candidate(random_games(args.batch, device, torch.Generator(device=device).manual_seed(1))).backward()
            step_loss, compiled = candidate, True
        except Exception as error:  # a compiler that is missing or broken: eager does the same, slower
            print(f"torch.compile failed, going on eagerly: {error!r:.300}", flush=True)
        optimiser.zero_grad(set_to_none=True)

    began = reported = time.time()
    chunk = 64 if device == "cuda" else 4
    step, progress = 0, []
    while step < args.steps:
        for moves in random_games(min(chunk, args.steps - step) * args.batch, device, generator).split(args.batch):
            for group in optimiser.param_groups:
                group["lr"] = args.lr * rate_at(step, args.steps, args.warmup)
            loss = step_loss(moves)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
        torch_loss = loss.item()
        if time.time() - reported > 20 or step == args.steps:
            reported = time.time()
            figures = quality(model, 2000, 999, device)
            progress.append({"step": step, "seconds": round(reported - began), "train_loss": torch_loss, **figures})
            print(json.dumps(progress[-1]), flush=True)

    path = args.out / "othello_gpt.safetensors"
    save_checkpoint(path, model)
    final = quality(load_checkpoint(path).to(device), args.eval_games, 4242, device)
    record = {
        "setting": {name: value for name, value in vars(args).items() if name != "out"},
        "parameters": sum(p.numel() for p in parameters),
        "training_games": args.steps * args.batch,
        "seconds": round(time.time() - began, 1),
        "device": device,
        "torch": torch.__version__,
        "compiled": compiled,
        "checkpoint_bytes": path.stat().st_size,
        "quality_of_file": final,
        "progress": progress,
    }
    (args.out / "othello_gpt.json").write_text(json.dumps(record, indent=1) + "\n")
    print("final", json.dumps(final), flush=True)


if __name__ == "__main__":
    main()
