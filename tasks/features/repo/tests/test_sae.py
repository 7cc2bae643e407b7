# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the baseline's parts promise."""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from extract import extract
from sae.autoencoder import Adam, train
from sae.config import Settings, load_settings
from sae.recovery import scores, unexplained
from sae.worlds import load_worlds


def toy(seed=0, features=10, channels=16):
    rng = np.random.default_rng(seed)
    directions = np.linalg.qr(rng.normal(size=(channels, channels)))[0][:features]
    codes = (rng.random((1500, features)) < 0.1) * rng.uniform(0.5, 1.5, (1500, features))
    return codes @ directions, codes


def test_adam_finds_the_bottom_of_a_bowl():
    point = np.array([3.0, -2.0])
    adam = Adam([point])
    for _ in range(500):
        adam.step([2 * point], 0.05)
    assert np.abs(point).max() < 0.05


def test_orthogonal_features_are_recovered_by_the_baseline():
    x, codes = toy()
    found = train(x, Settings()).encode(x)
    assert np.median(unexplained(found, np.arange(40), codes, np.arange(10)).min(1)) < 0.2


def test_topk_keeps_that_many_codes():
    x, _ = toy(1)
    assert ((train(x, Settings(active=3)).encode(x) > 0).sum(1) <= 3).all()


def test_a_feature_that_is_returned_scaled_and_moved_scores_one():
    _, codes = toy(2)
    floor = np.full(10, 0.01)
    assert np.allclose(scores(3 * codes[:, ::-1] + 1, np.arange(10), codes, np.arange(10), floor), 1)


def test_noise_scores_next_to_nothing():
    _, codes = toy(3)
    noise = np.random.default_rng(0).normal(size=(1500, 40))
    assert scores(noise, np.arange(40), codes, np.arange(10), np.full(10, 0.01)).max() < 0.02


def test_a_feature_of_two_codes_is_found_whatever_its_axes():
    rng = np.random.default_rng(4)
    true = rng.normal(size=(500, 2))
    turned = true @ np.linalg.qr(rng.normal(size=(2, 2)))[0]
    assert scores(turned, np.array([5, 5]), true, np.array([0, 0]), np.array([0.01])) == 1
    assert scores(turned, np.array([0, 1]), true, np.array([0, 0]), np.array([0.01])) < 0.5


def test_the_baseline_codes_every_token_of_a_public_world():
    world = next(load_worlds(ROOT / "data"))
    codes, groups = extract(world, load_settings(ROOT / "configs/baseline.yaml"))
    assert codes.shape == (len(world.x), 40) and np.isfinite(codes).all() and len(groups) == 40
