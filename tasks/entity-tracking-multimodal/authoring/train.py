# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Train one of the two shipped models on random box scenarios and write its checkpoint folder's weights, log and tokenizer tokens.

    python authoring/train.py --model text --out /tmp/text
    python authoring/train.py --model vlm --out /tmp/vlm --device cuda

Prompts hold nought, one or two worked scenarios before the last one; the loss is over all statements. The vision-language model sees, in
--picture-share of its steps, a picture of the boxes at the start in place of the sentence that lists them; in the other steps it gets text only
and its cross-attention layers are left out of the computation.

The defaults are those of the shipped checkpoints. Of the text model the state at 40 % of its run is shipped (after_40.safetensors), of the
other the end. With --minutes the schedule follows whichever of steps and minutes is further on.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "repo"))
from boxes.gpt import GPT, GPTConfig  # noqa: E402
from scenarios import BLANK, BOXES, OBJECTS, SUPERVISED, Pool, big_pool, squeeze_blanks, text_wording, vlm_wording  # noqa: E402
from vlm.modeling import BoxesVLM, CrossLayer, VLMConfig, rotary_tables  # noqa: E402

IMAGE_TOKENS, PICTURE = 16, 900
"""Rows of the embedding in front of the text tokens; the id that stands for the picture before ids become rows."""
PIXELS, PATCHES = 36, 15
SHIPPED = {"text": (23_900, 384), "vlm": (13_357, 352)}
"""Steps and positions of the shipped runs."""


def text_config(args: argparse.Namespace, vocabulary: int) -> dict:
    return {
        "vocab_size": vocabulary,
        "n_layer": args.layers,
        "n_head": args.heads,
        "n_embd": args.width,
        "n_positions": args.positions,
    }


def vlm_config(args: argparse.Namespace, vocabulary: int) -> dict:
    middle = [1, args.layers]
    return {
        "text_config": {
            "vocab_size": vocabulary,
            "hidden_size": args.width,
            "intermediate_size": 5 * args.width // 2,
            "num_hidden_layers": args.layers + len(middle),
            "num_attention_heads": args.heads,
            "max_position_embeddings": args.positions,
            "cross_attention_layers": middle,
            "rope_theta": 10000.0,
            "rms_norm_eps": 1e-5,
            "tie_word_embeddings": False,
        },
        "vision_config": {"hidden_size": 64, "num_attention_heads": 2, "num_patches": PATCHES, "patch_pixels": PIXELS},
        "num_image_tokens": IMAGE_TOKENS,
    }


def initialise(model: nn.Module, layers: int) -> None:
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2:
            scale = 0.02 if "wte" in name or "wpe" in name or "embed" in name else parameter.shape[1] ** -0.5
            if name.endswith(("proj.weight", "out.weight")) and not name.endswith(
                ("q_proj.weight", "k_proj.weight", "v_proj.weight", "gate_proj.weight", "up_proj.weight")
            ):
                scale /= (2 * layers) ** 0.5
            nn.init.normal_(parameter, std=scale)
        elif name.endswith("gate"):
            nn.init.constant_(parameter, 0.2)


def vlm_logits(model: BoxesVLM, rows: Tensor, pixels: Tensor | None) -> Tensor:
    """As the model's own forward, but without cross-attention layers where there is no picture."""
    text, tower = model.config.text_config, model.language_model.model
    picture = None if pixels is None else model.vision_model(pixels)
    x = tower.embed_tokens(rows)
    positions = torch.arange(rows.shape[1], device=rows.device)[None]
    tables = rotary_tables(positions, text.hidden_size // text.num_attention_heads, text.rope_theta, torch.float32)
    for layer in tower.layers:
        if not isinstance(layer, CrossLayer):
            x = layer(x, tables)[0]
        elif picture is not None:
            x = layer(x, picture)
    return model.language_model.lm_head(tower.norm(x))


class Corpus:
    """Pools of scenarios on the device, and batches drawn from them."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.wording = text_wording() if args.model == "text" else vlm_wording()
        self.device, self.limit = args.device, args.positions
        self.generator = torch.Generator(args.device).manual_seed(args.seed)
        self.dice = torch.Generator().manual_seed(args.seed + 2)
        self.lengths: dict[int, Tensor] = {}
        self.main = big_pool(self.wording, args.pool, (1, 7), self.generator)
        self.short = big_pool(self.wording, args.pool // 2, (1, 4), self.generator)
        self.pictures = big_pool(self.wording, args.pool // 4, (1, 7), self.generator, PICTURE) if args.model == "vlm" else None
        icons = torch.Generator().manual_seed(77)
        self.icons = torch.cat([torch.randn((len(OBJECTS), PIXELS), generator=icons).sign(), torch.zeros(1, PIXELS)]).to(
            args.device
        )

    def draw(self, pool: Pool, size: int) -> tuple[Tensor, Tensor]:
        """Indices on the device, and the lengths of these scenarios on the CPU, so that no step has to wait for the device."""
        chosen = torch.randint(len(pool.tokens), (size,), generator=self.dice)
        if id(pool) not in self.lengths:
            self.lengths[id(pool)] = (pool.tokens != BLANK).sum(1).cpu()
        return chosen.to(self.device, non_blocking=True), self.lengths[id(pool)][chosen]

    def text_batch(self, size: int, demonstrations: int) -> tuple[Tensor, Tensor]:
        """Ids with BLANK behind the end, and the index of each row's last scenario in the main pool."""
        last, length = self.draw(self.main, size)
        parts = []
        for _ in range(demonstrations):
            chosen, more = self.draw(self.short, size)
            parts.append(self.short.tokens[chosen])
            length = length + more
        parts.append(self.main.tokens[last])
        if self.wording.start:
            parts.insert(0, torch.full_like(parts[0][:, :1], self.wording.id(self.wording.start)))
            length = length + 1
        return squeeze_blanks(torch.cat(parts, 1), min(int(length.max()), self.limit)).long(), last

    def picture_batch(self, size: int) -> tuple[Tensor, Tensor]:
        assert self.pictures is not None
        chosen, length = self.draw(self.pictures, size)
        tokens = self.pictures.tokens[chosen]
        start = torch.full_like(tokens[:, :1], self.wording.id(self.wording.start))
        pixels = self.icons[self.pictures.grid[chosen]].flatten(1, 2)
        noise = torch.randn(pixels.shape, generator=self.generator, device=self.device)
        return squeeze_blanks(torch.cat([start, tokens], 1), int(length.max()) + 1).long(), pixels + 0.3 * noise


def split_targets(batch: Tensor) -> tuple[Tensor, Tensor]:
    """Inputs, and targets with -100 wherever the next token does not count."""
    supervised = (batch & SUPERVISED > 0) & (batch != BLANK)
    ids = torch.where(batch == BLANK, torch.zeros_like(batch), batch & (SUPERVISED - 1))
    targets = torch.where(supervised, ids, torch.full_like(ids, -100))
    return ids[:, :-1], targets[:, 1:]


def rows_of(ids: Tensor) -> Tensor:
    return torch.where(ids == PICTURE, torch.zeros_like(ids), ids + IMAGE_TOKENS)


def logits_of(model: nn.Module, ids: Tensor, pixels: Tensor | None) -> Tensor:
    if isinstance(model, BoxesVLM):
        return vlm_logits(model, rows_of(ids), pixels)
    return model(ids)[0]


@torch.no_grad()
def box_accuracy(model: nn.Module, corpus: Corpus, demonstrations: int, size: int) -> tuple[float, float]:
    """Share of boxes of the last statement with every token right given the right ones before, for 0 and for 1+ operations."""
    batch, last = corpus.text_batch(size, demonstrations)
    ids, targets = split_targets(batch)
    right = (logits_of(model, ids, None).argmax(-1) == targets) | (targets < 0)
    begins = (targets == corpus.wording.word("Box")) & (targets >= 0)
    number = begins.long().cumsum(1)
    box = number - demonstrations * BOXES - 1
    hit = torch.stack([(right | (box != index)).all(1) for index in range(BOXES)], 1)
    whole = number[:, -1] == (demonstrations + 1) * BOXES
    still = corpus.main.affected[last] == 0
    return tuple(float(hit[whole][mask[whole]].float().mean()) for mask in (still, ~still))


def save(model: nn.Module, out: Path, name: str = "model") -> None:
    state = {name: tensor.detach().to("cpu", torch.float16).contiguous() for name, tensor in model.state_dict().items()}
    save_file(state, out / f"{name}.safetensors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["text", "vlm"], required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="default: 23,900 for text, 13,357 for vlm")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--batch", type=int, default=160)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--positions", type=int, help="default: 384 for text, 352 for vlm")
    parser.add_argument("--pool", type=int, default=600_000)
    parser.add_argument("--picture-share", type=float, default=0.3)
    parser.add_argument("--plain-share", type=float, default=0.2, help="share of the steps, at the start, without worked scenarios")
    parser.add_argument("--resume", type=Path, help="weights to start from; implies --plain-share 0")
    parser.add_argument("--check", type=int, default=1024, help="scenarios per measurement")
    args = parser.parse_args()
    steps, positions = SHIPPED[args.model]
    args.steps, args.positions = args.steps or steps, args.positions or positions
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    began = time.monotonic()
    corpus = Corpus(args)
    vocabulary = len(corpus.wording.tokens)
    shape = (text_config if args.model == "text" else vlm_config)(args, vocabulary)
    model: nn.Module = GPT(GPTConfig(**shape)) if args.model == "text" else BoxesVLM(VLMConfig.from_dict(shape))
    initialise(model, args.layers)
    if args.resume:
        model.load_state_dict({name: tensor.float() for name, tensor in load_file(args.resume).items()})
        args.plain_share = 0.0
    model.to(args.device)
    (args.out / "shape.json").write_text(
        json.dumps({"config": shape, "tokens": corpus.wording.tokens, "args": {k: str(v) for k, v in vars(args).items()}}, indent=1)
    )
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=args.device != "cpu"
    )
    coin = torch.Generator().manual_seed(args.seed + 1)
    log = (args.out / "log.txt").open("w")

    def tell(line: str) -> None:
        print(f"{args.out.name}: {line}", flush=True)
        log.write(line + "\n")
        log.flush()

    tell(
        f"pools ready after {time.monotonic() - began:.0f} s, {sum(p.numel() for p in model.parameters())} parameters, {vocabulary} tokens"
    )
    told = trained = time.monotonic()
    snapshots = [0.4, 0.7]
    for step in range(args.steps):
        progress = max(step / args.steps, (time.monotonic() - trained) / (60 * args.minutes))
        if progress >= 1:
            break
        if snapshots and progress >= snapshots[0]:
            save(model, args.out, f"after_{int(100 * snapshots.pop(0))}")
            tell(f"snapshot at step {step}")
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (step + 1) / 200) * min(1.0, 0.02 + 1.3 * (1 - progress))
        choice = float(torch.rand((), generator=coin))
        pixels = None
        if args.model == "vlm" and float(torch.rand((), generator=coin)) < args.picture_share:
            batch, pixels = corpus.picture_batch(args.batch)
        else:
            demonstrations = 0 if progress < args.plain_share or choice < 0.3 else 1 if choice < 0.5 else 2
            batch, _ = corpus.text_batch(args.batch, demonstrations)
        ids, targets = split_targets(batch)
        with torch.autocast(args.device.split(":")[0], torch.bfloat16, enabled=args.device != "cpu"):
            logits = logits_of(model, ids, pixels)
            loss = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if time.monotonic() - told > 20 or step == args.steps - 1:
            told = time.monotonic()
            model.eval()
            scores = [box_accuracy(model, corpus, k, args.check) for k in (0, 2)]
            model.train()
            shown = " ".join(f"k={k}: {zero:.3f}/{more:.3f}" for k, (zero, more) in zip((0, 2), scores, strict=True))
            tell(f"step {step} time {told - trained:.0f} loss {float(loss.detach()):.4f} boxes right 0/1+ operations {shown}")
            save(model, args.out)
    save(model, args.out)
    scores = [box_accuracy(model, corpus, k, args.check) for k in (0, 1, 2)]
    tell(
        f"end after {step + 1} steps, {time.monotonic() - trained:.0f} s: "
        + str([tuple(round(x, 3) for x in pair) for pair in scores])
    )


if __name__ == "__main__":
    main()
