"""What an agent's step is made with, and what the agent is told of it."""

from dataclasses import dataclass, field

from rexbench.gateway.meter import Budget
from rexbench.gateway.models import Model
from rexbench.gateway.settings import GatewaySettings
from rexbench.record.model import RunLimits

PAPER_PROMPT = "Read instructions.md and carry out the task."


@dataclass(frozen=True)
class AgentSettings:
    """One agent with everything that determines what it does."""

    agent: str
    model: Model | None
    """None for the controls."""
    limits: RunLimits
    condition: str = "open"
    options: dict[str, str] = field(default_factory=dict)
    allow_server_tools: bool = False
    retry_seconds: float = 300.0
    backoff_seconds: float = 1.0
    stall_seconds: float = 300.0
    drain_seconds: float = 30.0


def gateway_settings(settings: AgentSettings, model: Model) -> GatewaySettings:
    """The run's gateway: its model, its budget, its patience."""
    return GatewaySettings(
        provider=model.provider,
        models=() if model.name.startswith("replay:") else (model.bare,),
        priced_as=model.priced_as,
        price=model.price,
        budget=Budget(usd=settings.limits.usd, tokens=settings.limits.tokens, requests=settings.limits.requests),
        allow_server_tools=settings.allow_server_tools,
        retry_seconds=settings.retry_seconds,
        backoff_seconds=settings.backoff_seconds,
        stall_seconds=settings.stall_seconds,
        drain_seconds=settings.drain_seconds,
    )


def make_prompt(settings: AgentSettings) -> str:
    """What the agent is told besides the instructions in its workspace."""
    if settings.condition == "paper":
        return PAPER_PROMPT
    limits = settings.limits
    budget = [f"{limits.seconds / 60:g} minutes"]
    budget += [f"{limits.usd:g} US dollars of model use"] if limits.usd is not None else []
    budget += [f"{limits.tokens} tokens"] if limits.tokens is not None else []
    budget += [f"{limits.requests} model requests"] if limits.requests is not None else []
    return (
        f"{PAPER_PROMPT}\n\nYou work in the current folder, a git repository. There is no network; `python` has the packages that "
        f"the codebase needs. You have {', '.join(budget)}; whatever is in the folder when that is used up, or when you end, is "
        "what counts, committed or not. Nobody will answer questions."
    )
