# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Run a patched copy of the repository on variants and print accuracy by number of operations for both models.

    python authoring/measure.py TREE 611 622 633 644 655

TREE is a copy of repo/ with a solution applied. Its data/ and output/ are replaced. Prints means and standard deviations over the variants.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

TASK = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TASK))
import variant  # noqa: E402

GROUPS = ("0", "1", "2", "3+", "1+", "all")


def end_states(data: Path) -> dict[str, list[set[str]]]:
    found = {}
    for line in (data / "scenarios.jsonl").read_text().splitlines():
        row = json.loads(line)
        state = [set(box) for box in row["boxes"]]
        for kind, thing, *boxes in row["operations"]:
            if kind != "put":
                state[boxes[0]].remove(thing)
            if kind != "remove":
                state[boxes[-1]].add(thing)
        found[row["id"]] = state
    return found


def accuracies(predictions: Path, truth: dict[str, list[set[str]]]) -> dict[str, float]:
    hits: dict[str, list[bool]] = {group: [] for group in GROUPS}
    for line in predictions.read_text().splitlines():
        row = json.loads(line)
        hit = row["predicted"] is not None and set(row["predicted"]) == truth[row["scenario"]][row["box"]]
        many = row["operations"]
        for group in (GROUPS[min(many, 3)], "all", *(["1+"] if many else [])):
            hits[group].append(hit)
    return {group: sum(values) / len(values) for group, values in hits.items()}


def main() -> None:
    tree, seeds = Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]]
    collected: dict[str, list[dict[str, float]]] = {"boxes-gpt": [], "boxes-vlm": []}
    for seed in seeds:
        for name in ("data", "output"):
            shutil.rmtree(tree / name, ignore_errors=True)
        (tree / "data").mkdir()
        variant.make(seed, tree / "data")
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
        subprocess.run(["bash", "run_eval.sh"], cwd=tree, check=True, env=environment, stdout=subprocess.DEVNULL)
        truth = end_states(tree / "data")
        for model, results in collected.items():
            results.append(accuracies(tree / "output" / model / "predictions.jsonl", truth))
            print(seed, model, " ".join(f"{group} {value:.3f}" for group, value in results[-1].items()), flush=True)
    for model, results in collected.items():
        for group in GROUPS:
            values = [result[group] for result in results]
            print(f"{model} {group}: {statistics.mean(values):.3f} ± {statistics.stdev(values) if len(values) > 1 else 0:.3f}")
    gaps = [a["1+"] - b["1+"] for a, b in zip(*collected.values(), strict=True)]
    print("text minus vision-language on 1+:", " ".join(f"{gap:+.3f}" for gap in gaps))


if __name__ == "__main__":
    main()
