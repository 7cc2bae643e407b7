"""The same campaign on this machine, on Slurm and on Dask: the same outcomes and the same metrics, to the last digit.

    .venv/bin/python bench/identity.py [--tasks checkeval,winodict] [--variants 3] [--executors local,slurm,dask] [--json FILE]

The controls gold and nop on every task, each judged on the same held-out variants. Every executor has a home of its own, so that it
makes its own data and its own live gold; only the environments, built once in the usual home, are shared. Slurm is the cluster that
SLURM_CONF names, or a private one that is started and stopped here (root on Debian); a Dask scheduler with workers is started here.
Ends with 1 where anything differs or has no verdict. An interrupted comparison goes on where it was with the same --out.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines import dask_cluster, slurm_cluster
from homes import private_bench

if TYPE_CHECKING:
    from rexbench.campaign.executors.protocol import Executor
    from rexbench.campaign.plan import Plan
    from rexbench.record.model import Run

CONTROLS = ("gold", "nop")
Results = dict[str, dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="all", help="with commas between them")
    parser.add_argument("--variants", type=int, default=3)
    parser.add_argument("--variant-seed", type=int, default=8_101)
    parser.add_argument("--executors", default="local,slurm,dask")
    parser.add_argument("--jobs", type=int, default=2, help="steps at a time on each")
    parser.add_argument("--out", type=Path, help="keep homes and campaigns here")
    parser.add_argument("--json", type=Path, help="write everything that was compared here")
    given = parser.parse_args()
    plan = make_plan(given.tasks, given.variants, given.variant_seed)
    with tempfile.TemporaryDirectory(prefix="rexbench-identity-") as temporary:
        folder = (given.out or Path(temporary)).absolute()
        names = given.executors.split(",")
        found = {name: run_campaign(name, plan, folder / name, given.jobs) for name in names}
    differing = differences(plan, found)
    print_table(plan, found, differing)
    if given.json:
        told = {"tasks": plan.tasks, "seeds": plan.seeds, "results": found, "differences": differing, "identical": not differing}
        given.json.write_text(json.dumps(told, indent=1) + "\n")
    sys.exit(bool(differing))


def make_plan(tasks: str, variants: int, seed: int) -> "Plan":
    """One campaign, and the environments that it needs."""
    from rexbench.agent.settings import Agent
    from rexbench.api.bench import Bench
    from rexbench.campaign.plan import Plan

    bench = Bench()
    loaded = [bench.task(name) for name in (bench.suite.ids() if tasks == "all" else tasks.split(","))]
    for name in sorted({task.spec.environment for task in loaded}):
        bench.environments.ensure(name)
    return Plan(
        agents=tuple(Agent(name) for name in CONTROLS),
        tasks=tuple(task.id for task in loaded),
        seeds={task.id: tuple(range(seed, seed + variants)) for task in loaded},
    )


def run_campaign(name: str, plan: "Plan", folder: Path, jobs: int) -> Results:
    """The campaign on one executor, in a home of its own."""
    from rexbench.campaign.conduct import Event
    from rexbench.campaign.folder import Campaign

    bench = private_bench(folder / "home")
    since = time.monotonic()

    def observe(event: Event) -> None:
        if event.ended:
            print(f"{name}: {event}  ({time.monotonic() - since:.0f} s)", file=sys.stderr, flush=True)

    there = (folder / "campaign" / "campaign.json").exists()
    campaign = Campaign.open(folder / "campaign") if there else Campaign.create(folder / "campaign", plan)
    if campaign.plan != plan:
        sys.exit(f"{folder} holds another comparison; name another folder with --out.")
    with executor(name, folder, jobs) as chosen:
        bench.conduct(campaign, chosen, observe)
    return {run.id: told_by(run) for run in campaign.runs()}


@contextmanager
def executor(name: str, folder: Path, jobs: int) -> Iterator["Executor"]:
    if name == "local":
        from rexbench.campaign.executors.local import Local

        yield Local(jobs)
    elif name == "slurm":
        from rexbench.campaign.executors.slurm.executor import Slurm

        with slurm_cluster() as options:
            yield Slurm(options, jobs)
    elif name == "dask":
        from rexbench.campaign.executors.dask import Dask

        with dask_cluster(folder / "dask", jobs) as address:
            yield Dask(address, jobs)
    else:
        sys.exit(f"There is no executor {name!r}; there are: local, slurm, dask.")


def told_by(run: "Run") -> dict[str, Any]:
    """All of a run that must not depend on where it was done."""
    evaluations = [
        {
            "seed": found.variant_seed,
            "outcome": found.outcome,
            "execution_success": found.execution_success,
            "landmarks": found.landmarks,
            "metrics": {metric.name: metric.model_dump(exclude={"name"}) for metric in found.metrics},
        }
        for found in run.evaluations
    ]
    whole = run.model_dump(include={"outcome", "execution_success", "file_recall", "file_precision"})
    return whole | {"patch": run.step.patch_digest, "evaluations": evaluations}


def differences(plan: "Plan", found: dict[str, Results]) -> dict[str, list[str]]:
    """By run: where an executor's results are not those of the first, or are not there."""
    (first, expected), *others = found.items()
    differing: dict[str, list[str]] = {}
    for run in (f"{control}/{task}/none/1" for task in plan.tasks for control in CONTROLS):
        told = [f"no verdict on {name}" for name, results in found.items() if run not in results]
        for name, results in others:
            if run in results and run in expected:
                told += [f"{what} on {name}, unlike {first}" for what in unlike(expected[run], results[run])]
        if told:
            differing[run] = told
    return differing


def unlike(one: Any, other: Any, where: str = "") -> list[str]:
    """Paths to the values that are not the same."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [path for key in one for path in unlike(one[key], other[key], f"{where}.{key}".lstrip("."))]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [path for at, pair in enumerate(zip(one, other, strict=True)) for path in unlike(*pair, f"{where}[{at}]")]
    return [] if one == other else [f"{where} is {str(other)[:60]!r}, not {str(one)[:60]!r}"]


def print_table(plan: "Plan", found: dict[str, Results], differing: dict[str, list[str]]) -> None:
    width = max(len(task) for task in plan.tasks)
    print(f"{'task':{width}s}  control  {'outcome':16s}  metrics compared  {', '.join(found)}")
    for task in plan.tasks:
        for control in CONTROLS:
            run = f"{control}/{task}/none/1"
            result = next((results[run] for results in found.values() if run in results), None)
            count = sum(len(one["metrics"]) for one in result["evaluations"]) if result else 0
            outcome = result["outcome"] if result else "-"
            print(f"{task:{width}s}  {control:7s}  {outcome:16s}  {count:16d}  {'DIFFERENT' if run in differing else 'the same'}")
    for run, told in differing.items():
        for line in told[:10]:
            print(f"  {run}: {line}")
    if any(
        one["outcome"] == "timeout" for results in found.values() for result in results.values() for one in result["evaluations"]
    ):
        print("  A run was stopped for its time: compare again on a machine with nothing else to do.")
    runs = len(plan.tasks) * len(CONTROLS)
    print(f"\n{runs - len(differing)} of {runs} runs are the same on {', '.join(found)}.")


if __name__ == "__main__":
    main()
