"""`rexbench power`: whether a design could show a difference."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from rexbench.cli.options import Json


def power(
    tasks: Annotated[int, typer.Option("--tasks", min=2, max=200, help="Tasks in the design.")] = 12,
    runs: Annotated[int, typer.Option("--runs", min=1, max=1000, help="Runs of each agent on each task.")] = 5,
    difference: Annotated[float, typer.Option("--difference", help="True difference in final success, such as 0.15.")] = 0.15,
    base: Annotated[float, typer.Option("--base", help="Final success of the weaker agent.")] = 0.3,
    agents: Annotated[int, typer.Option("--agents", min=2, max=20, help="Agents compared; more pairs need more evidence.")] = 2,
    scored: Annotated[bool, typer.Option("--scored", help="Also what it can show on scores, if the tasks are scored.")] = False,
    as_json: Json = False,
) -> None:
    """Say what a design can and cannot show before it is paid for.

    \b
    rexbench power --tasks 12 --runs 5 --scored
    rexbench power --tasks 12 --runs 5 --difference 0.15
    rexbench power --tasks 50 --runs 3 --difference 0.2 --agents 9
    """
    from rexbench.cli.output import print_json
    from rexbench.errors import RexbenchError
    from rexbench.stats.power import Design, Model, detectable_difference, power_on_these_tasks
    from rexbench.stats.power import power as power_over_tasks

    if not 0 < base < 1 or not 0 < difference <= 1 - base:
        raise RexbenchError(f"A weaker agent at {base:g} and a difference of {difference:g} do not fit between 0 and 1.")
    model = Model(base=base)
    pairs = agents * (agents - 1) // 2
    alpha = 0.05 / pairs
    design = Design(tasks, runs)
    found: dict[str, Any] = {
        "tasks": tasks,
        "runs": runs,
        "difference": difference,
        "pairs": pairs,
        "model": asdict(model),
        "power_over_tasks": power_over_tasks(design, model, difference, alpha),
        "power_on_these_tasks": power_on_these_tasks(design, model, difference, alpha),
        "power_on_these_tasks_if_equal": power_on_these_tasks(design, model, 0.0, alpha),
        "detectable_difference": detectable_difference(design, model, alpha, simulations=1000),
        "instead": [
            {
                "tasks": other.tasks,
                "runs": other.runs,
                "power_over_tasks": power_over_tasks(other, model, difference, alpha, simulations=1000),
            }
            for other in (Design(tasks, 4 * runs), Design(2 * tasks, runs), Design(4 * tasks, runs), Design(8 * tasks, runs))
        ],
    }
    if scored:
        from rexbench.stats.score_power import scored_power

        found["scores"] = scored_power(tasks, runs, difference, agents)
    if as_json:
        print_json(found)
        return
    _print(found)
    if scored:
        _print_scores(found["scores"], found["detectable_difference"])


def _print(found: dict[str, Any]) -> None:
    from rexbench.cli.output import console

    among = f" among {found['pairs']} pairs, after Holm" if found["pairs"] > 1 else ""
    base, other = found["model"]["base"], found["model"]["base"] + found["difference"]
    console.print(f"{found['tasks']} tasks x {found['runs']} runs: an agent at {other:.2f} against one at {base:.2f}{among}")
    _print_chances(found)
    console.print(f"  found in 80 % of campaigns over tasks: {_least(found['detectable_difference'])}")
    _print_instead(found)
    console.print(
        f"\nModel: chances of success on tasks are Beta with the stated mean and c = {found['model']['concentration']}, tied "
        f"between agents by {found['model']['tie']}, as in the published results; level 5 %{among}, 1,000 or 2,000 simulated "
        "campaigns.",
        style="dim",
    )


def _print_scores(found: dict[str, Any], on_success: float | None) -> None:
    from rexbench.cli.output import console

    model = found["model"]
    console.print(f"\nIf the tasks are scored: mean scores that differ by {found['difference']:.2f}")
    _print_chances(found)
    console.print(f"  found in 80 % of campaigns over tasks: {_least(found['detectable_difference'])} of score")
    console.print(f"    (on success: {_least(on_success)})")
    _print_instead(found)
    console.print(
        f"\nModel: two agents' difference scatters over tasks by {model['between']}, runs on a task by {model['within']}, both "
        "normal, in units of score: 0 is the unchanged repository, 1 is gold.",
        style="dim",
    )


def _print_chances(found: dict[str, Any]) -> None:
    from rexbench.cli.output import console

    console.print(f"  found in {found['power_over_tasks']:.0%} of campaigns, for tasks of this kind (sign-flip test over tasks)")
    console.print(f"  found in {found['power_on_these_tasks']:.0%} of campaigns, for these very tasks (test within tasks)")
    equal = found["power_on_these_tasks_if_equal"]
    console.print(f"    (and in {equal:.0%} if the two are equal in general: each has tasks that suit it)")


def _print_instead(found: dict[str, Any]) -> None:
    from rexbench.cli.output import console

    console.print("\nthe same difference over tasks with")
    for row in found["instead"]:
        console.print(f"  {row['tasks']:4d} tasks x {row['runs']:3d} runs: {row['power_over_tasks']:.0%}")


def _least(difference: float | None) -> str:
    return "no difference, however large" if difference is None else f"{100 * difference:.0f} points or more"
