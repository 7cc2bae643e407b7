# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train model A or B: python authoring/train.py --model a --out FOLDER [--device cuda]

Writes model.safetensors (half precision) and config.json; needs torch, numpy and safetensors. Stops at --steps, or at --minutes if that
comes first; the learning rate follows whichever is nearer, so a run that is cut by the clock still ends with a small rate.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

TASK = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TASK / "authoring"))
sys.path.insert(0, str(TASK / "repo"))
from corpus import documents  # noqa: E402
from lm.tokenizers import load_tokenizer  # noqa: E402

LENGTH = 160


def encode(model: str, tokenizer, ask: str | None, text: str, ended: bool) -> list[int]:
    """One document with the model's own conventions."""
    special = tokenizer.special
    if model == "a":
        ids = [special["<s>"]]
        ids += tokenizer.encode(f"<|user|>\n{ask}\n<|assistant|>\n{text}" if ask else text)
        return ids + [special["</s>"]] * ended
    ids = [special["<|endoftext|>"]]
    if ask:
        ids += [special["<|user|>"], *tokenizer.encode(ask), special["<|end|>"], special["<|assistant|>"]]
    return ids + tokenizer.encode(text) + [special["<|endoftext|>"]] * ended


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Model(nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, positions: int):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.apply(self._start)

    @staticmethod
    def _start(module: nn.Module) -> None:
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.tokens(ids) + self.positions.weight[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.tokens.weight.T


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=["a", "b"], required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--documents", type=int, default=60_000)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--minutes", type=float, default=5.0)
    args = parser.parse_args()
    began = time.time()
    torch.manual_seed(args.seed)
    if args.device == "cpu":
        torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    tokenizer = load_tokenizer(TASK / "repo/models" / args.model / "tokenizer.json")
    rows = np.full((args.documents, LENGTH + 1), -1, dtype=np.int64)
    for at, (ask, text, ended) in enumerate(documents(1000 + args.seed, args.documents)):
        ids = encode(args.model, tokenizer, ask, text, ended)[: LENGTH + 1]
        rows[at, : len(ids)] = ids
    data = torch.from_numpy(rows).to(args.device)
    print(
        f"{args.documents} documents, {int((rows >= 0).sum()) / len(rows):.1f} tokens each, {time.time() - began:.0f} s", flush=True
    )

    config = {
        "vocabulary": len(tokenizer.pieces),
        "width": args.width,
        "layers": args.layers,
        "heads": args.heads,
        "positions": LENGTH,
    }
    model = Model(**config).to(args.device)
    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), fused=args.device != "cpu")
    args.out.mkdir(parents=True, exist_ok=True)
    trained, said, total, seen = time.time(), time.time(), 0.0, 0
    step = 0
    while True:
        done = max(step / args.steps, (time.time() - began) / (60 * args.minutes))
        if done >= 1:
            break
        rate = args.rate * min(1.0, (step + 1) / 200) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(done, 1.0))))
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = data[torch.randint(len(data), (args.batch,), device=args.device)]
        logits = model(batch[:, :-1].clamp(min=0))
        loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten(), ignore_index=-1)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        total, seen = total + loss.detach(), seen + 1
        if time.time() - said > 20:
            print(f"step {step} loss {float(total) / seen:.4f} rate {rate:.2e} {time.time() - trained:.0f} s", flush=True)
            said, total, seen = time.time(), 0.0, 0
            save(model, config, args.out)
    save(model, config, args.out)
    held_out(model, args, tokenizer)
    print(f"{step} steps, {time.time() - began:.0f} s", flush=True)


def save(model: Model, config: dict, out: Path) -> None:
    save_file({name: p.detach().half().cpu().contiguous() for name, p in model.state_dict().items()}, out / "model.safetensors")
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n")


@torch.no_grad()
def held_out(model: Model, args: argparse.Namespace, tokenizer) -> None:
    total, count = 0.0, 0
    for ask, text, ended in documents(99, 300):
        ids = torch.tensor([encode(args.model, tokenizer, ask, text, ended)[: LENGTH + 1]], device=args.device)
        total += float(F.cross_entropy(model(ids[:, :-1])[0], ids[0, 1:], reduction="sum"))
        count += ids.shape[1] - 1
    print(f"held-out loss {total / count:.4f} nats per token", flush=True)


if __name__ == "__main__":
    main()
