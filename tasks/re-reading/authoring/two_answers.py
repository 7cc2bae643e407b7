# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Endless stories to which the shipped model, after a second reading, states one answer and then another.

    python3 authoring/two_answers.py [--stories 900]

Prints their numbers, for `variant.TWO_ANSWERS`, and what the model says. Both statements have to be whole sentences, and the last one
the response's end, so that every reading of "the last such sentence" finds the same number.
"""

import argparse
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "repo"), str(HERE)]

import torch  # noqa: E402
import variant  # noqa: E402
from lectern.lm.checkpoint import load  # noqa: E402
from measure import forms  # noqa: E402

STATED = re.compile(r"The answer is (\d+)\.")
BATCH = 60


def states_two(response: str) -> bool:
    found = STATED.findall(response)
    return len(set(found)) > 1 and found[0] != found[-1] and response.endswith(f"The answer is {found[-1]}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stories", type=int, default=900)
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = load(HERE.parent / "repo" / "model")
    found: list[int] = []
    for start in range(0, given.stories, BATCH):
        numbers = range(start, min(start + BATCH, given.stories))
        docs = [variant.endless(number) for number in numbers]
        asked = [forms(f"{doc['story']} {doc['question']}", "", "")["twice"] for doc in docs]
        for number, response in zip(numbers, model.complete(asked, 48, "<|end|>", BATCH), strict=True):
            if states_two(response):
                found.append(number)
                print(number, response, flush=True)
    print(tuple(found))


if __name__ == "__main__":
    main()
