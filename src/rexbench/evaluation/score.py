"""Scores: how far a figure lies on the way from live base to live gold. Pure functions.

    score = (x - base) / (gold - base)    on the task's scale: as it is, or by logarithms; the sign turned where lower is better

Success is one-sided. Gold's own figure varies over worlds with a standard deviation s, in units of the gap between base and gold,
that calibration has measured with v degrees of freedom. Work as good as gold lies above

    1 - t(v, 1 - a) * s * sqrt(2 / n)

with probability 1 - a, for the mean over n held-out variants. Better than gold is a success.
"""

import math
from collections.abc import Mapping

from rexbench.errors import SystemFault
from rexbench.record.model import Execution, FigureVerdict
from rexbench.task.schema import Figure, TaskSpec

FALSE_REJECTION = 0.05


def accepted_from(spec: TaskSpec) -> float:
    """The mean score from which on a verdict is a success; gold itself where nothing was measured yet."""
    calibration = spec.calibration
    if calibration is None or not calibration.score_sd or calibration.degrees_of_freedom < 1:
        return 1.0 - 1e-6
    from rexbench.stats.distributions import student_quantile

    quantile = student_quantile(1 - FALSE_REJECTION, calibration.degrees_of_freedom)
    return 1.0 - quantile * calibration.score_sd * math.sqrt(2 / spec.held_out)


def on_scale(figure: Figure, value: float) -> float:
    """A figure as it is compared: more is better, and equal steps are equally hard."""
    if figure.scale == "log":
        value = math.log(max(value, 1e-300))
    return -value if figure.direction == "lower" else value


def score(figure: Figure, value: float, base: float, gold: float) -> float:
    """0 for base, 1 for gold; raises where gold is not better than base, which makes every score meaningless."""
    low, high = on_scale(figure, base), on_scale(figure, gold)
    if not high > low:
        raise SystemFault(f"gold's {figure.name} of {gold:g} is not better than the unchanged repository's {base:g} here.")
    return (on_scale(figure, value) - low) / (high - low)


def judge_figure(spec: TaskSpec, execution: Execution, base: Execution, gold: Execution) -> FigureVerdict:
    """The figure of an execution beside those of base and gold on the same worlds."""
    figure = spec.figure
    assert figure is not None
    value, low, high = (float(run.metrics[figure.name]) for run in (execution, base, gold))
    ceiling = gold.ceiling
    return FigureVerdict(
        name=figure.name,
        value=value,
        base=low,
        gold=high,
        ceiling=ceiling,
        score=score(figure, value, low, high),
        scale=figure.scale,
        share=None if ceiling is None else score(figure, value, low, ceiling),
        strata=_by_stratum(figure, execution.strata, base.strata, gold.strata),
        accepted_from=accepted_from(spec),
    )


def _by_stratum(
    figure: Figure, values: Mapping[str, float], base: Mapping[str, float], gold: Mapping[str, float]
) -> dict[str, float]:
    """Scores of the strata in which gold is better than base; the others say nothing."""
    found = {}
    for name in sorted(values.keys() & base.keys() & gold.keys()):
        low, high = on_scale(figure, base[name]), on_scale(figure, gold[name])
        if high > low:
            found[name] = (on_scale(figure, values[name]) - low) / (high - low)
    return found
