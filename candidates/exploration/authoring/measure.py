# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of the unchanged repository and of patches on fresh worlds, by stratum.

    python authoring/measure.py --seeds 101 102 --patches none vault/gold.patch vault/ideas/rmax.patch --jobs 8

Patches run here unsandboxed: this is for the author's own patches. Data only; truth and papers are taken away as for a verdict.
"""

import argparse
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
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


SERVE = """
import sys, socket, threading
from pathlib import Path
sys.path.insert(0, str(Path(sys.argv[1])))
from lab import Meter, load_world
here, address, share = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
import json
worlds = json.loads((here / "data" / "worlds.json").read_text())["worlds"]
budget = int(share * sum(world["steps"] for world in worlds))
meter = Meter(load_world(here / "laboratory.py", here / "data", here / "truth", budget), budget)
server = socket.socket(socket.AF_UNIX)
server.bind(address)
server.listen()
print("ready", flush=True)
connection, _ = server.accept()
stream = connection.makefile("rwb")
for line in stream:
    stream.write(meter.reply(line.rstrip(b"\\n")).encode() + b"\\n")
    stream.flush()
"""
"""A laboratory for one run, in a process of its own, so that the run has no truth beside it."""


def run(patch: str, data: Path, truth: Path, folder: Path, judge: ModuleType, share: float) -> str:
    """One line: figure, CPU seconds, mastery by stratum. `share` scales the budget of every world."""
    tree, bench = folder / "tree", folder / "bench"
    shutil.copytree(TASK / "repo", tree)
    if patch != "none":
        subprocess.run(["git", "apply", str(Path(patch).resolve())], cwd=tree, check=True)
    for name in ("data", "truth", "papers"):
        shutil.rmtree(tree / name)
    bench.mkdir()
    shutil.copytree(truth, bench / "truth")
    for name in ("lab.py", "laboratory.py"):
        shutil.copy(TASK / "repo" / name, bench / name)
    shutil.copytree(data, bench / "data")
    shutil.copytree(data, tree / "data")
    described = json.loads((data / "worlds.json").read_text())
    for world in described["worlds"]:
        world["steps"] = int(world["steps"] * share)
    (tree / "data" / "worlds.json").write_text(json.dumps(described))
    address = str(folder / "lab.sock")
    server = subprocess.Popen([sys.executable, "-c", SERVE, str(bench), address, str(share)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    server.stdout.readline()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": search, "REXBENCH_LABORATORY": address}
    ended = subprocess.run(["bash", "run.sh"], cwd=tree, env=environment, capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    server.kill()
    server.wait()
    if ended.returncode:
        return f"failed: {ended.stderr.strip().splitlines()[-1]}"
    figure = judge.metrics(tree, data, truth)["mastery"]
    strata = " ".join(f"{value:.2f}" for value in judge.strata(tree, data, truth).values())
    return f"{figure:.4f}  cpu {seconds:.0f}  {strata}"


def measure(seed: int, patches: list[str], share: float) -> list[str]:
    """The lines of one seed."""
    variant, judge = _load("variant"), _load("judge")
    with tempfile.TemporaryDirectory() as name:
        data, truth = Path(name) / "data", Path(name) / "truth"
        data.mkdir()
        truth.mkdir()
        variant.make(seed, data, truth)
        lines = []
        for patch in patches:
            with tempfile.TemporaryDirectory() as folder:
                lines.append(f"{seed} {Path(patch).stem} {run(patch, data, truth, Path(folder), judge, share)}")
                print(lines[-1], flush=True)
        return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(101, 111)))
    parser.add_argument("--patches", nargs="+", default=["none", str(TASK / "vault/gold.patch")])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the steps of every world")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        list(pool.map(measure, arguments.seeds, *zip(*[(arguments.patches, arguments.share)] * len(arguments.seeds), strict=True)))


if __name__ == "__main__":
    main()
