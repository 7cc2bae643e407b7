# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""pass@k by the unbiased estimator (papers/tang2023.md, "Metric")."""

from collections.abc import Iterable

from ett.completions import Tally


def pass_at_k(n: int, c: int, k: int) -> float:
    """1 - C(n - c, k) / C(n, k), as a product so that nothing overflows."""
    if n < k:
        raise ValueError(f"pass@{k} needs at least {k} completions, got {n}")
    if n - c < k:
        return 1.0
    miss = 1.0
    for i in range(n - c + 1, n + 1):
        miss *= 1.0 - k / i
    return 1.0 - miss


def mean_pass_at_k(tallies: Iterable[Tally], k: int) -> float:
    """Average over problems; every problem weighs the same, however many completions count."""
    values = [pass_at_k(t.n, t.c, k) for t in tallies]
    if not values:
        raise ValueError("no problem left to average over")
    return sum(values) / len(values)
