"""pass@k and pass^k against counting every subset of runs."""

from itertools import combinations

import numpy as np
import pytest

from rexbench.stats.passes import pass_at_k, pass_hat_k


@pytest.mark.parametrize("wins", range(6))
@pytest.mark.parametrize("k", [1, 2, 5])
def test_both_are_the_share_of_subsets(wins: int, k: int) -> None:
    subsets = list(combinations([1] * wins + [0] * (5 - wins), k))
    assert pass_at_k(wins, 5, k) == pytest.approx(np.mean([any(chosen) for chosen in subsets]))
    assert pass_hat_k(wins, 5, k) == pytest.approx(np.mean([all(chosen) for chosen in subsets]))


def test_too_few_runs_give_no_number() -> None:
    assert np.isnan(pass_at_k([1, 2], [2, 3], 3)).tolist() == [True, False]
    assert np.isnan(pass_hat_k(1, 1, 2))


def test_hundreds_of_runs_do_not_overflow() -> None:
    assert pass_at_k(500, 2000, 400) == pytest.approx(1)
