"""The difficulty regression against statsmodels."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from rexbench.stats.difficulty import difficulty_regression


def made_up() -> pd.DataFrame:
    generator = np.random.default_rng(5)
    rows = [(agent, task, run) for agent in range(6) for task in range(12) for run in range(5)]
    frame = pd.DataFrame(rows, columns=["agent", "task", "run"])
    frame["lines"] = generator.integers(10, 200, 12)[frame.task] / 10
    frame["files"] = generator.integers(1, 9, 12)[frame.task]
    chance = np.clip(0.6 - 0.03 * frame.lines + 0.05 * frame.agent, 0, 1)
    frame["success"] = (generator.random(len(frame)) < chance).astype(float)
    return frame


def test_slopes_and_errors_agree_with_statsmodels() -> None:
    frame = made_up()
    ours = difficulty_regression(frame.success, frame[["lines", "files"]].to_numpy(float), frame.agent, frame.task)
    model = smf.ols("success ~ 0 + lines + files + C(agent)", frame)
    theirs = model.fit(cov_type="cluster", cov_kwds={"groups": frame.task}, use_t=True)
    for coefficient, name in zip(ours, ["lines", "files"], strict=True):
        assert coefficient.value == pytest.approx(theirs.params[name])
        assert coefficient.standard_error == pytest.approx(theirs.bse[name])
        assert coefficient.p == pytest.approx(theirs.pvalues[name])
    assert ours[0].value == pytest.approx(-0.03, abs=0.01)


def test_in_a_full_design_the_slopes_are_those_of_the_mixed_model() -> None:
    frame = made_up()
    ours = difficulty_regression(frame.success, frame[["lines", "files"]].to_numpy(float), frame.agent, frame.task)
    mixed = smf.mixedlm("success ~ lines + files", frame, groups=frame.agent).fit()
    assert [each.value for each in ours] == pytest.approx([mixed.params["lines"], mixed.params["files"]], abs=1e-4)
