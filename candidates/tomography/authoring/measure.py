# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of the unchanged repository and of patches on fresh worlds, by stratum.

    python authoring/measure.py --seeds 101 102 --patches none vault/gold.patch vault/ideas/total_variation.patch --jobs 8

Patches run here unsandboxed: this is for the author's own patches. Data only; truth and papers are taken away as for a verdict.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

from rexbench.evaluation.reading import BrokenContract

TASK = Path(__file__).resolve().parent.parent


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TASK / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run(patch: str, data: Path, truth: Path, folder: Path, judge: ModuleType) -> str:
    """One line: figure, CPU seconds, skill by stratum."""
    tree = folder / "tree"
    shutil.copytree(TASK / "repo", tree)
    if patch != "none":
        subprocess.run(["git", "apply", str(Path(patch).resolve())], cwd=tree, check=True)
    for name in ("data", "truth", "papers"):
        shutil.rmtree(tree / name, ignore_errors=True)
    shutil.copytree(data, tree / "data")
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    timed = "import os, subprocess as s, sys; c = s.call(['bash', 'run_reconstruct.sh']); print(sum(os.times()[2:4])); sys.exit(c)"
    ended = subprocess.run(
        [sys.executable, "-c", timed], cwd=tree, env={**os.environ, "PATH": search}, capture_output=True, text=True
    )
    if ended.returncode:
        return f"failed: {ended.stderr.strip().splitlines()[-1]}"
    seconds = float(ended.stdout.split()[-1])
    try:
        strata = judge.strata(tree, data, truth)
    except BrokenContract as refusal:
        return f"refused: {refusal}"
    return f"{sum(strata.values()) / len(strata):.4f}  cpu {seconds:.0f}  " + " ".join(f"{value:.2f}" for value in strata.values())


def measure(seed: int, patches: list[str], variant: ModuleType, judge: ModuleType) -> None:
    """All patches on the worlds of one seed."""
    with tempfile.TemporaryDirectory() as name:
        data, truth = Path(name) / "data", Path(name) / "truth"
        data.mkdir()
        truth.mkdir()
        variant.make(seed, data, truth)
        for patch in patches:
            with tempfile.TemporaryDirectory() as folder:
                print(seed, Path(patch).stem, run(patch, data, truth, Path(folder), judge), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(101, 111)))
    parser.add_argument("--patches", nargs="+", default=["none", str(TASK / "vault/gold.patch")])
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    variant, judge = _load("variant"), _load("judge")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for done in [pool.submit(measure, seed, arguments.patches, variant, judge) for seed in arguments.seeds]:
            done.result()


if __name__ == "__main__":
    main()
