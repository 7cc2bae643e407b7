"""What `compare` and `power` do: whether two agents differ, and whether a design could show it."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rexbench.cli.output import console, print_json
from rexbench.errors import RexbenchError
from rexbench.report.comparisons import TESTS
from rexbench.report.reading import read_campaigns
from rexbench.report.results import Results, results_of
from rexbench.report.table import plain, shown
from rexbench.stats.effect import effect
from rexbench.stats.paired import holm, mcnemar_test
from rexbench.stats.power import Design, Model, detectable_difference, power, power_on_these_tasks


def compare_and_print(folder: Path, first: str, second: str, as_json: bool) -> None:
    """Two agents, at each hint level and over all."""
    results = results_of(read_campaigns([folder]))
    a, b = _find(results, first), _find(results, second)
    if a == b:
        raise RexbenchError(f"{first} is both --a and --b; name two agents.")
    found = (_compared(results, a, b, [at]) for at in range(len(results.hints)))
    rows = [row for row in found if row["tasks"]]
    if not rows:
        raise RexbenchError(f"{first} and {second} have no task with runs at the same hint level.")
    if len(rows) > 1:
        for key in ("p_tasks", "p_runs"):
            for row, corrected in zip(rows, holm([row[key] for row in rows]), strict=True):
                row[f"{key}_holm"] = plain(float(corrected))
        rows.append(_compared(results, a, b, list(range(len(results.hints)))))
    if as_json:
        print_json({"first": first, "second": second, "comparisons": rows})
        return
    console.print(f"{first} minus {second}, final success, paired by task", markup=False)
    for row in rows:
        console.print(_sentence(row), markup=False)
    levels = " Holm: corrected for the number of hint levels; all levels together are one test." if len(rows) > 1 else ""
    console.print(f"\n{TESTS}.{levels}", markup=False, style="dim")


def power_and_print(tasks: int, runs: int, difference: float, base: float, agents: int, as_json: bool) -> None:
    """What a design can show, and what more tasks or more runs would."""
    if not 0 < base < 1 or not 0 < difference <= 1 - base:
        raise RexbenchError(f"A weaker agent at {base:g} and a difference of {difference:g} do not fit between 0 and 1.")
    model = Model(base=base)
    pairs = agents * (agents - 1) // 2
    alpha = 0.05 / pairs
    design = Design(tasks, runs)
    found = {
        "tasks": tasks,
        "runs": runs,
        "difference": difference,
        "pairs": pairs,
        "model": asdict(model),
        "power_over_tasks": power(design, model, difference, alpha),
        "power_on_these_tasks": power_on_these_tasks(design, model, difference, alpha),
        "power_on_these_tasks_if_equal": power_on_these_tasks(design, model, 0.0, alpha),
        "detectable_difference": detectable_difference(design, model, alpha, simulations=1000),
        "instead": [
            {"tasks": other.tasks, "runs": other.runs, "power_over_tasks": power(other, model, difference, alpha, simulations=1000)}
            for other in (Design(tasks, 4 * runs), Design(2 * tasks, runs), Design(4 * tasks, runs), Design(8 * tasks, runs))
        ],
    }
    if as_json:
        print_json(found)
    else:
        _print_power(found)


def _find(results: Results, name: str) -> int:
    if name not in results.agents:
        raise RexbenchError(f"There is no agent {name!r} in this campaign; there are: {', '.join(results.agents)}.")
    return results.agents.index(name)


def _compared(results: Results, a: int, b: int, levels: list[int]) -> dict[str, Any]:
    wins, runs = results.wins[:, levels], results.runs[:, levels]
    found = effect(wins[a], runs[a], wins[b], runs[b])
    row = {"hints": results.hints[levels[0]] if len(levels) == 1 else "all"} | {
        key: plain(value) for key, value in asdict(found).items()
    }
    both = (runs[a] > 0) & (runs[b] > 0)
    if both.any() and runs[a][both].max() == runs[b][both].max() == 1 and len(levels) == 1:
        row["p_mcnemar"] = mcnemar_test(wins[a][both] > 0, wins[b][both] > 0)
    return row


def _sentence(row: dict[str, Any]) -> str:
    limits = f"{shown(row['low'], 'signed')} to {shown(row['high'], 'signed')}"
    over, within = (
        ", Holm ".join(shown(row[at], "p") for at in (key, f"{key}_holm") if at in row) for key in ("p_tasks", "p_runs")
    )
    tests = f"p tasks {over} (least possible {shown(row['smallest_p'], 'p')}); p runs {within}"
    exact = f"; McNemar {shown(row['p_mcnemar'], 'p')}" if "p_mcnemar" in row else ""
    counts = f"better on {row['better']}, worse on {row['worse']} of {row['tasks']} tasks"
    return f"\n{row['hints']}: {shown(row['difference'], 'signed')}  (95 % interval {limits})\n  {counts}\n  {tests}{exact}"


def _print_power(found: dict[str, Any]) -> None:
    among = f" among {found['pairs']} pairs, after Holm" if found["pairs"] > 1 else ""
    base, other = found["model"]["base"], found["model"]["base"] + found["difference"]
    least = found["detectable_difference"]
    console.print(f"{found['tasks']} tasks x {found['runs']} runs: an agent at {other:.2f} against one at {base:.2f}{among}")
    console.print(f"  found in {found['power_over_tasks']:.0%} of campaigns, for tasks of this kind (sign-flip test over tasks)")
    console.print(f"  found in {found['power_on_these_tasks']:.0%} of campaigns, for these very tasks (test within tasks)")
    equal = found["power_on_these_tasks_if_equal"]
    console.print(f"    (and in {equal:.0%} if the two are equal in general: each has tasks that suit it)")
    told = "no difference, however large" if least is None else f"{100 * least:.0f} points or more"
    console.print(f"  found in 80 % of campaigns over tasks: {told}")
    console.print("\nthe same difference over tasks with")
    for row in found["instead"]:
        console.print(f"  {row['tasks']:4d} tasks x {row['runs']:3d} runs: {row['power_over_tasks']:.0%}")
    console.print(
        f"\nModel: chances of success on tasks are Beta with the stated mean and c = {found['model']['concentration']}, tied "
        f"between agents by {found['model']['tie']}, as in the published results; level 5 %{among}, 1,000 or 2,000 simulated "
        "campaigns.",
        style="dim",
    )
