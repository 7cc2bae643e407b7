# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What the baseline's parts promise."""

from pathlib import Path

import numpy as np
from experiments.delay_study import recordings
from sound.config import Settings, load_settings
from sound.correlation import correlate, delay
from sound.geometry import grid, pairs, travel
from sound.localise import by_delays, by_response, positions
from sound.skill import call_skill, event_skill
from sound.worlds import load_worlds

ROOT = Path(__file__).resolve().parent.parent
MICROPHONES = np.array([[1.0, 2.0], [18.0, 3.0], [10.0, 17.0], [3.0, 12.0], [16.0, 11.0], [9.0, 6.0]])


def test_a_delay_is_found_to_a_fraction_of_a_sample():
    rng = np.random.default_rng(0)
    audio = recordings(np.array([5.0, 5.0]), MICROPHONES, "noise", 0.01, rng)
    times = travel(np.array([[5.0, 5.0]]), MICROPHONES)[0]
    assert abs(delay(audio[0], audio[1], "none", 0.1) - times[0] + times[1]) < 1e-4


def test_the_correlation_of_a_signal_with_itself_peaks_at_zero():
    lags, values = correlate(np.random.default_rng(1).normal(size=200), np.random.default_rng(1).normal(size=200), "phat")
    assert lags[np.argmax(values)] == 0


def test_an_unknown_weighting_is_an_error_that_names_it():
    try:
        correlate(np.ones(8), np.ones(8), "loud")
    except ValueError as error:
        assert "loud" in str(error)
    else:
        raise AssertionError("accepted")


def test_six_recorders_make_fifteen_pairs_and_the_lattice_covers_the_field():
    assert len(pairs(6)) == 15 and grid(5.0).shape == (25, 2) and grid(5.0).max() == 20


def test_positions_of_a_clean_burst_are_found_by_delays_and_by_response():
    point = np.array([7.3, 12.1])
    audio = recordings(point, MICROPHONES, "noise", 0.02, np.random.default_rng(2))
    for method in (by_delays, by_response):
        assert np.hypot(*(method(audio, MICROPHONES, Settings()) - point)) < 0.1


def test_skill_is_one_at_the_floor_and_zero_at_the_level():
    assert call_skill(0.05, 0.05) == 1 and call_skill(6.0, 0.05) == 0 and call_skill(1e9, 0.05) == 0


def test_two_calls_are_matched_to_two_places_in_either_order():
    truth = np.array([[1.0, 2.0], [8.0, 9.0]])
    assert event_skill(truth[::-1], truth, np.array([0.1, 0.1])) == 1


def test_the_baseline_places_every_call_of_a_public_world():
    found = positions(next(load_worlds(ROOT / "data")), load_settings(ROOT / "configs/baseline.yaml"))
    assert found.shape == (10, 2, 2) and np.isfinite(found).all()
