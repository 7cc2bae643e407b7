# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print the prompt of one problem: `PYTHONPATH=. python scripts/show_problem.py p003a`"""

import sys
from pathlib import Path

from winodict.config import load_config
from winodict.dataset import synthetic_problems
from winodict.demonstrations import draw_demonstrations
from winodict.prompts import prefix, statement
from winodict.tokenizer import Tokenizer


def main(wanted: str) -> None:
    config = load_config(Path("configs/synthetic.yaml"))
    problems = synthetic_problems(config)
    query = next(problem for problem in problems if problem.id == wanted)
    shots = draw_demonstrations(query, problems, config)
    print(prefix(shots, config.template).replace(" . the ", " .\nthe "))
    for option in (0, 1):
        mark = "*" if option == query.item.label else " "
        print(mark, statement(query, option, config.template))
    tokenizer = Tokenizer.load(config.vocabulary)
    print(query.form, "is spelled", " ".join(tokenizer.pieces(query.form)))


if __name__ == "__main__":
    main(sys.argv[1])
