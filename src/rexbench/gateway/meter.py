"""What a run has used, what it may use, and what that costs.

What a request may come to at the most is claimed before it is forwarded, and settled by what it came to. So however many are under
way, they fit the budget together; a request that might pass it goes alone, and is the last one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from pydantic import BaseModel, ConfigDict

from rexbench.gateway.wires.protocol import Usage

UNTOLD = 2_000
"""Tokens that a provider may add to either side unseen: a chat's template, what it tells the model about tools, a thought."""
LONGEST_ANSWER = 128_000
"""Tokens that an answer may have whose request names no maximum."""
_LEAST_ANSWER = 4_096
"""What a last answer may have, however little is left."""
_LONG_WRITE = 0.75
"""What writing to a cache for an hour costs beyond the listed price for writing, as a share of the price of input."""


class Budget(BaseModel):
    """What a run may use; None: no limit."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    usd: float | None = None
    tokens: int | None = None
    """Input and output together."""
    requests: int | None = None


class Price(BaseModel):
    """US dollars per million tokens, where the price list does not know a model or is not to be used."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

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


def upper_bound(size: int, attached: int, maximum: int | None, received: int = 0) -> Usage:
    """The most that a request can have come to: no token is shorter than a byte."""
    return Usage(size + attached + UNTOLD, received + UNTOLD if maximum is None else maximum)


@dataclass
class _Amount:
    tokens: int = 0
    usd: float = 0.0

    def add(self, tokens: int, usd: float | None, sign: int = 1) -> None:
        self.tokens += sign * tokens
        self.usd += sign * (usd or 0.0)


@dataclass(frozen=True)
class Over:
    """A limit that is reached."""

    why: str
    by_us: bool
    """It is reached only through answers that the provider broke off."""


@dataclass
class Meter:
    """Adds up a run."""

    budget: Budget
    cost: Callable[[Usage], float | None]
    _numbers: set[int] = field(default_factory=set)
    """The requests that were let through."""
    _used: _Amount = field(default_factory=_Amount)
    _lost: _Amount = field(default_factory=_Amount)
    """Of what is used, the part in answers that the provider broke off."""
    _claimed: _Amount = field(default_factory=_Amount)
    _claims: dict[int, Usage] = field(default_factory=dict)
    _stretch: float | None = None
    """How much more than claimed an answer has come to, where a provider counts in ways of its own; None before the first."""

    def over(self) -> Over | None:
        """The limit that is reached, in words; None where there is room."""
        budget, used, lost = self.budget, self._used, self._lost
        if budget.usd is not None and used.usd >= budget.usd:
            why = f"the budget of {budget.usd:g} US dollars is used up ({used.usd:.4f})"
            return Over(why, used.usd - lost.usd < budget.usd)
        if budget.tokens is not None and used.tokens >= budget.tokens:
            why = f"the budget of {budget.tokens} tokens is used up ({used.tokens})"
            return Over(why, used.tokens - lost.tokens < budget.tokens)
        if budget.requests is not None and len(self._numbers) >= budget.requests:
            return Over(f"the budget of {budget.requests} requests is used up", False)
        return None

    @property
    def idle(self) -> bool:
        return not self._claims

    def fits(self, claim: Usage) -> bool:
        """Whether a request fits beside all that are under way. The first one of a run goes alone: it shows how claims hold."""
        budget, claim = self.budget, self._stretched(claim)
        if budget.usd is None and budget.tokens is None:
            return True
        if self._stretch is None and self._claims:
            return False
        usd = self._used.usd + self._claimed.usd + (self.cost(claim) or 0.0)
        tokens = self._used.tokens + self._claimed.tokens + claim.total
        return (budget.usd is None or usd <= budget.usd) and (budget.tokens is None or tokens <= budget.tokens)

    def room_for_output(self, asked: int) -> int:
        """Tokens of answer that the rest of the budget pays for after this much input; never less than a short answer."""
        room = [LONGEST_ANSWER]
        if self.budget.tokens is not None:
            room.append(self.budget.tokens - self._used.tokens - asked)
        if self.budget.usd is not None:
            before, after = self.cost(Usage(asked)) or 0.0, self.cost(Usage(asked, 1_000)) or 0.0
            rest = self.budget.usd - self._used.usd - before
            room.append(int(1_000 * rest / (after - before)) if after > before else LONGEST_ANSWER)
        return max(_LEAST_ANSWER, min(room))

    def claim(self, number: int, claim: Usage) -> None:
        """Set aside what a request may come to; a request that is tried again claims again, and counts once."""
        claim = self._stretched(claim)
        self._claims[number] = claim
        self._claimed.add(claim.total, self.cost(claim))
        self._numbers.add(number)

    def settle(self, number: int, used: Usage, lost: bool = False) -> None:
        """Put what a request came to in the place of its claim; `lost`: for an answer that the provider broke off."""
        claim = self._claims.pop(number, None)
        if claim:
            self._claimed.add(claim.total, self.cost(claim), -1)
            if used.total:
                cost, claimed = self.cost(used) or 0.0, self.cost(claim) or 0.0
                more = max(1.0, used.total / max(1, claim.total), cost / claimed if claimed else 1.0)
                self._stretch = more * (self._stretch or 1.0)
        for amount in (self._used, self._lost) if lost else (self._used,):
            amount.add(used.total, self.cost(used))

    def _stretched(self, claim: Usage) -> Usage:
        factor = self._stretch or 1.0
        return Usage(int(claim.input * factor), int(claim.output * factor))


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
        price = float(calc_price(counted, model_ref=model, provider_id=provider).total_price)
        if not usage.cache_written_long:
            return price
        return price + _LONG_WRITE * calculate(Usage(usage.cache_written_long), model, provider)

    return calculate
