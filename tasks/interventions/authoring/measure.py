# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of the unchanged repository and of patches on fresh worlds, by stratum.

    python authoring/measure.py --seeds 101 102 --patches none vault/gold.patch vault/ideas/toolbox.patch --jobs 2 [--budget 0.5]

Patches run here unsandboxed, the laboratory in their own process: this is for the author's own patches. `--tree` measures a working copy in place of patches.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

TASK = Path(__file__).resolve().parent.parent


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TASK / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run(patch: str, data: Path, truth: Path, folder: Path, judge: ModuleType, budget: float) -> str:
    """One line: figure, CPU seconds, skill by stratum."""
    tree = folder / "tree"
    source = Path(patch) if patch != "none" and Path(patch).is_dir() else TASK / "repo"
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns("data", "truth", "papers", "results", "__pycache__"))
    if source == TASK / "repo" and patch != "none":
        subprocess.run(["git", "apply", str(Path(patch).resolve())], cwd=tree, check=True)
    shutil.copytree(data, tree / "data")
    shutil.copytree(truth, tree / "truth")
    client = tree / "lab.py"
    client.write_text(re.sub(r"\nBUDGET = (\d+)", lambda found: f"\nBUDGET = {round(int(found[1]) * budget)}", client.read_text()))
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    timed = ["bash", "-c", "TIMEFORMAT=%U; time bash run_effects.sh"]
    ended = subprocess.run(timed, cwd=tree, env={**os.environ, "PATH": search}, capture_output=True, text=True)
    lines = ended.stderr.strip().splitlines()
    if ended.returncode:
        return "failed: " + " | ".join(lines[-4:])
    figure = judge.metrics(tree, data, truth)["skill"]
    strata = " ".join(f"{value:.2f}" for value in judge.strata(tree, data, truth).values())
    return f"{figure:.4f}  cpu {float(lines[-1]):.1f}  {strata}"


def _seed(seed: int, patches: list[str], budget: float) -> None:
    variant, judge = _load("variant"), _load("judge")
    with tempfile.TemporaryDirectory() as name:
        data, truth = Path(name) / "data", Path(name) / "truth"
        data.mkdir()
        truth.mkdir()
        variant.make(seed, data, truth)
        for patch in patches:
            with tempfile.TemporaryDirectory() as folder:
                print(seed, Path(patch).stem, run(patch, data, truth, Path(folder), judge, budget), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(101, 111)))
    parser.add_argument("--patches", nargs="+", default=["none", str(TASK / "vault/gold.patch")])
    parser.add_argument("--budget", type=float, default=1.0, help="factor on the laboratory's budget")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.jobs == 1:
        for seed in arguments.seeds:
            _seed(seed, arguments.patches, arguments.budget)
        return
    same = ["--patches", *arguments.patches, "--budget", str(arguments.budget)]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for _ in pool.map(lambda seed: subprocess.run([sys.executable, __file__, "--seeds", str(seed), *same]), arguments.seeds):
            pass


if __name__ == "__main__":
    main()
