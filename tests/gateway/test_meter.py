"""A budget holds however many requests are under way, and whoever used it up is named."""

import pytest

from rexbench.gateway.meter import Budget, Meter, Price, cost_of, upper_bound
from rexbench.gateway.wires.protocol import Usage

PRICE = Price(input=2.0, output=10.0)


def meter(**budget: float) -> Meter:
    return Meter(Budget.model_validate(budget), lambda usage: cost_of(usage, None, PRICE))


def test_the_first_request_goes_alone_and_the_others_beside_each_other() -> None:
    run = meter(tokens=10_000)
    claim = Usage(500, 500)
    assert run.fits(claim)
    run.claim(1, claim)
    assert not run.fits(claim), "nothing is known yet of how this provider counts"
    run.settle(1, Usage(100, 100))
    for number in range(2, 11):
        assert run.fits(claim)
        run.claim(number, claim)
    assert not run.fits(claim) and not run.idle, "ten claims would pass the budget"
    run.settle(2, Usage(100, 100))
    assert run.fits(Usage(400, 400))


def test_a_provider_that_counts_more_than_claimed_is_believed() -> None:
    run = meter(tokens=10_000)
    run.claim(1, Usage(100, 100))
    run.settle(1, Usage(1_000, 1_000))
    assert run.fits(Usage(400, 400)) and not run.fits(Usage(401, 401)), "eight thousand are left, and claims count tenfold"


def test_a_provider_that_charges_more_than_claimed_is_believed() -> None:
    run = meter(usd=1.0)
    run.claim(1, Usage(1_000, 100))
    run.settle(1, Usage(100, 1_000))
    assert run.fits(Usage(80_000, 8_000)) and not run.fits(Usage(160_000, 16_000)), "a claim of $0.003 came to $0.0102"


@pytest.mark.parametrize(("budget", "words"), [({"tokens": 1_000}, "1000 tokens"), ({"usd": 0.005}, "0.005 US dollars")])
def test_a_budget_that_answers_which_broke_off_have_used_up_is_our_fault(budget: dict[str, float], words: str) -> None:
    run = meter(**budget)
    run.claim(1, Usage(500, 500))
    run.settle(1, Usage(500, 500), lost=True)
    over = run.over()
    assert over and over.by_us and words in over.why
    run.claim(2, Usage(500, 500))
    run.settle(2, Usage(500, 500))
    over = run.over()
    assert over and not over.by_us, "the agent alone would have used it up as well"


def test_a_request_that_is_tried_again_counts_once() -> None:
    run = meter(requests=2)
    for _ in range(3):
        run.claim(1, Usage(5, 5))
        run.settle(1, Usage(5, 5), lost=True)
    assert run.over() is None
    run.claim(2, Usage(5, 5))
    assert run.over()


def test_without_a_budget_nobody_waits() -> None:
    run = meter()
    for number in range(100):
        assert run.fits(Usage(10**9, 10**9))
        run.claim(number, Usage(10**9, 10**9))


def test_the_room_for_an_answer_is_what_the_rest_pays_for() -> None:
    assert meter(tokens=50_000).room_for_output(10_000) == 40_000
    assert meter(usd=0.22).room_for_output(10_000) == 20_000
    assert meter(tokens=50_000, usd=0.22).room_for_output(10_000) == 20_000
    assert meter(tokens=1_000).room_for_output(10_000) == 4_096, "a short answer may always be given, alone"


def test_no_token_is_shorter_than_a_byte() -> None:
    most = upper_bound(5_000, 0, 300)
    assert most.input >= 5_000 and most.output == 300
    assert upper_bound(5_000, 0, None, 700).output >= 700


def test_what_is_written_to_a_cache_for_an_hour_costs_twice_the_input() -> None:
    listed = "anthropic/claude-sonnet-4-5"
    plain, short, long = (
        cost_of(usage, listed, None) or 0.0
        for usage in (Usage(100_000), Usage(100_000, 0, 0, 100_000), Usage(100_000, 0, 0, 100_000, 100_000))
    )
    assert short == pytest.approx(1.25 * plain) and long == pytest.approx(2 * plain)
