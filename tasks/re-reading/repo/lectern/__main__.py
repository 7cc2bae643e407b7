# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Command line: python -m lectern --tasks stories --output results/direct"""

import argparse
from pathlib import Path
from typing import Any

import yaml

from lectern.cache import ResponseCache
from lectern.evaluator import evaluate
from lectern.lm.checkpoint import load
from lectern.results import write_samples, write_table
from lectern.tasks import load_tasks

MODEL_ARGS = {"path": "model", "chat_template": False}


def parse_model_args(text: str) -> dict[str, Any]:
    """`key=value,key=value` on top of the defaults."""
    given = dict(pair.split("=", 1) for pair in text.split(",") if pair)
    unknown = sorted(set(given) - set(MODEL_ARGS))
    if unknown:
        raise SystemExit(f"unknown model argument {', '.join(unknown)}; see docs/model.md")
    return MODEL_ARGS | {key: yaml.safe_load(value) for key, value in given.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="lectern", description="Evaluate a model on a task or a group of tasks.")
    parser.add_argument("--tasks", required=True, help="name of a task or group in tasks/")
    parser.add_argument("--output", type=Path, required=True, help="folder for logs and the table of accuracies")
    parser.add_argument("--model-args", default="", help="key=value,key=value; see docs/model.md")
    parser.add_argument("--cache", type=Path, default=Path(".cache"), help="folder for responses that can be used again")
    parser.add_argument("--no-cache", action="store_true", help="generate every response anew")
    given = parser.parse_args()
    settings = parse_model_args(given.model_args)
    model = load(Path(settings["path"]))
    cache = ResponseCache(None if given.no_cache else given.cache)
    by_task = {}
    for task in load_tasks(given.tasks):
        by_task[task.task] = evaluate(task, model, settings["chat_template"], cache)
        write_samples(given.output, task.task, by_task[task.task])
    write_table(given.output, given.tasks, by_task)


if __name__ == "__main__":
    main()
