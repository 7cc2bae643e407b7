"""What a run has used, what it may use, and what that costs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel, ConfigDict

from rexbench.gateway.wires.protocol import Usage


class Budget(BaseModel):
    """What a run may use; None: no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usd: float | None = None
    tokens: int | None = None
    """Input and output together."""
    requests: int | None = None


class Price(BaseModel):
    """US dollars per million tokens, where the price list does not know a model or is not to be used."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float
    output: float
    cached: float | None = None
    """None: as input."""


def cost_of(usage: Usage, priced_as: str | None, price: Price | None) -> float | None:
    """US dollars for these tokens; None where no price is known."""
    if price:
        cached = price.input if price.cached is None else price.cached
        fresh = usage.input - usage.cached
        return (fresh * price.input + usage.cached * cached + usage.output * price.output) / 1e6
    if not priced_as:
        return None
    return _listed(priced_as, usage)


def is_priced(priced_as: str | None, price: Price | None) -> bool:
    """Whether a run of this model can be held to a budget in money."""
    return cost_of(Usage(1, 1), priced_as, price) is not None


@dataclass
class Meter:
    """Adds up a run."""

    budget: Budget
    usd: float = 0.0
    tokens: int = 0
    requests: int = 0
    unpriced: int = 0
    """Answers whose cost or tokens are not known."""

    def add(self, usage: Usage | None, cost: float | None) -> None:
        self.tokens += usage.total if usage else 0
        self.usd += cost or 0.0
        self.unpriced += usage is None or cost is None

    def over(self, pending: Usage | None = None, pending_cost: float | None = None) -> str | None:
        """The limit that is reached, in words; None where there is room. `pending` is an answer that is still being streamed."""
        usd, tokens = self.usd + (pending_cost or 0.0), self.tokens + (pending.total if pending else 0)
        if self.budget.usd is not None and usd >= self.budget.usd:
            return f"the budget of {self.budget.usd:g} US dollars is used up ({usd:.4f})"
        if self.budget.tokens is not None and tokens >= self.budget.tokens:
            return f"the budget of {self.budget.tokens} tokens is used up ({tokens})"
        if pending is None and self.budget.requests is not None and self.requests >= self.budget.requests:
            return f"the budget of {self.budget.requests} requests is used up"
        return None


def _listed(priced_as: str, usage: Usage) -> float | None:
    calculate = _price_list()
    provider, _, model = priced_as.partition("/")
    for provider_id in (provider, None):
        try:
            return calculate(usage, model, provider_id)
        except LookupError:
            continue
    return None


@cache
def _price_list() -> Callable[[Usage, str, str | None], float]:
    """Loaded on first use: it takes half a second, which a scripted model need not pay."""
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    def calculate(usage: Usage, model: str, provider: str | None) -> float:
        counted = Counted(
            input_tokens=usage.input,
            output_tokens=usage.output,
            cache_read_tokens=usage.cached,
            cache_write_tokens=usage.cache_written,
        )
        return float(calc_price(counted, model_ref=model, provider_id=provider).total_price)

    return calculate
