# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Command line: `python -m tot.run search` and `python -m tot.run teacher`."""

import argparse
import random
from pathlib import Path

from tot.config import Config, load_config
from tot.logs import read_log, read_puzzles
from tot.report import print_table, write_table
from tot.search import is_solved, solve
from tot.values import build_evaluator


def search(config: Config) -> None:
    """The base experiment: tree search with different breadths, against keeping states at random."""
    puzzles = read_puzzles(config.puzzles)
    rows, summary = [], []
    for method in ("random", "value"):
        for breadth in config.breadths:
            rng = random.Random(config.seed)
            evaluator = build_evaluator(config) if method == "value" else None
            solved = 0
            for puzzle in puzzles:
                state = solve(puzzle.numbers, evaluator, breadth, rng)
                solved += is_solved(state)
                rows.append((method, breadth, puzzle.idx, int(is_solved(state)), " ; ".join(state.lines)))
            summary.append((method, breadth, f"{solved / len(puzzles):.2f}"))
            print(f"{method}, breadth {breadth}: {solved} of {len(puzzles)}", flush=True)
    write_table(config.results / "search.csv", ("method", "breadth", "idx", "solved", "lines"), rows)
    print_table(("method", "breadth", "success"), summary)


def teacher(config: Config) -> None:
    """What the log says about the teacher, by the teacher's own account."""
    records = [record for record in read_log(config.teacher_log) if record["status"] == "complete"]
    claimed = sum(record["r"] for record in records)
    print(f"{len(records)} complete records, {claimed} of them solved according to the teacher")


MODES = {"search": search, "teacher": teacher}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=sorted(MODES))
    parser.add_argument("--config", type=Path, default=Path("configs/game24.yaml"))
    arguments = parser.parse_args()
    MODES[arguments.mode](load_config(arguments.config))


if __name__ == "__main__":
    main()
