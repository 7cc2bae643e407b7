# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.pop("REXBENCH_LABORATORY", None)

import numpy as np  # noqa: E402

from bench import Arm, Bench, Refused  # noqa: E402
from causal.linear import LinearModel, fit_linear, order_by_variance  # noqa: E402
from causal.skill import skill_by_query  # noqa: E402
from causal.worlds import load_worlds  # noqa: E402


class Models(unittest.TestCase):
    def test_an_effect_travels_along_a_chain(self) -> None:
        model = LinearModel(np.array([[0, 0, 0], [2.0, 0, 0], [0, 3.0, 0]]))
        effects = model.effects(np.array([1.0, np.nan, np.nan]), np.array([0, 0.5, 0]), np.zeros(3))
        np.testing.assert_allclose(effects, [1.0, 2.5, 7.5])

    def test_a_held_variable_does_not_listen_to_its_causes(self) -> None:
        model = LinearModel(np.array([[0, 0], [2.0, 0]]))
        np.testing.assert_allclose(model.effects(np.array([5.0, 1.0]), np.zeros(2), np.zeros(2)), [5.0, 1.0])

    def test_a_chain_with_equal_noise_is_ordered_and_fitted(self) -> None:
        noise = np.random.default_rng(0).normal(size=(4000, 3))
        a = noise[:, 2]
        b = a + noise[:, 0]
        sample = np.column_stack([b + noise[:, 1], b, a])
        self.assertEqual(order_by_variance(sample), [2, 1, 0])
        np.testing.assert_allclose(fit_linear(sample).weights, [[0, 1, 0], [0, 0, 1], [0, 0, 0]], atol=0.1)


class Laboratory(unittest.TestCase):
    def setUp(self) -> None:
        self.bench, self.world = Bench(), load_worlds(ROOT / "data")[0].name

    def test_a_batch_gives_readings_and_is_charged(self) -> None:
        control, held = self.bench.batch(self.world, [Arm(5), Arm(3, set={2: -1, 4: 1})])
        self.assertEqual((control.shape, held.shape), ((5, 8), (3, 8)))
        self.assertEqual(self.bench.left(self.world), 600 - 10 - 9 - 7)

    def test_a_world_has_its_share_and_no_more(self) -> None:
        for i in range(8):
            self.bench.batch(self.world, [Arm(24, set={i: 2}), Arm(24, push={i: 1})])
        self.assertEqual(self.bench.left(self.world), 600 - 8 * 66)
        with self.assertRaises(Refused):
            self.bench.batch(self.world, [Arm(40), Arm(40)])

    def test_doses_of_two_strengths_do_not_mix(self) -> None:
        with self.assertRaises(Refused):
            self.bench.batch(self.world, [Arm(5, set={2: -1, 4: 2})])


class Score(unittest.TestCase):
    def test_the_truth_scores_one_and_nothing_scores_little(self) -> None:
        world = load_worlds(ROOT / "data")[0]
        with np.load(ROOT / "truth" / f"{world.name}.npz") as kept:
            effects, spread = kept["effects"], kept["spread"]
        np.testing.assert_allclose(skill_by_query(effects, effects, spread, world.query_set), 1.0)
        self.assertLess(skill_by_query(0 * effects, effects, spread, world.query_set).mean(), 0.15)


if __name__ == "__main__":
    unittest.main()
