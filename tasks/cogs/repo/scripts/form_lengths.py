#!/usr/bin/env python
# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How long are the logical forms of each split? (Checked once: gen is longer only for pp_recursion.)

    python -m scripts.form_lengths
"""

from collections import Counter
from pathlib import Path

from cogs.examples import SPLITS, read_split, with_forms


def main() -> None:
    for split in SPLITS:
        examples = with_forms(read_split(Path("data"), split), Path("truth"), split) or []
        lengths = Counter(len(example.logical_form or []) for example in examples)
        print(split, " ".join(f"{length}:{count}" for length, count in sorted(lengths.items())))


if __name__ == "__main__":
    main()
