# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Early-stopped and full-length figures of one variant and training seed, read off one trajectory.

    python authoring/curves.py --variant 101 --seed 0 [--set KEY=VALUE ...]

Trains with the repository's own code for 2,000 steps on the schedule of the study, and scores gen at every evaluation. The
early-stopped run of the same seed is a prefix of that run, so its stopping step and its figures need no second training. Prints
one JSON line. `--set max_steps=1000` and the like change settings of cogs.config.Config.
"""

import argparse
import contextlib
import importlib.util
import io
import json
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
from cogs.data import PAD, SPLITS, Tensors, Vocabulary, read_split, tensors  # noqa: E402
from cogs.model import Parser  # noqa: E402
from cogs.stopping import EarlyStopping  # noqa: E402

NEVER = 10**9
BASE_EVALUATIONS = 10
"""The base experiment ends at step 1,000 if dev does not end it earlier."""


@torch.no_grad()
def marks(model: Parser, data: Tensors) -> list[bool]:
    """Exact match per row; equal to that of greedy decoding (see cogs.trainer.exact_match)."""
    training = model.training
    model.eval()
    gold = data.target[:, 1:]
    right = ((model(data.source, data.target[:, :-1]).argmax(-1) == gold) | (gold == PAD)).all(1)
    model.train(training)
    return right.tolist()


def percentage(right: list[bool]) -> float:
    return round(100 * sum(right) / len(right), 2)


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--variant", type=int, required=True)
    cli.add_argument("--seed", type=int, default=0)
    cli.add_argument("--set", action="append", default=[])
    args = cli.parse_args()
    changes = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in args.set)}
    config = Config(**{"max_steps": 2000, "decay_until": 2000, "patience": NEVER, "seed": args.seed, **changes})

    spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
    variant = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(variant)
    torch.set_num_threads(1)
    torch.manual_seed(config.seed)
    with tempfile.TemporaryDirectory(prefix="cogs-") as scratch:
        folder = Path(scratch)
        variant.make(args.variant, folder)
        examples = {split: read_split(folder, split) for split in SPLITS}
        vocabulary = Vocabulary.of(examples["train"])
        data = {split: tensors(rows, vocabulary) for split, rows in examples.items()}
        model = Parser(len(vocabulary), config)
        curve: list[dict[str, float]] = []

        def watch(model: Parser, _: Path, name: str) -> None:
            if name == "last":
                curve.append({split: percentage(marks(model, data[split])) for split in ("dev", "test", "gen")})

        checkpoints.save_state = watch
        started, cpu = time.time(), time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            trainer.train(model, data, config, folder)

    rule, best, early = EarlyStopping(5, 1.5), 0, None
    for at, row in enumerate(curve):
        if rule.better(row["dev"]):
            best = at
        if early is None and (rule.exhausted or at + 1 == BASE_EVALUATIONS):
            early = {"best": 100 * (best + 1), "stopped": 100 * (at + 1), **curve[best]}
    by_type: dict[str, list[bool]] = defaultdict(list)
    for example, right in zip(examples["gen"], marks(model, data["gen"]), strict=True):
        by_type[example.type].append(right)
    print(json.dumps({
        "variant": args.variant, "seed": args.seed, "set": changes, "early": early, "best_of_full": {"step": 100 * (best + 1), **curve[best]},
        "full": curve[-1], "gen": [row["gen"] for row in curve], "dev": [row["dev"] for row in curve],
        "types": {kind: percentage(right) for kind, right in by_type.items()},
        "seconds": round(time.time() - started, 1), "cpu_seconds": round(time.process_time() - cpu, 1),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
