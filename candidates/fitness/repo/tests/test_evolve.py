# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.pop("REXBENCH_LABORATORY", None)

import numpy as np  # noqa: E402

from evaluate import world_scores  # noqa: E402
from evolve.libraries import random_mutants, recombine  # noqa: E402
from evolve.linear import fit_ridge  # noqa: E402
from evolve.profile import frequencies  # noqa: E402
from evolve.worlds import decode, encode, load_worlds  # noqa: E402
from plates import Refused, Well, connect  # noqa: E402
from laboratory import Landscape  # noqa: E402


class Libraries(unittest.TestCase):
    def test_random_mutants_differ_at_the_stated_number_of_sites(self) -> None:
        parent = np.zeros(12, dtype=np.int64)
        library = random_mutants(parent, 30, 3, np.random.default_rng(0))
        self.assertTrue(((library != parent).sum(axis=1) == 3).all())

    def test_crossovers_take_every_residue_from_a_parent(self) -> None:
        parents = np.array([[0] * 8, [1] * 8])
        self.assertLessEqual(set(np.unique(recombine(parents, 20, np.random.default_rng(0)))), {0, 1})


class Models(unittest.TestCase):
    def test_ridge_finds_an_additive_effect(self) -> None:
        rng = np.random.default_rng(0)
        variants = rng.integers(20, size=(400, 5))
        model = fit_ridge(variants, 2.0 * (variants[:, 1] == 7), 0.1)
        self.assertEqual(np.unravel_index(model.effects.argmax(), model.effects.shape), (1, 7))

    def test_profile_rows_are_distributions(self) -> None:
        np.testing.assert_allclose(frequencies(np.random.default_rng(0).integers(20, size=(9, 4))).sum(axis=1), 1.0)


class PublicWorlds(unittest.TestCase):
    def setUp(self) -> None:
        self.world = load_worlds(ROOT / "data")[0]
        self.lab = connect(ROOT / "data", ROOT / "truth")

    def test_encoding_goes_there_and_back(self) -> None:
        self.assertEqual(decode(encode([self.world.wild_type])[0]), self.world.wild_type)

    def test_a_protein_is_worth_four_plates_and_each_well_is_counted(self) -> None:
        for _ in range(self.world.rounds):
            readings = self.lab.assay(self.world.name, [Well(self.world.wild_type), Well(None)], heat=self.world.heat)
            self.assertEqual(len(readings), 24)
        with self.assertRaises(Refused):
            self.lab.assay(self.world.name, [Well(self.world.wild_type)])
        self.assertEqual(self.lab.left, 98 * 4 * 24 - 9)

    def test_a_plate_with_a_wrong_sequence_is_refused_and_paid(self) -> None:
        with self.assertRaises(Refused):
            self.lab.assay(self.world.name, [Well("XYZ"), Well(None)])
        self.assertEqual(self.lab.left, 98 * 4 * 24 - 2)

    def test_the_wild_type_scores_nothing_and_the_best_known_scores_one(self) -> None:
        worlds = load_worlds(ROOT / "data")
        best = {world.name: [decode(v) for v in Landscape(ROOT / "truth" / f"{world.name}.npz").parts["best"]] for world in worlds}
        wild = {world.name: [world.wild_type] * 3 for world in worlds}
        for nominated, expected in ((best, 1.0), (wild, 0.0)):
            for stratum in world_scores(nominated, ROOT / "data", ROOT / "truth").values():
                np.testing.assert_allclose(list(stratum.values()), expected, atol=1e-4)

    def test_too_many_substitutions_are_refused(self) -> None:
        far = "".join("A" if letter != "A" else "C" for letter in self.world.wild_type)
        with self.assertRaises(ValueError):
            world_scores({self.world.name: [far] * 3}, ROOT / "data", ROOT / "truth")


if __name__ == "__main__":
    unittest.main()
