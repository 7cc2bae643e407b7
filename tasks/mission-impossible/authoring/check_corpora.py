# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Perturbed test corpora of every patch over many variants, without any training.

    python authoring/check_corpora.py --variants 20

Needs the unsealed vault beside it, git, and an interpreter with nltk and pyyaml. Prints, per patch, how many sentences differ
from gold's: least and most over the variants. Gold and alternatives must show 0 and 0; a near miss of the corpus at least 1.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TASK = Path(__file__).resolve().parent.parent
DUMP = """
import sys
from pathlib import Path
from impossible.corpus import load_split, write_texts
from impossible.languages import get_language
for number in sys.argv[2:]:
    texts = load_split(Path(sys.argv[1], number), "test", get_language("structural"))
    write_texts(texts, Path("dump", number + ".tsv"))
"""


def make_variants(numbers: list[int], folder: Path) -> None:
    spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
    variant = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(variant)
    for number in numbers:
        (folder / str(number)).mkdir(parents=True)
        variant.make(number, folder / str(number))


def corpora(patch: Path, data: Path, numbers: list[int], folder: Path) -> list[list[str]]:
    tree = folder / patch.stem
    shutil.copytree(TASK / "repo", tree)
    subprocess.run(["git", "apply", str(patch)], cwd=tree, check=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder)})
    subprocess.run([sys.executable, "-c", DUMP, str(data), *map(str, numbers)], cwd=tree, check=True)
    return [(tree / "dump" / f"{number}.tsv").read_text(encoding="utf-8").splitlines() for number in numbers]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variants", type=int, default=20)
    numbers = list(range(1000, 1000 + parser.parse_args().variants))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_variants(numbers, folder / "data")
        gold = corpora(TASK / "vault/gold.patch", folder / "data", numbers, folder)
        for patch in sorted((TASK / "vault").glob("*/*.patch")):
            found = corpora(patch, folder / "data", numbers, folder)
            differ = [sum(a != b for a, b in zip(x, y, strict=True)) for x, y in zip(found, gold, strict=True)]
            print(f"{patch.parent.name}/{patch.stem:<18} sentences unlike gold: {min(differ):3d} to {max(differ):3d}", flush=True)


if __name__ == "__main__":
    main()
