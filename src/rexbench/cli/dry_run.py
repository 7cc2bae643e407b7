"""What a campaign would be: its plan, what it costs and takes at most, and what the agents that were published used."""

from rexbench.agent.controls import CONTROLS
from rexbench.agent.settings import Agent
from rexbench.campaign.plan import Plan, plan_runs
from rexbench.cli.output import console, print_json, print_table
from rexbench.reports.published import published_cost
from rexbench.task.folder import Task


def print_plan(plan: Plan, tasks: list[Task], slots: int, as_json: bool) -> None:
    """The runs, and bounds on money and time; the held-out seeds stay unsaid."""
    runs = plan_runs(plan)
    gold = {
        task.id: (task.spec.calibration.gold_seconds if task.spec.calibration else task.spec.limits.seconds / 5) for task in tasks
    }
    judging = sum(gold[run.task] * len(plan.seeds[run.task]) for run in runs)
    reference = sum(gold[task.id] * len(plan.seeds[task.id]) for task in tasks)
    agents = [spec for spec in plan.agents if spec.agent not in CONTROLS]
    each = len(runs) // len(plan.agents)
    most_seconds = sum(spec.limits.seconds for spec in agents) * each
    bounded = all(spec.limits.usd is not None for spec in agents)
    most_usd = sum(spec.limits.usd or 0.0 for spec in agents) * each if bounded else plan.budget_usd
    known = {spec.name: cost for spec in agents if (cost := published_cost(spec.agent, spec.model))}
    usual_usd, usual_seconds = (sum(getattr(cost, key) for cost in known.values()) * each for key in ("usd", "seconds"))
    if as_json:
        print_json(
            {
                "runs": [run.model_dump() | {"id": run.id} for run in runs],
                "most_cost_usd": most_usd,
                "published_means": {"agents": list(known), "cost_usd": usual_usd, "agent_hours": usual_seconds / 3600},
                "most_agent_hours": most_seconds / 3600,
                "evaluation_hours": (judging + reference) / 3600,
                "most_hours_here": (most_seconds + judging + reference) / slots / 3600,
            }
        )
        return
    rows = [
        [spec.name, spec.agent, spec.model or "-", spec.condition, f"{spec.limits.seconds / 60:g}", _money(spec)]
        for spec in plan.agents
    ]
    print_table("", ["name", "agent", "model", "condition", "min", "$"], rows, right=["min", "$"])
    parts = f"{len(plan.agents)} agents x {len(tasks)} tasks x {len(plan.hints)} hint levels x {plan.runs} repetitions"
    console.print(f"\n{len(runs)} runs: {parts}")
    console.print(f"cost: at most {'unknown; set --budget-usd to bound it' if most_usd is None else f'{most_usd:.2f} US dollars'}")
    if known:
        console.print(
            f"by the published means of {len(known)} of the {len(agents)} agents: about {usual_usd:.0f} US dollars and "
            f"{usual_seconds / 3600:.1f} h for these, on tasks like the published ones"
        )
    console.print(
        f"agents: at most {most_seconds / 3600:.1f} h; evaluation: about {(judging + reference) / 3600:.1f} h of one core"
    )
    console.print(f"with {slots} at a time: at most {(most_seconds + judging + reference) / slots / 3600:.1f} h")


def _money(spec: Agent) -> str:
    return "-" if spec.limits.usd is None else f"{spec.limits.usd:g}"
