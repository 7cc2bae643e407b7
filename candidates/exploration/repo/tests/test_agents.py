# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.pop("REXBENCH_LABORATORY", None)

import numpy as np  # noqa: E402

from agents.controllers import Controller, reactive  # noqa: E402
from agents.tabular import Counts, solve  # noqa: E402
from agents.worlds import load_worlds  # noqa: E402
from episodes import Refused, connect  # noqa: E402
from evaluate import shares  # noqa: E402


class Tabular(unittest.TestCase):
    def test_the_best_action_leads_to_the_reward(self) -> None:
        chance = np.zeros((2, 2, 2))
        chance[:, 0, 0] = chance[:, 1, 1] = 1
        quality = solve(chance, np.array([[0.0, 0.0], [0.0, 1.0]]), 0.9)
        self.assertEqual(quality.argmax(axis=1).tolist(), [1, 1])

    def test_draws_are_distributions(self) -> None:
        chance, _ = Counts(4, 2).draw(np.random.default_rng(0))
        np.testing.assert_allclose(chance.sum(axis=2), 1.0)


class PublicWorlds(unittest.TestCase):
    def setUp(self) -> None:
        self.worlds = load_worlds(ROOT / "data")
        self.lab = connect({world.name: world.steps for world in self.worlds})

    def test_steps_are_counted_and_a_world_has_no_more_than_its_own(self) -> None:
        world = self.worlds[0]
        self.lab.begin(world.name)
        before = self.lab.door.left
        self.lab.act(world.name, [0, 0])
        self.assertEqual(self.lab.door.left, before - 2)
        self.lab.begin(world.name)
        with self.assertRaises(Refused):
            self.lab.act(world.name, [0] * world.steps)

    def test_an_action_that_is_none_is_refused(self) -> None:
        self.lab.begin(self.worlds[0].name)
        with self.assertRaises(Refused):
            self.lab.act(self.worlds[0].name, [99])

    def test_a_constant_action_earns_nothing(self) -> None:
        still: dict[str, Controller] = {world.name: reactive(np.zeros((world.tasks, world.observations), int)) for world in self.worlds}
        for group in shares(still, ROOT / "data", ROOT / "truth").values():
            self.assertLess(np.mean(list(group.values())), 0.1)


if __name__ == "__main__":
    unittest.main()
