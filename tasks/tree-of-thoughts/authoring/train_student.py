# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train repo/checkpoints/student.safetensors: three small networks that label three numbers as the teacher would.

    python authoring/train_student.py --out repo/checkpoints/student.safetensors        # the shipped setting, 20 s on a CPU
    python authoring/train_student.py --out /tmp/try.safetensors --steps 20             # does it run at all

Training states are all sets of three numbers that a first step of a game can leave. Each voter sees its own random part of
them, with a label drawn from the teacher's habits each time. The number of steps is fixed. Needs torch, numpy, safetensors; runs
on CPU or CUDA (--device). Weights are rounded to multiples of 1/256 at the end, and the figures printed are those of the rounded ones.
"""

import argparse
import importlib.util
import sys
import time
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

spec = importlib.util.spec_from_file_location("variant", Path(__file__).parents[1] / "variant.py")
variant = importlib.util.module_from_spec(spec)
sys.modules["variant"] = variant
spec.loader.exec_module(variant)

LABELS = ("impossible", "likely", "sure")
VOTERS, SLOTS, GRID = 3, 3, 256


def states() -> tuple[list[str], np.ndarray, np.ndarray]:
    """Vocabulary, token places of every state in ascending order of its numbers, and the teacher's label probabilities."""
    cards = [Fraction(n) for n in range(1, variant.LARGEST + 1)]
    results = {r for a in cards for b in cards for o in "+-*/" if (r := variant.combine(a, o, b)) is not None} | set(cards)
    tokens = sorted(results)
    place = {number: at for at, number in enumerate(tokens, start=1)}
    found = sorted({tuple(sorted((result, x, y))) for result in tokens for x, y in combinations_with_replacement(cards, 2)})
    chances = np.array(
        [[dict(zip(variant.LABELS, variant.HABITS[variant.kind(s)], strict=True))[name] for name in LABELS] for s in found]
    )
    return [str(token) for token in tokens], np.array([[place[n] for n in s] for s in found]), chances


class Voters(nn.Module):
    """Three networks side by side."""

    def __init__(self, vocabulary: int, width: int, hidden: int):
        super().__init__()
        self.embedding = nn.Parameter(torch.randn(VOTERS, vocabulary, width) * 0.5)
        self.hidden = nn.Parameter(torch.randn(VOTERS, SLOTS * width, hidden) / (SLOTS * width) ** 0.5)
        self.hidden_bias = nn.Parameter(torch.zeros(VOTERS, hidden))
        self.output = nn.Parameter(torch.randn(VOTERS, hidden, len(LABELS)) / hidden**0.5)
        self.output_bias = nn.Parameter(torch.zeros(VOTERS, len(LABELS)))

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        """places: voters x batch x slots; returns voters x batch x labels."""
        voter = torch.arange(VOTERS, device=places.device)[:, None, None]
        features = self.embedding[voter, places].flatten(2)
        hidden = torch.relu(torch.baddbmm(self.hidden_bias[:, None], features, self.hidden))
        return torch.baddbmm(self.output_bias[:, None], hidden, self.output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--lr", type=float, default=4e-3)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--share", type=float, default=0.5, help="of the states that each voter is trained on")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    tokens, places, chances = states()
    mine = np.stack([rng.permutation(len(places))[: int(options.share * len(places))] for _ in range(VOTERS)])
    x = torch.from_numpy(places).to(options.device)
    chance = torch.from_numpy(chances).float().to(options.device)
    chosen = torch.from_numpy(mine).to(options.device)
    print(f"{len(places)} states, {len(tokens)} different numbers, {chosen.shape[1]} states per voter", flush=True)

    model = Voters(len(tokens) + 1, options.width, options.hidden).to(options.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.steps)
    began = said = time.monotonic()
    for step in range(options.steps):
        at = torch.gather(chosen, 1, torch.randint(chosen.shape[1], (VOTERS, options.batch), device=options.device))
        scores = model(x[at])
        labels = torch.multinomial(chance[at].flatten(0, 1), 1).flatten()
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if time.monotonic() - said > 20 or step == options.steps - 1:
            said = time.monotonic()
            print(f"step {step + 1}, loss {loss.item():.3f}, {said - began:.0f} s", flush=True)

    rounded = {name: (tensor.detach().cpu() * GRID).round() / GRID for name, tensor in model.state_dict().items()}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    save_file(
        {name: tensor.contiguous() for name, tensor in rounded.items()}, str(options.out), metadata={"tokens": " ".join(tokens)}
    )

    model.load_state_dict(rounded)
    with torch.no_grad():
        labelled = model(x[None].expand(VOTERS, -1, -1)).argmax(2).cpu().numpy()
    best = chances.argmax(1)
    for voter in range(VOTERS):
        unseen = np.setdiff1d(np.arange(len(places)), mine[voter])
        seen, fresh = ((labelled[voter, part] == best[part]).mean() for part in (mine[voter], unseen))
        called = labelled[voter, unseen] == 2
        good = best[unseen] == 2
        print(
            f"voter {voter}: the likeliest label on {seen:.3f} of its own states, {fresh:.3f} of the others; there 'sure' is right in "
            f"{(called & good).sum() / max(called.sum(), 1):.3f} and found in {(called & good).sum() / good.sum():.3f}"
        )
    print(
        f"shares of the labels: {np.bincount(best, minlength=3) / len(best)}, all three agree on {(labelled == labelled[0]).all(0).mean():.3f}"
    )


if __name__ == "__main__":
    main()
