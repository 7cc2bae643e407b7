# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the baseline's parts promise."""

import tempfile
from pathlib import Path

import numpy as np
from experiments.barrier import random_network, shuffled
from merging.arithmetic import elected, flat, merge, trimmed, unflat
from merging.config import load_settings
from merging.matching import match
from merging.networks import activate, resized
from merging.score import relative_error, skill
from merging.worlds import load_worlds, read_networks, save_networks

ROOT = Path(__file__).resolve().parent.parent


def test_matching_undoes_a_shuffle():
    rng = np.random.default_rng(1)
    network = random_network(rng, "tanh")
    assert np.allclose(flat(match(shuffled(network, rng), network)), flat(network))


def test_a_shuffle_keeps_the_function():
    rng = np.random.default_rng(2)
    network, x = random_network(rng, "leaky"), rng.normal(size=(50, 8))
    assert np.allclose(shuffled(network, rng)(x), network(x))


def test_a_network_comes_back_from_its_vector():
    network = random_network(np.random.default_rng(3), "tanh")
    assert np.array_equal(flat(unflat(flat(network), network)), flat(network))


def test_units_of_zeros_do_not_change_outputs():
    rng = np.random.default_rng(4)
    network, x = random_network(rng, "tanh"), rng.normal(size=(50, 8))
    assert np.allclose(resized(network, (8, 15, 14, 3))(x), network(x))


def test_ties_averages_those_that_agree_in_sign():
    assert np.allclose(elected(np.array([[1.0, -1.0], [3.0, -2.0], [-1.0, 0.5]])), [2.0, -1.5])


def test_trimming_keeps_the_largest():
    assert trimmed(np.array([[1.0, -5.0, 2.0, 0.5]]), 0.25).tolist() == [[0.0, -5.0, 0.0, 0.0]]


def test_skill_is_one_for_the_truth_and_zero_for_nonsense():
    wanted = np.random.default_rng(5).normal(size=(400, 3))
    assert skill(wanted, wanted, 0.01) == 1.0
    assert skill(wanted + 1e6, wanted, 0.01) == 0.0
    assert np.isclose(relative_error(wanted + 1e6, wanted), 3.0)


def test_an_unknown_activation_is_refused():
    try:
        activate("swish", np.zeros(3))
    except ValueError as error:
        assert "swish" in str(error)
    else:
        raise AssertionError("swish was taken")


def test_the_baseline_merges_every_public_world_to_the_wanted_size():
    settings = load_settings(ROOT / "configs/baseline.yaml")
    worlds = list(load_worlds(ROOT / "data"))[:6]
    networks = [merge(world, settings) for world in worlds]
    with tempfile.TemporaryDirectory() as folder:
        save_networks(Path(folder) / "networks.npz", networks)
        again = read_networks(Path(folder) / "networks.npz", worlds)
    assert [network.sizes for network in again] == [world.sizes for world in worlds]
