# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""For each language named: train one model and evaluate it on the test split of that language.

    python run.py --language control word_hop
    python run.py --language word_hop --set train_on=control      # transfer: trained on control, tested on word_hop
"""

import argparse
from pathlib import Path
from typing import Any

from impossible.checkpoint import save_weights
from impossible.config import load_config
from impossible.corpus import load_split, write_texts
from impossible.evaluation import score
from impossible.languages import Language, get_language
from impossible.scores import perplexity, write_scores
from impossible.training import train
from impossible.vocabulary import Vocabulary


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", required=True, nargs="+")
    parser.add_argument("--config", type=Path, default=Path("configs/base.yaml"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides")
    args = parser.parse_args()

    config = load_config(args.config, args.overrides)
    for language in [get_language(name) for name in args.language]:
        run(language, config, args.seed, args.data, args.out / language.name)


def run(language: Language, config: dict[str, Any], seed: int, data: Path, folder: Path) -> None:
    """One model from scratch, whatever was trained before it in the same process."""
    source = language if config["train_on"] == "same" else get_language(config["train_on"])
    vocabulary = Vocabulary(data / "vocab.tsv")
    training = [vocabulary.encode(text.tokens) for text in load_split(data, "train", source)]
    test = load_split(data, "test", language)

    print(f"{language.name}: training on {len(training)} sentences of {source.name}, seed {seed}", flush=True)
    model = train(training, len(vocabulary), vocabulary.pad, config, seed)
    scores = score(model, test, vocabulary)
    write_texts(test, folder / "test.tsv")
    write_scores(scores, folder / "scores.tsv")
    save_weights(model, folder / "weights.npy")
    print(f"{language.name}: test perplexity {perplexity(scores):.3f} over {len(scores)} sentences", flush=True)


if __name__ == "__main__":
    main()
