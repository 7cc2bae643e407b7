# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of fidelity.md: the base finding and the extension's effect, over variant seeds.

    python authoring/measure.py vault/gold.patch SEED [SEED ...]

Runs the patched repository in a temporary folder, unsandboxed, with the interpreter that runs this script (needs radon, pyyaml, git).
"""

import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

TASK = Path(__file__).resolve().parents[1]
spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
variant = importlib.util.module_from_spec(spec)
sys.modules["variant"] = variant
spec.loader.exec_module(variant)


def run(tree: Path, *command: str) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True, env={**os.environ, "PATH": path}).stdout


patch, seeds = Path(sys.argv[1]).resolve(), [int(seed) for seed in sys.argv[2:]]
figures: dict[str, list[float]] = defaultdict(list)
for seed in seeds:
    with tempfile.TemporaryDirectory() as top:
        tree = Path(top) / "tree"
        shutil.copytree(TASK / "repo", tree, ignore=shutil.ignore_patterns("data"))
        (tree / "data").mkdir()
        variant.make(seed, tree / "data")
        env_patch = ["git", "apply", "--whitespace=nowarn", str(patch)]
        subprocess.run(env_patch, cwd=tree, check=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": top})
        gains = defaultdict(list)
        for line in run(tree, "bash", "run_difficulty.sh").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 6 and cells[1] in ("hard", "medium", "easy"):
                gains[cells[1]].append(float(cells[5]))
        for tercile, values in gains.items():
            figures[f"gain on the {tercile} tercile"].append(statistics.mean(values))
        run(tree, "bash", "run_posthoc.sh", "--cc", "--threshold", "6")
        for heuristic in ("lines", "chars"):
            for pair in variant.PAIRS:
                run(tree, sys.executable, "-m", "ett.cli", "select", "--pair", pair, "--heuristic", heuristic)
        rates, margin = defaultdict(list), []
        for pair in variant.PAIRS:
            result = json.loads((tree / "translation_results" / f"{pair}.json").read_text())["pass@1"]
            for policy, value in result.items():
                rates["cc" if policy == "selected" else policy].append(100 * value)
            margin.append(100 * (result["selected"] - max(result["direct"], result["explained"])))
            for heuristic in ("lines", "chars"):
                old = json.loads((tree / "posthoc_results" / heuristic / f"{pair}.json").read_text())
                rates[heuristic].append(100 * old["rates"]["pass@1"]["selected"])
        for policy, values in rates.items():
            figures[f"pass@1 {policy}"].append(statistics.mean(values))
        never, always = statistics.mean(rates["direct"]), statistics.mean(rates["explained"])
        figures["relative gain of always over never, %"].append(100 * (always / never - 1))
        figures["cc minus the better constant policy, smallest of five pairs"].append(min(margin))
for name, values in figures.items():
    print(f"{name}: mean {statistics.mean(values):.2f} sd {statistics.stdev(values):.2f}  {[round(v, 1) for v in values]}")
