# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Accuracy of a checkpoint under several conditions over variants: `python authoring/measure.py CHECKPOINT SEED...`

Words and demonstrations are drawn as the instructions say, written here a second time (forms from lexicon.json); single precision. Rows:
synthetic and no_def (invented words with and without their definition), the three groups, the same without inflection, and `known`: existing
words with no definition, scored against what the corpus says they mean.
"""

import json
import random
import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import torch

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "repo"), str(HERE)]
import variant  # noqa: E402
from corpus import Corpus  # noqa: E402
from winodict.config import load_config  # noqa: E402
from winodict.dataset import synthetic_problems  # noqa: E402
from winodict.demonstrations import draw_demonstrations  # noqa: E402
from winodict.items import Item, Problem, clashes, load_items, load_words  # noqa: E402
from winodict.model import load_model  # noqa: E402
from winodict.prompts import prefix, statement  # noqa: E402
from winodict.scoring import Query, score  # noqa: E402
from winodict.tokenizer import Tokenizer  # noqa: E402

LEXICON = {pos: {row["lemma"]: row for row in rows} for pos, rows in Corpus(0).words.items()}


def group(words: list[str], pos: str, name: str) -> list[str]:
    bottom = 35 if pos == "adj" else 20
    return {"all": words, "top": words[: len(words) * 20 // 100], "bottom": words[len(words) - len(words) * bottom // 100 :]}[name]


def existing(item: Item, config, name: str, inflect: bool) -> Problem:
    usable = []
    for lemma in group(load_words(config.data, item.pos), item.pos, name):
        form = LEXICON[item.pos][lemma]["forms"].get(item.tag)
        if form and not clashes(item, lemma, form):
            usable.append((lemma, form if inflect else lemma))
    return Problem(item, *random.Random(f"{config.seed}:{name}:{item.id}").choice(usable))


def known(problem: Problem) -> Problem:
    """The same sentence, labelled by the word's own meaning."""
    frame = problem.item.sentence.split()[2]
    dimension, polarity = LEXICON[problem.item.pos][problem.lemma]["meaning"]
    return Problem(
        replace(problem.item, label=0 if variant.SIGNS[frame, dimension] * polarity > 0 else 1), problem.lemma, problem.form
    )


def main(checkpoint: Path, seeds: list[int]) -> None:
    torch.set_num_threads(1)
    config = replace(
        load_config(HERE.parent / "repo/configs/synthetic.yaml"), vocabulary=HERE.parent / "repo/checkpoints/vocabulary.txt"
    )
    tokenizer, model = Tokenizer.load(config.vocabulary), load_model(checkpoint).float()

    def accuracy(problems: list[Problem], template: str) -> float:
        queries = []
        for query in problems:
            pool = [p for p in problems if p.lemma != query.lemma or p is query]
            shown = prefix(draw_demonstrations(query, pool, config), template)
            queries.append(Query(shown, (statement(query, 0, template), statement(query, 1, template))))
        scores = score(model, tokenizer, queries, 16)
        return 100 * statistics.mean(int(b > a) == p.item.label for p, (a, b) in zip(problems, scores, strict=True))

    found: dict[str, list[float]] = {}
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            variant.make(seed, Path(folder))
            config = replace(config, data=Path(folder))
            items = load_items(config.data)
            invented = synthetic_problems(config)
            rows = {"synthetic": accuracy(invented, "last_def"), "no_def": accuracy(invented, "no_def")}
            for name in ("top", "all", "bottom"):
                problems = [existing(item, config, name, True) for item in items]
                rows[name] = accuracy(problems, "last_def")
                rows[f"{name} uninflected"] = accuracy([existing(item, config, name, False) for item in items], "last_def")
                rows[f"{name} known"] = accuracy([known(problem) for problem in problems], "no_def")
        for name, value in rows.items():
            found.setdefault(name, []).append(value)
        print(json.dumps({"variant": seed, **rows}), flush=True)
    for name, values in found.items():
        spread = statistics.stdev(values) if len(values) > 1 else 0.0
        print(f"| {name} | {statistics.mean(values):.1f} ± {spread:.1f} | {min(values):.1f} to {max(values):.1f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]])
