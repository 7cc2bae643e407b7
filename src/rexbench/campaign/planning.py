"""From a plan as it was asked for to one that can be run: tasks found, seeds drawn, files named in full, agents looked at."""

import secrets
from pathlib import Path

from rexbench.agent.catalog import find_agent
from rexbench.agent.controls import CONTROLS
from rexbench.agent.install import Programs
from rexbench.campaign.models import model_of
from rexbench.campaign.plan import HANDED_IN, Plan
from rexbench.errors import RexbenchError
from rexbench.gateway.meter import is_priced
from rexbench.task.folder import Task
from rexbench.task.variants import choose_seeds
from rexbench.workbench import Workbench


def fix_plan(plan: Plan, bench: Workbench, folder: Path, variants: int | None = None, variant_seed: int | None = None) -> Plan:
    """The plan with all that is decided when a campaign starts. Files are meant relative to `folder`."""
    names = bench.suite.ids() if plan.tasks == ("all",) else plan.tasks
    tasks = [bench.suite.load(name) for name in names]
    drawn = secrets.token_bytes(32)  # of this campaign alone: what one campaign has shown is of no use in the next
    seeds = {task.id: choose_seeds(task, variants, variant_seed, drawn) for task in tasks}
    return plan.model_copy(
        update={
            "agents": tuple(agent.from_folder(folder) for agent in plan.agents),
            "tasks": tuple(task.id for task in tasks),
            "folders": {task.id: address for task in tasks if (address := bench.suite.address(task)) != task.id},
            "seeds": {**seeds, **plan.seeds},
            "sandbox": bench.settings.sandbox,
        }
    )


def load_tasks(plan: Plan, bench: Workbench) -> list[Task]:
    """The tasks of a plan that was fixed."""
    return [bench.suite.load(plan.address(name)) for name in plan.tasks]


def check_plan(plan: Plan, bench: Workbench) -> None:
    """Everything that would fail in every run of an agent fails now: sandbox, program, model, key, script, price."""
    if bench.sandbox.name != plan.sandbox:
        raise RexbenchError(
            f"The campaign was started in the sandbox {plan.sandbox}, and all of its runs must be; give --sandbox {plan.sandbox}."
        )
    tasks = load_tasks(plan, bench)
    programs = Programs(bench.home, bench.settings.variables)
    for spec in plan.agents:
        if spec.agent in (*CONTROLS, HANDED_IN):
            continue
        agent = find_agent(spec.agent)
        if agent.program:
            programs.find(agent.program)
        if not spec.model:
            raise RexbenchError(f"The agent {spec.name!r} has no model; give one with --model provider/model.")
        for task in tasks if spec.model.startswith("scripted:") else tasks[:1]:
            model = model_of(spec, task, bench.settings.variables)
        bounded = spec.limits.usd is not None or plan.budget_usd is not None
        if bounded and model and not is_priced(model.priced_as, model.price):
            raise RexbenchError(
                f"No price is known for {spec.model}, so a budget in money cannot be held; "
                "give --price INPUT,OUTPUT per million tokens, or --budget-tokens instead."
            )
