# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Take one part out of gold at a time: edits to a tree with gold applied, each with the text that it replaces.

python ablate.py TREE PART      # edits TREE in place; then run it like any solution
"""

import sys
from pathlib import Path

CAMPAIGN, FAMILY, LATENT = "evolve/campaign.py", "evolve/family.py", "evolve/latent.py"
PARTS = {
    "couplings": (FAMILY, "sparsity: float = 6.0", "sparsity: float = 1e4"),
    "motifs": (CAMPAIGN, "find_motifs(world.homologs, wild, 3)", "[]"),
    "pocket": (CAMPAIGN, "        posterior.learn_pocket()\n", ""),
    "caution": (CAMPAIGN, "(0.7, 0.5, 0.35, 0.25, 0.2)", "(0.0, 0.0, 0.0, 0.0, 0.0)"),
    "dilution": (CAMPAIGN, "np.clip(np.round(np.exp(expected) / settings.brightness, 1), 1.0, 1000.0)", "np.ones(len(variants))"),
    "ladder": (CAMPAIGN, "(0.0, 0.5, 1.0, 1.0)", "(1.0, 1.0, 1.0, 1.0)"),
    "kinship": (LATENT, "KINSHIP = 0.5", "KINSHIP = 0.0"),
    "bench": (
        LATENT,
        "np.full(count, 0.4), np.full(2 * count, 0.35), [0.2]",
        "np.full(count, 0.01), np.full(2 * count, 0.01), [0.01]",
    ),
    "family": (CAMPAIGN, "fit_family(world.homologs, chemistry)", "fit_family(world.homologs[:2], chemistry)"),
}
"""File, text of gold, and what stands there without the part."""


def main() -> None:
    tree, part = Path(sys.argv[1]), sys.argv[2]
    name, before, after = PARTS[part]
    text = (tree / name).read_text()
    if before not in text:
        sys.exit(f"{name} does not hold {before!r}; is gold applied?")
    (tree / name).write_text(text.replace(before, after))


if __name__ == "__main__":
    main()
