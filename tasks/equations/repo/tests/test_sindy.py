# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the baseline's parts promise."""

from pathlib import Path

import numpy as np

from sindy import ensemble
from sindy.config import load_settings
from sindy.derivatives import finite_difference, spline_smooth
from sindy.library import build, polynomial
from sindy.model import forecast
from sindy.regression import stlsq
from sindy.simulation import runge_kutta
from sindy.skill import run_errors, skill
from sindy.weak import weak_system
from sindy.worlds import load_worlds

ROOT = Path(__file__).resolve().parent.parent


def oscillator(t, x):
    return np.stack([x[..., 1], -x[..., 0]], -1)


def test_runge_kutta_follows_a_circle():
    times = np.linspace(0.1, 6.0, 60)
    path = runge_kutta(oscillator, np.array([[1.0, 0.0]]), times, 0.02, 10.0)[0]
    assert np.abs(path - np.column_stack([np.cos(times), -np.sin(times)])).max() < 1e-3


def test_an_equation_that_blows_up_stays_within_the_bound():
    path = runge_kutta(lambda t, x: x**3, np.array([[2.0, 1.0]]), np.linspace(0.1, 5, 50), 0.05, 7.0)
    assert np.isfinite(path).all() and np.abs(path).max() <= 7.0


def test_the_cubic_library_of_two_variables_has_ten_functions():
    library = polynomial(2, 3)
    assert len(library) == 10 and library(np.ones((4, 5, 2))).shape == (4, 5, 10)
    assert len(build(2, 1, (1.0, 2.0))) == 3 + 8


def test_thresholded_regression_finds_the_oscillator_from_clean_samples():
    t = np.linspace(0, 10, 400)
    x = np.column_stack([np.cos(t), -np.sin(t)]) * np.linspace(1, 1, 400)[:, None]
    library = polynomial(2, 1)
    weights = stlsq(library(x), finite_difference(t, x), 0.1)
    assert np.allclose(weights, [[0, 0], [0, -1], [1, 0]], atol=0.01)


def test_the_weak_form_bears_noise_that_slopes_do_not():
    t = np.linspace(0, 10, 300)
    library, true = polynomial(2, 1), np.array([[0, 0], [0, -1], [1, 0]])
    weak, strong = [], []
    for seed in range(6):
        x = np.column_stack([np.cos(t), -np.sin(t)]) + np.random.default_rng(seed).normal(0, 0.05, (300, 2))
        weak.append(np.abs(stlsq(*weak_system(t, x, library), 0.05) - true).max())
        strong.append(np.abs(stlsq(library(x), finite_difference(t, x), 0.05) - true).max())
    assert np.median(weak) < np.median(strong) / 2


def test_a_smoothing_spline_gives_slopes_closer_than_differences():
    rng = np.random.default_rng(1)
    t = np.sort(rng.uniform(0, 6, 80))
    x = np.column_stack([np.sin(t), np.cos(t)]) + rng.normal(0, 0.02, (80, 2))
    true = np.column_stack([np.cos(t), -np.sin(t)])
    assert np.abs(spline_smooth(t, x)[1] - true).mean() < np.abs(finite_difference(t, x) - true).mean()


def test_an_ensemble_drops_what_few_members_keep():
    fits = np.zeros((10, 2, 1))
    fits[:, 0], fits[:3, 1] = 2.0, 5.0
    assert ensemble.combine(fits).tolist() == [[2.0], [0.0]]


def test_skill_is_one_for_the_truth_and_zero_for_nonsense():
    rng = np.random.default_rng(2)
    truth = rng.normal(size=(5, 50, 2))
    assert skill(truth, truth, 0.002) == 1.0
    assert skill(truth + 1e6, truth, 0.002) == 0.0
    assert np.allclose(run_errors(truth + 1e6, truth), 3.0)


def test_the_baseline_forecasts_every_public_world():
    settings = load_settings(ROOT / "configs/baseline.yaml")
    world = next(load_worlds(ROOT / "data"))
    found = forecast(world, settings)
    assert found.shape == (len(world.new_start), len(world.new_t), 2) and np.isfinite(found).all()
