# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Command line: python -m ett.cli {select,table,difficulty,oracle,heuristics}."""

import argparse
from pathlib import Path

from ett import completions, difficulty, heuristics, oracle, tables
from ett.problems import load_problems
from ett.selection import select, share_explained
from ett.settings import load_settings
from ett.writer import write_selection


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ett", allow_abbrev=False)
    parser.add_argument("--data", type=Path, default=Path("data"))
    commands = parser.add_subparsers(dest="command", required=True)

    sub = commands.add_parser("select", help="choose an arm per problem and write the result file", allow_abbrev=False)
    sub.add_argument("--pair", required=True)
    sub.add_argument("--heuristic", choices=sorted(heuristics.REGISTRY), default="lines")
    sub.add_argument("--threshold", type=float, default=None, help="explain above this score")
    sub.add_argument("--config", type=Path, default=Path("config/posthoc.yaml"))
    sub.set_defaults(run=run_select)

    sub = commands.add_parser("table", help="table of all results of a heuristic", allow_abbrev=False)
    sub.add_argument("--heuristic", required=True)
    sub.set_defaults(run=run_table)

    sub = commands.add_parser("difficulty", help="gain from explanations by difficulty", allow_abbrev=False)
    sub.set_defaults(run=run_difficulty)

    sub = commands.add_parser("oracle", help="what a perfect choice of the arm could reach", allow_abbrev=False)
    sub.set_defaults(run=run_oracle)

    sub = commands.add_parser("heuristics", help="list them", allow_abbrev=False)
    sub.set_defaults(run=lambda args: print("\n".join(sorted(heuristics.REGISTRY))))
    return parser


def run_select(args: argparse.Namespace) -> None:
    settings = load_settings(args.config)
    threshold = settings.threshold_for(args.pair, args.heuristic, args.threshold)
    problems = load_problems(args.data)
    tallies = completions.load_tallies(args.data, args.pair)
    selection = select(args.pair, problems, tallies, args.heuristic, threshold)
    path = write_selection(selection, settings.ks)
    rates = selection.rates(1)
    print(
        f"{args.pair}: {len(selection.choices)} problems ({len(selection.dropped)} dropped), "
        f"{100 * share_explained(selection.choices):.0f} % explained, pass@1 direct {100 * rates['direct']:.1f} "
        f"explained {100 * rates['explained']:.1f} selected {100 * rates['selected']:.1f} -> {path}"
    )


def run_table(args: argparse.Namespace) -> None:
    print(tables.selection_table(args.heuristic))


def run_difficulty(args: argparse.Namespace) -> None:
    pairs = completions.list_pairs(args.data)
    gains = {pair: difficulty.gains_by_difficulty(completions.load_raw(args.data, pair)) for pair in pairs}
    print(tables.difficulty_table(gains))


def run_oracle(args: argparse.Namespace) -> None:
    for pair in completions.list_pairs(args.data):
        print(f"{pair}: oracle pass@1 {100 * oracle.oracle_rate(completions.load_tallies(args.data, pair).values()):.1f}")


def main() -> None:
    args = build_parser().parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
