# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Early-stopped and full-length figures of one variant and training seed, read off one trajectory.

    python authoring/curves.py --variant 101 --seed 0 [--set KEY=VALUE ...]

Trains with the repository's own code for 1,200 steps on the schedule of the study, and scores at every evaluation. The
early-stopped run of the same seed is a prefix of that run, so its stopping step and its figures need no second training. Prints
one JSON line. `--set max_steps=600` and the like change settings of cogs.config.Config.
"""

import argparse
import contextlib
import importlib.util
import io
import json
import math
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
TASK = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TASK / "repo"))

import torch  # noqa: E402
from cogs import checkpoints, trainer  # noqa: E402
from cogs.config import Config  # noqa: E402
from cogs.data import PAD, Tensors, Vocabulary, tensors  # noqa: E402
from cogs.examples import SPLITS, read_split, with_forms  # noqa: E402
from cogs.model import Parser  # noqa: E402
from cogs.stopping import EarlyStopping  # noqa: E402

NEVER = 10**9
BASE = Config()


@torch.no_grad()
def marks(model: Parser, data: Tensors) -> tuple[list[bool], float]:
    """Exact match per row, equal to that of greedy decoding (see cogs.trainer.exact_match), and the mean loss of a row."""
    training = model.training
    model.eval()
    gold = data.target[:, 1:]
    kept = gold != PAD
    scores = model(data.source, data.target[:, :-1]).log_softmax(-1)
    right = ((scores.argmax(-1) == gold) | ~kept).all(1)
    loss = -(scores.gather(-1, gold[..., None])[..., 0] * kept).sum(1).mean().item()
    model.train(training)
    return right.tolist(), loss


def percentage(right: list[bool]) -> float:
    return round(100 * sum(right) / len(right), 2)


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--variant", type=int, required=True)
    cli.add_argument("--seed", type=int, default=0)
    cli.add_argument("--set", action="append", default=[])
    args = cli.parse_args()
    changes = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in args.set)}
    config = Config(**{"max_steps": 1200, "decay_until": 1200, "patience": NEVER, "seed": args.seed, **changes})

    spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
    variant = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(variant)
    torch.set_num_threads(1)
    torch.manual_seed(config.seed)
    with tempfile.TemporaryDirectory(prefix="cogs-") as scratch:
        folder = Path(scratch)
        truth = folder / "truth"
        truth.mkdir()
        variant.make(args.variant, folder, truth)
        examples = {split: with_forms(read_split(folder, split), truth, split) for split in SPLITS}
        vocabulary = Vocabulary.of(examples["train"])
        data = {split: tensors(rows, vocabulary) for split, rows in examples.items()}
        shown_once = tensors([row for row in examples["train"] if row.type != "in_distribution"], vocabulary)
        model = Parser(len(vocabulary), config)
        curve: list[dict[str, float]] = []
        watching = 0.0

        def watch(model: Parser, _: Path, name: str) -> None:
            nonlocal watching
            if name == "last":
                before = time.process_time()
                row = {split: percentage(marks(model, data[split])[0]) for split in ("dev", "test", "gen")}
                row["gain"] = round(model.decoder_norm.weight.norm().item(), 4)
                row["log_loss"] = round(math.log(marks(model, shown_once)[1]), 4)
                curve.append(row)
                watching += time.process_time() - before

        checkpoints.save_state = watch
        cpu = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            trainer.train(model, data, config, folder)
        cpu = time.process_time() - cpu - watching

    rule, best, early = EarlyStopping(BASE.patience, BASE.min_gain), 0, None
    for at, row in enumerate(curve):
        if rule.better(row["dev"]):
            best = at
        step = config.eval_every * (at + 1)
        if early is None and (rule.exhausted or step == BASE.max_steps):
            early = {"best": config.eval_every * (best + 1), "stopped": step, **curve[best]}
    by_type: dict[str, list[bool]] = defaultdict(list)
    for example, right in zip(examples["gen"], marks(model, data["gen"])[0], strict=True):
        by_type[example.type].append(right)
    print(json.dumps({
        "variant": args.variant, "seed": args.seed, "set": changes, "early": early, "full": curve[-1],
        "halfway": curve[len(curve) // 2 - 1], "best_of_full": {"step": config.eval_every * (best + 1), **curve[best]},
        "gen": [row["gen"] for row in curve], "dev": [row["dev"] for row in curve],
        "types": {kind: percentage(right) for kind, right in by_type.items()}, "training_cpu_seconds": round(cpu, 1),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
