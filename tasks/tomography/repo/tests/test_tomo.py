# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the baseline's parts promise."""

from pathlib import Path

import numpy as np
from tomo.config import Settings, load_settings
from tomo.fbp import filter_views, filtered_back_projection, ramp_kernel
from tomo.methods import reconstruct
from tomo.projector import SIDE, parallel, pixel_places
from tomo.scans import Scan, load_scans, sinogram
from tomo.sirt import sirt
from tomo.skill import error, skill

ROOT = Path(__file__).resolve().parent.parent


def disc(radius=6.0):
    x, y = pixel_places()
    return (np.hypot(x - 2, y + 1) < radius).astype(float).reshape(SIDE, SIDE) * 0.1


def test_every_view_holds_the_mass_of_the_image():
    views = (parallel(np.array([0.0, 30.0, 77.0]), 60) @ disc().ravel()).reshape(3, 60)
    assert np.allclose(views.sum(1), disc().sum())


def test_the_centre_of_mass_of_a_view_is_the_shadow_of_that_of_the_image():
    x, y = pixel_places()
    image = disc().ravel()
    place = np.arange(60) - 29.5
    for angle in (0.0, 41.0, 90.0):
        view = parallel(np.array([angle]), 60) @ image
        turn = np.deg2rad(angle)
        assert np.isclose(view @ place / view.sum(), (x @ image * np.cos(turn) + y @ image * np.sin(turn)) / image.sum())


def test_the_ramp_kernel_sums_to_nearly_nothing():
    assert abs(ramp_kernel(400).sum()) < 1e-3


def test_an_unknown_filter_is_refused():
    try:
        filter_views(np.zeros((2, 8)), "butter", 1.0)
    except ValueError as problem:
        assert "butter" in str(problem)
    else:
        raise AssertionError("accepted")


def test_both_methods_find_a_disc_from_an_ideal_scan():
    angles = np.arange(60) * 3.0
    views = (parallel(angles, 34) @ disc().ravel()).reshape(60, 34)
    assert error(filtered_back_projection(views, angles), disc()) < 0.3
    assert error(sirt(views, angles, 100), disc()) < 0.15


def test_counts_become_line_integrals():
    scan = Scan("one", np.array([0.0]), np.array([[1000.0, 367.879, 0.0]]), np.full(3, 1000.0))
    assert np.allclose(sinogram(scan)[0, :2], [0, 1], atol=1e-4) and np.isfinite(sinogram(scan)).all()


def test_skill_is_one_for_the_truth_and_zero_for_nonsense():
    assert skill(disc(), disc(), 0.03) == 1.0
    assert skill(disc() + 1e6, disc(), 0.03) == 0.0
    assert skill(np.full((SIDE, SIDE), disc().mean()), disc(), 0.03) == 0.0


def test_the_baseline_reconstructs_a_public_world():
    image = reconstruct(next(load_scans(ROOT / "data")), load_settings(ROOT / "configs/baseline.yaml"))
    assert image.shape == (SIDE, SIDE) and np.isfinite(image).all() and image.min() >= 0
    assert Settings().method == "fbp"
