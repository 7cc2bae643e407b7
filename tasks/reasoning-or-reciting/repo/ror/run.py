# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Run an experiment: ask, log every prompt and output, print the table."""

import argparse
from pathlib import Path

import torch

from ror import items, numerals, scoring
from ror.generate import generate
from ror.model import LanguageModel, load_model
from ror.prompts import NEXT, SUM, Template
from ror.report import table, write_rows
from ror.settings import Settings, load_settings


def ask(model: LanguageModel, settings: Settings, template: Template, base: int, questions: dict[str, tuple[str, int]]) -> list[dict]:
    """One row per question; `questions` maps row id to the question and the value of the right answer."""
    prompts = [template.prompt(base, question) for question, _ in questions.values()]
    answers = generate(model, prompts, settings.max_new_tokens, settings.batch_size)
    rows = []
    for (row_id, (_, expected)), prompt, answer in zip(questions.items(), prompts, answers, strict=True):
        correct = scoring.is_correct(template, answer.output, expected, base)
        rows.append({"id": row_id, "prompt": prompt, "output": answer.output, "logprob": answer.logprob, "correct": correct})
    return rows


def additions(settings: Settings, base: int) -> dict[str, tuple[str, int]]:
    chosen = items.select(items.load_queries(settings.data, base), base, settings.limit)
    return {q.id: (SUM.question(left=q.left, right=q.right), numerals.add(q.left, q.right, base)) for q in chosen}


def successors(settings: Settings, base: int) -> dict[str, tuple[str, int]]:
    questions = {}
    for check in items.load_checks(settings.data, base):
        for row_id, number in check.numbers(base).items():
            questions[row_id] = (NEXT.question(number=number), numerals.add(number, "1", base))
    return questions


def run(settings: Settings) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = load_model(settings.checkpoint)
    lines = []
    for base in settings.bases:
        sums = ask(model, settings, SUM, base, additions(settings, base))
        checks = ask(model, settings, NEXT, base, successors(settings, base))
        write_rows(settings.out / f"sum_base{base}.jsonl", sums)
        write_rows(settings.out / f"next_base{base}.jsonl", checks)
        lines.append([str(base), str(len(sums)), f"{scoring.accuracy(sums):.3f}", f"{scoring.check_rate(checks):.3f}"])
        print(f"base {base} done", flush=True)
    print(table(["base", "n", "accuracy", "ccc"], lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    run(load_settings(parser.parse_args().config))


if __name__ == "__main__":
    main()
