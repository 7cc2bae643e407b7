# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the baseline's parts promise."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from attribution.config import Settings, load_settings
from attribution.datamodel import left_out_errors, predict_datamodel
from attribution.influence import influences, predict_influence
from attribution.lasso import lasso
from attribution.methods import predict
from attribution.plain import columns, ridge_regression, train
from attribution.skill import errors, skill
from attribution.worlds import load_world, load_worlds

ROOT = Path(__file__).resolve().parent.parent


def a_world():
    return load_world(ROOT / "data" / "world_00.npz")


def test_columns_are_standardised_over_the_subset():
    world = a_world()
    subset = world.subsets[0]
    table = columns(world, subset)[: world.train][subset]
    assert np.allclose(table.mean(0), 0) and np.allclose(table.std(0)[table.std(0) > 1e-6], 1)


def test_ridge_regression_without_a_ridge_fits_a_line():
    x = np.random.default_rng(0).normal(size=(20, 2))
    weights, intercept = ridge_regression(x, x @ [1.0, -2.0] + 3.0, 1e-9)
    assert np.allclose(weights, [1, -2]) and np.isclose(intercept, 3)


def test_margins_depend_on_the_subset_alone():
    world = a_world()
    assert np.array_equal(train(world, world.subsets[0]), train(replace(world, margins=world.margins * 0), world.subsets[0]))


def test_left_out_errors_are_those_of_leaving_out():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(12, 4)), rng.normal(size=(12, 1))
    short = []
    for at in range(12):
        keep = np.arange(12) != at
        centre, mean = x.mean(0), y.mean(0)
        # The closed form keeps the centre of all records, as the prediction does up to the leverage of the mean.
        weights, intercept = ridge_regression(x[keep], y[keep, 0], 2.0)
        short.append((y[at, 0] - x[at] @ weights - intercept) ** 2)
        assert centre.shape == (4,) and mean.shape == (1,)
    assert np.isclose(left_out_errors(x, y, [2.0])[0, 0], np.mean(short), rtol=0.02)


def test_an_influence_is_near_to_leaving_out_one_row():
    world = replace(a_world(), numbers=np.nan_to_num(a_world().numbers))
    whole, effect = influences(world, 10.0)
    rows = []
    for row in range(world.train):
        subset = np.ones(world.train, bool)
        subset[row] = False
        rows.append(whole - train(world, subset, 10.0))
    assert np.corrcoef(np.array(rows).ravel(), effect.ravel())[0, 1] > 0.8


def test_a_datamodel_finds_a_linear_truth_from_many_records():
    world = a_world()
    rng = np.random.default_rng(2)
    masks = rng.random((400, world.train)) < 0.5
    weights = rng.normal(size=(world.train, 8))
    made = replace(world, subsets=masks, margins=masks @ weights)
    assert errors(predict_datamodel(made, [0.01]), world.asked @ weights).max() < 0.05


def test_a_strong_lasso_keeps_nothing_and_a_weak_one_fits():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(50, 3))
    x -= x.mean(0)
    y = x @ [2.0, 0.0, -1.0]
    assert not lasso(x, y, 1e6).any() and np.allclose(lasso(x, y, 1e-9), [2, 0, -1], atol=1e-4)


def test_skill_is_one_for_the_truth_and_zero_for_a_constant():
    true = np.random.default_rng(3).normal(size=(32, 8))
    assert skill(true, true, 0.02) == 1.0
    assert skill(np.full((32, 8), true.mean()), true, 0.02) == 0.0


def test_both_methods_predict_public_worlds():
    world = next(load_worlds(ROOT / "data"))
    for name in ("baseline", "influence", "lasso"):
        margins = predict(world, load_settings(ROOT / "configs" / f"{name}.yaml"))
        assert margins.shape == (len(world.asked), 8) and np.isfinite(margins).all()
    assert Settings().method == "datamodel" and np.isfinite(predict_influence(world, calibrate=False)).all()


def test_an_unknown_method_is_refused():
    try:
        predict(a_world(), Settings(method="guess"))
    except ValueError as problem:
        assert "guess" in str(problem)
    else:
        raise AssertionError("accepted")
