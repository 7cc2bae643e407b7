"""The agent sends forty requests at once, before the first one is paid for.

They once cost $0.60 under a budget of $0.02, and the step was `finished`.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rexbench.gateway.meter import Budget, Meter, Price
from rexbench.gateway.wires.protocol import Answer, Body, Wire
from tests.gateway.scene import BODIES, gateway_here, settings_for
from tests.gateway.upstream import ANSWER, provider
from tests.waiting import wait_until

BUDGETS = {"usd": Budget(usd=0.02), "tokens": Budget(tokens=7_000), "requests": Budget(requests=6)}


def answered_at_once(path: str, budget: Budget, folder: Path, together: int = 1) -> tuple[int, int, dict[str, str]]:
    """How many of forty are answered, how many the provider saw, and what was told. It answers once it has seen so many."""
    settings = {"budget": budget, "price": Price(input=2.0, output=10.0)}
    with provider() as upstream, gateway_here(settings_for(upstream, **settings), folder) as here, ThreadPoolExecutor(40) as agents:

        def answer(wire: Wire, body: Body) -> Answer:
            wait_until(lambda: len(upstream.requests) >= together)
            return ANSWER

        upstream.answer = answer
        asked = list(agents.map(lambda _: here.client.post(path, json=BODIES[path]).status_code, range(40)))
    return asked.count(200), len(upstream.requests), dict(here.told)


@pytest.mark.parametrize("kind", ["usd", "tokens"])
def test_without_claims_they_pass_the_budget_many_times(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meter, "fits", lambda self, claim: True)
    answered, _, _ = answered_at_once("/v1/messages", BUDGETS[kind], tmp_path / "g", together=11)
    assert answered > 10


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("path", BODIES)
def test_at_most_one_request_above_the_budget_is_answered(path: str, kind: str, tmp_path: Path) -> None:
    answered, seen, told = answered_at_once(path, BUDGETS[kind], tmp_path / "g")
    most = {"usd": 7, "tokens": 7, "requests": 6}[kind]  # each is 1,100 tokens and $0.003
    assert 1 <= answered <= most and seen == answered and "is used up" in told["limit"]
