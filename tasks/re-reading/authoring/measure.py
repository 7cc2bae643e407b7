# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Accuracy of checkpoints by form of the prompt, over variants of the data.

    python3 authoring/measure.py FOLDER... [--seeds 11 12 13 14 15] [--forms once twice ...] [--lots]

A FOLDER holds model.safetensors, config.json and vocabulary.json as written by train_model.py. Mean and standard deviation are
over the variants. With --lots, accuracy once and twice by the number of
lots in the story.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "repo")]

import torch  # noqa: E402
import variant  # noqa: E402
from lectern.filters import stated_answer  # noqa: E402
from lectern.lm.checkpoint import LanguageModel  # noqa: E402
from lectern.lm.model import CausalLM, ModelConfig  # noqa: E402
from lectern.lm.tokenizer import Tokenizer  # noqa: E402
from safetensors.torch import load_file  # noqa: E402

SYSTEM, FORMAT, PHRASE = "Solve the word problem.", "Give the answer as a number.", "Read the question again:"
COT = "A: Let's think step by step."


def chat(user: str, system: str = f"<|system|> {SYSTEM} <|end|>", cue: str = COT) -> str:
    return f"{system} <|user|> {user} <|end|> <|assistant|> {cue}"


def forms(x: str, question: str, other: str) -> dict[str, str]:
    return {
        "once": chat(f"Q: {x} {FORMAT}"),
        "twice": chat(f"Q: {x} {PHRASE} {x} {FORMAT}"),
        "three times": chat(f"Q: {x} {PHRASE} {x} {PHRASE} {x} {FORMAT}"),
        "another question first": chat(f"Q: {other} {PHRASE} {x} {FORMAT}"),
        "format repeated": chat(f"Q: {x} {FORMAT} {PHRASE} {x} {FORMAT}"),
        "whole prompt": chat(f"Q: {x} {FORMAT} {PHRASE} {SYSTEM} Q: {x} {FORMAT}"),
        "last sentence": chat(f"Q: {x} {PHRASE} {question} {FORMAT}"),
        "no phrase": chat(f"Q: {x} {x} {FORMAT}"),
        "user turn, once": chat(f"{SYSTEM} Q: {x} {FORMAT}", ""),
        "user turn, twice": chat(f"{SYSTEM} Q: {x} {PHRASE} {x} {FORMAT}", ""),
        "template off, once": f"{SYSTEM} Q: {x} {FORMAT} {COT}",
        "template off, twice": f"{SYSTEM} Q: {x} {PHRASE} {x} {FORMAT} {COT}",
        "direct, once": chat(f"Q: {x} {FORMAT}", cue="A: The answer is"),
        "direct, twice": chat(f"Q: {x} {PHRASE} {x} {FORMAT}", cue="A: The answer is"),
        "direct, template off": f"{SYSTEM} Q: {x} {FORMAT} A: The answer is",
    }


def load(folder: Path) -> LanguageModel:
    config = ModelConfig(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
    network = CausalLM(config).double()
    network.load_state_dict({name: value.double() for name, value in load_file(folder / "model.safetensors").items()})
    return LanguageModel(folder, network.eval(), Tokenizer.load(folder / "vocabulary.json"), {})


def share(model: LanguageModel, form: str, rows: list[dict]) -> float:
    """Percentage of right answers."""
    texts = [f"{row['story']} {row['question']}" for row in rows]
    asked = [forms(text, row["question"], texts[at - 1])[form] for at, (text, row) in enumerate(zip(texts, rows, strict=True))]
    answers = model.complete(asked, 48, "<|end|>", 60)
    lead = "The answer is " if form.startswith("direct") else ""
    found = [stated_answer(lead + answer) for answer in answers]
    return 100 * sum(number == str(row["answer"]) for number, row in zip(found, rows, strict=True)) / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, nargs="+", default=[11, 12, 13, 14, 15])
    parser.add_argument("--forms", nargs="+", default=list(forms("", "", "")))
    parser.add_argument("--lots", action="store_true")
    given = parser.parse_args()
    torch.set_num_threads(1)
    for folder in given.folders:
        model = load(folder)
        print(f"== {folder.name}", flush=True)
        found: dict[tuple[str, str], list[float]] = {}
        for seed in given.seeds:
            with tempfile.TemporaryDirectory() as name:
                variant.make(seed, Path(name))
                for subset in variant.PROBLEMS:
                    lines = (Path(name) / f"stories_{subset}.jsonl").read_text(encoding="utf-8").splitlines()
                    rows = [json.loads(line) for line in lines]
                    for form in given.forms:
                        found.setdefault((form, subset), []).append(share(model, form, rows))
        for (form, subset), values in found.items():
            spread = statistics.stdev(values) if len(values) > 1 else 0.0
            print(
                f"{form:24s} {subset:6s} {statistics.mean(values):5.1f} +- {spread:4.1f}   {[round(v, 1) for v in values]}",
                flush=True,
            )
        if given.lots:
            rng = random.Random("lots")
            for lots in range(3, 10):
                rows = [variant.problem(rng, lots, 2) for _ in range(150)]
                once, twice = share(model, "once", rows), share(model, "twice", rows)
                print(f"{lots} lots, 2 of the colour: once {once:5.1f}  twice {twice:5.1f}", flush=True)


if __name__ == "__main__":
    main()
