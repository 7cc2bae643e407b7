"""How often the statistics of scores and claims are right, on simulated campaigns whose truth is known.

    .venv/bin/python bench/score_statistics.py [--campaigns 4000] [--json FILE]

Prints the tables of docs/statistics.md: how often 95 % intervals hold the truth, how often tests call equal agents different, and
which difference a design finds. The worlds are described in tests/stats/worlds.py. Bars: intervals of mean scores hold the truth in
93 to 98 % of campaigns in every plausible world, tests keep to 5 %; both are read with three standard errors of the simulation.
Ends with 1 where a bar is missed.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from math import sqrt
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the worlds are the tests'

from rexbench.stats.arrays import Floats  # noqa: E402
from rexbench.stats.claims import interval_claims, success_claims  # noqa: E402
from rexbench.stats.distributions import normal_cdf, student_quantile  # noqa: E402
from rexbench.stats.effect import mean_interval  # noqa: E402
from rexbench.stats.paired import FLIPS, _deals, holm, sign_flip_tests, within_tasks_score_test  # noqa: E402
from rexbench.stats.power import Design, Model, detectable_difference  # noqa: E402
from rexbench.stats.score_power import ScoreModel, detectable_score_difference  # noqa: E402
from rexbench.stats.scores import best_of_k, interval_over_tasks, mean_score, score_means  # noqa: E402
from tests.stats.worlds import EXTREME, FRESH, PLAUSIBLE, World, equals, normal, rivals, thinned  # noqa: E402

TASKS, RUNS = (6, 12, 24), (1, 3, 5)
BEST_OF_3_NORMAL = 0.8462844
FEWER = 4
"""What takes long is measured on so many times fewer campaigns."""
Shares = dict[str, list[float | None]]
"""For each number of tasks, and within it of runs; None where there is none."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--campaigns", type=int, default=4000, help="for each world and design")
    parser.add_argument("--json", type=Path, help="write the shares here")
    given = parser.parse_args()
    count = given.campaigns
    found = {"mean score": mean_scores(count), "difference": differences(count), "false positives": false_positives(count)}
    found |= {"claims": claims(count // 2), "power": powers(count // 2)}
    for title, shares in found.items():
        print_table(title, shares)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    missed = list(missed_bars(found, count))
    print(*missed, sep="\n")
    sys.exit(bool(missed))


def mean_scores(count: int) -> Shares:
    """Share of campaigns whose interval holds the truth, by world, for each number of tasks and of runs."""
    shares = {name: [held(world, count, tasks, runs) for tasks in TASKS for runs in RUNS] for name, world in worlds().items()}
    shares["thinned"] = [held(PLAUSIBLE["failing"], count, tasks, runs, thin=True) for tasks in TASKS for runs in RUNS]
    for name in worlds():
        plain = [plain_intervals(worlds()[name], count, tasks, runs) for tasks in TASKS for runs in RUNS]
        shares[f"{name}: Student's t"], shares[f"{name}: percentiles"] = (list(each) for each in zip(*plain, strict=True))
    return shares | best_of_three(count)


def worlds() -> dict[str, World]:
    return PLAUSIBLE | FRESH | EXTREME


def held(world: World, count: int, tasks: int, runs: int, thin: bool = False) -> float:
    draw = np.random.default_rng([tasks, runs, 1])
    truth, scores = world(draw, count, tasks, runs)
    found = (mean_score(each) for each in (thinned(draw, scores) if thin else scores))
    return float(np.mean([each.low <= mean <= each.high for each, mean in zip(found, truth, strict=True)]))


def plain_intervals(world: World, count: int, tasks: int, runs: int) -> tuple[float, float]:
    """The same for Student's interval and for the percentiles of a bootstrap over tasks and runs, which are not used."""
    draw = np.random.default_rng([tasks, runs, 1])
    truth, scores = world(draw, count, tasks, runs)
    means = score_means(scores)
    half = student_quantile(0.975, tasks - 1) * means.std(axis=1, ddof=1) / sqrt(tasks)
    student = np.abs(means.mean(axis=1) - truth) <= half
    percentiles = []
    for campaign, mean in zip(scores[: count // FEWER], truth, strict=False):
        at = draw.integers(tasks, size=(500, tasks, 1))
        low, high = np.quantile(campaign[at, draw.integers(runs, size=(500, tasks, runs))].mean(axis=(1, 2)), [0.025, 0.975])
        percentiles.append(low <= mean <= high)
    return float(student.mean()), float(np.mean(percentiles))


def best_of_three(count: int) -> Shares:
    """The mean over tasks of the best of 3 of 5 runs; its truth is known where the noise of runs is the same on all tasks."""
    shares: list[float | None] = []
    for tasks in TASKS:
        truth, scores = normal(np.random.default_rng([tasks, 2]), count, tasks, 5)
        limits = np.array([interval_over_tasks(best_of_k(each, 3)) for each in scores])
        shares += [None, None, contain(limits, truth + 0.15 * BEST_OF_3_NORMAL)]
    return {"best of 3": shares}


def contain(limits: Floats, truth: Floats | float) -> float:
    return float(((limits[:, 1] <= truth) & (limits[:, 2] >= truth)).mean())


def differences(count: int) -> Shares:
    """Share of campaigns whose interval holds the difference, which is 0, of agents that scatter unlike each other."""
    shares: Shares = {name: [] for name in PLAUSIBLE | FRESH}
    for name, world in (PLAUSIBLE | FRESH).items():
        for tasks in TASKS:
            for runs in RUNS:
                gaps = gaps_of(rivals(world, np.random.default_rng([tasks, runs, 3]), count, tasks, runs))
                shares[name].append(contain(np.array([mean_interval(row, bound=np.inf) for row in gaps]), 0.0))
    return shares


def gaps_of(pair: tuple[Floats, Floats]) -> Floats:
    return score_means(pair[0]) - score_means(pair[1])


def false_positives(count: int) -> Shares:
    """Share of campaigns in which equal agents are told apart at 5 %."""
    shares: Shares = {}
    for name, world in (PLAUSIBLE | FRESH).items():
        designs = [(tasks, runs) for tasks in TASKS for runs in RUNS]
        shares[f"over tasks: {name}"] = [told_apart(equals, world, count, *design) for design in designs]
        shares[f"over tasks, unlike scatter: {name}"] = [told_apart(rivals, world, count, *design) for design in designs]
        shares[f"within tasks: {name}"] = [told_apart_within(world, count, *design) for design in designs]
    shares["any of 10 pairs, over tasks, Holm: normal"] = [
        any_pair_told_apart(count, tasks, runs) for tasks in TASKS for runs in RUNS
    ]
    return shares


def told_apart(pair, world: World, count: int, tasks: int, runs: int) -> float:
    gaps = gaps_of(pair(world, np.random.default_rng([tasks, runs, 4]), count, tasks, runs))
    return float((sign_flip_tests(gaps, 1999 if tasks > 12 else None) <= 0.05).mean())


def told_apart_within(world: World, count: int, tasks: int, runs: int) -> float:
    """One agent's runs on the same tasks, half of them called another's; dealt out as the test does, many campaigns at once."""
    _, scores = world(np.random.default_rng([tasks, runs, 5]), count, tasks, 2 * runs)
    scores = scores - scores.mean(axis=2, keepdims=True)
    deals = np.concatenate([_deals(task, runs, 2 * runs, FLIPS) for task in range(tasks)]).astype(np.float64)
    hits = []
    for part in np.array_split(scores, max(1, count // 200)):
        observed = np.abs(part[:, :, :runs].sum(axis=(1, 2)))
        hits.append((np.abs(part.reshape(len(part), -1) @ deals) >= observed[:, None] - 1e-9).sum(axis=1))
    values = (1 + np.concatenate(hits)) / (1 + FLIPS)
    assert values[0] == within_tasks_score_test(scores[0, :, :runs], scores[0, :, runs:])
    return float((values <= 0.05).mean())


def any_pair_told_apart(count: int, tasks: int, runs: int) -> float:
    draw, pairs = np.random.default_rng([tasks, runs, 6]), [(a, b) for a in range(5) for b in range(a)]
    means = np.stack([draw.normal(0, 0.25, (count, tasks)) + draw.normal(0, 0.15 / sqrt(runs), (count, tasks)) for _ in range(5)])
    tests = np.stack([sign_flip_tests(means[a] - means[b], 1999 if tasks > 12 else None) for a, b in pairs])
    return float(np.mean([holm(each).min() <= 0.05 for each in tests.T]))


def claims(count: int) -> Shares:
    """Share of campaigns whose intervals hold the truth about an agent's claims; tasks differ in how far it misjudges them."""
    kinds = ("Brier score", "overclaimed success", "coverage", "overclaimed intervals", "interval score")
    shares: Shares = {kind: [] for kind in kinds}
    for tasks in TASKS:
        for runs in RUNS:
            truths = [np.mean(each) for each in zip(*(told(20_000, runs, seed)[1] for seed in (1, 2)), strict=True)]
            found = [told(tasks, runs, [tasks, runs, at])[0] for at in range(count)]
            for at, kind in enumerate(kinds):
                shares[kind].append(float(np.mean([each[at].low <= truths[at] <= each[at].high for each in found])))
    return shares


def told(tasks: int, runs: int, seed):
    """What is told of a campaign of an agent that is too sure of itself, with intervals and as bare means."""
    draw = np.random.default_rng(seed)
    chance = draw.beta(0.8, 1.2, (tasks, runs))
    believed = normal_cdf(draw.normal(0.4, 0.5, (tasks, 1)) + 4 * (chance - 0.5))
    success = success_claims(believed, draw.random((tasks, runs)) < chance)
    miss = draw.normal(-0.05, 0.1, (tasks, 1)) + draw.normal(0, 0.1, (tasks, runs))
    intervals = interval_claims(np.full((tasks, runs), -0.15), np.full((tasks, runs), 0.15), miss)
    found = success.brier, success.overclaimed, intervals.covered, intervals.overclaimed, intervals.interval_score
    return found, [each.value for each in found]


def powers(count: int) -> Shares:
    """The difference that is found with 80 % power, in score and beside it in success, and how often it is found run by run."""
    designs = [Design(tasks, runs) for tasks in TASKS for runs in RUNS]
    least = [detectable_score_difference(design, ScoreModel()) for design in designs]
    success = [detectable_difference(design, Model(), simulations=1000) for design in designs]
    found = []
    for design, gap in zip(designs, least, strict=True):
        draw, model = np.random.default_rng([design.tasks, design.runs, 7]), ScoreModel()
        first, second = (draw.normal(0.4, model.within, (count, design.tasks, design.runs)) for _ in range(2))
        own = draw.normal(gap, model.between, (count, design.tasks, 1))
        gaps = gaps_of((first + own, second))
        found.append(float((sign_flip_tests(gaps, 1999 if design.tasks > 12 else None) <= 0.05).mean()))
    other = {
        f"difference in score, between {between}": [detectable_score_difference(design, ScoreModel(between)) for design in designs]
        for between in (0.12, 0.4)
    }
    return {"difference in score": least, "difference in success": success, "campaigns that find it": found} | other


def print_table(title: str, shares: Shares) -> None:
    print(f"\n## {title}\n\n| | " + " | ".join(f"{tasks} x {runs}" for tasks in TASKS for runs in RUNS) + " |")
    print("|---|" + "---|" * len(TASKS) * len(RUNS))
    for name, row in shares.items():
        print(f"| {name} | " + " | ".join("" if share is None else f"{100 * share:.1f}" for share in row) + " |")


def missed_bars(found: dict[str, Shares], count: int) -> Iterable[str]:
    for name in (*PLAUSIBLE, *FRESH):
        low, high = min(found["mean score"][name]), max(found["mean score"][name])
        if low < 0.93 - noise(count) or high > 0.98 + noise(count):
            yield f"{name}: intervals of mean scores hold the truth in {low:.1%} to {high:.1%}"
    for name, row in found["false positives"].items():
        if "unlike" not in name and max(row) > 0.05 + noise(count):
            yield f"{name}: equal agents are told apart in {max(row):.1%}"


def noise(count: int) -> float:
    return 3 * sqrt(0.05 * 0.95 / count)


if __name__ == "__main__":
    main()
