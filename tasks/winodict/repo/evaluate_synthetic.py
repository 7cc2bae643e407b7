# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The base experiment: invented words. `python evaluate_synthetic.py --config configs/synthetic.yaml`"""

import argparse
from pathlib import Path

from winodict.config import load_config
from winodict.dataset import synthetic_problems, write_dataset
from winodict.evaluate import Evaluator, write_predictions
from winodict.report import table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("configs/synthetic.yaml"))
    config = load_config(parser.parse_args().config)
    problems = synthetic_problems(config)
    print(f"{len(problems)} problems with invented words, {config.shots} demonstrations, {config.template}", flush=True)
    folder = config.results / "synthetic"
    write_dataset(problems, folder / "dataset.jsonl")
    predictions = Evaluator(config).predict(problems)
    write_predictions(predictions, folder / "predictions.jsonl")
    print(table({"synthetic": predictions}))


if __name__ == "__main__":
    main()
