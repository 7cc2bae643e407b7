"""What an agent is told, and the gateway that it is given."""

from rexbench.agent.settings import Agent
from rexbench.gateway.meter import Budget
from rexbench.gateway.models import Model
from rexbench.gateway.settings import GatewaySettings

PAPER_PROMPT = "Read instructions.md and carry out the task."


def gateway_settings(agent: Agent, model: Model) -> GatewaySettings:
    """The run's gateway: its model, its budget, its patience."""
    limits = agent.limits
    return GatewaySettings(
        provider=model.provider,
        models=() if model.name.startswith("replay:") else (model.bare,),
        priced_as=model.priced_as,
        price=model.price,
        budget=Budget(usd=limits.usd, tokens=limits.tokens, requests=limits.requests),
        **agent.gateway.model_dump(),
    )


def make_prompt(agent: Agent) -> str:
    """What the agent is told besides the instructions in its workspace."""
    if agent.condition == "paper":
        return PAPER_PROMPT
    limits = agent.limits
    budget = [f"{limits.seconds / 60:g} minutes"]
    budget += [f"{limits.usd:g} US dollars of model use"] if limits.usd is not None else []
    budget += [f"{limits.tokens} tokens"] if limits.tokens is not None else []
    budget += [f"{limits.requests} model requests"] if limits.requests is not None else []
    return (
        f"{PAPER_PROMPT}\n\nYou work in the current folder, a git repository. There is no network; `python` has the packages that "
        f"the codebase needs. You have {', '.join(budget)}; whatever is in the folder when that is used up, or when you end, is "
        "what counts, committed or not. Nobody will answer questions."
    )
