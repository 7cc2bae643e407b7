# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Figures of fidelity.md, from the patched repository on fresh variants.

    python authoring/measure.py figures vault/gold.patch 11 12 13 14 15 [--checkpoint FILE]
    python authoring/measure.py margins vault/gold.patch 1000 1001 1002 ...

`figures`: base finding and extension. `margins`: how much each plausible mistake changes, so that none can pass by luck. Runs
unsandboxed in a temporary folder; needs git and an interpreter with numpy, safetensors and pyyaml.
"""

import argparse
import importlib.util
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

TASK = Path(__file__).resolve().parents[1]
spec = importlib.util.spec_from_file_location("variant", TASK / "variant.py")
variant = importlib.util.module_from_spec(spec)
sys.modules["variant"] = variant
spec.loader.exec_module(variant)

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=("figures", "margins"))
parser.add_argument("patch", type=Path)
parser.add_argument("seeds", type=int, nargs="+")
parser.add_argument("--checkpoint", type=Path)
options = parser.parse_args()
patch = options.patch.resolve()
checkpoint = options.checkpoint.resolve() if options.checkpoint else None

top = tempfile.TemporaryDirectory()
tree = Path(top.name) / "tree"
shutil.copytree(TASK / "repo", tree, ignore=shutil.ignore_patterns("data", "results", "__pycache__"))
subprocess.run(["git", "apply", str(patch)], cwd=tree, check=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": top.name})
if checkpoint:
    shutil.copy(checkpoint, tree / "checkpoints" / "student.safetensors")
os.chdir(tree)
sys.path.insert(0, str(tree))

from tot import select  # noqa: E402
from tot.agreement import FirstStep, choose, run_conditions, solved_first_steps, summarise  # noqa: E402
from tot.answers import is_right, is_solved, system_output  # noqa: E402
from tot.config import load_config  # noqa: E402
from tot.game import combine, format_numbers, parse_numbers  # noqa: E402
from tot.logs import counted_records, first_choice, first_proposals, read_log, read_puzzles  # noqa: E402
from tot.search import is_solved as found_24  # noqa: E402
from tot.search import solve  # noqa: E402
from tot.thoughts import distinct_states, is_legal, list_thoughts  # noqa: E402
from tot.values import build_evaluator, build_student_evaluator, get_values, open_cache  # noqa: E402


def figures(found: dict[str, list[float]]) -> None:
    config = load_config(Path("configs/game24.yaml"))
    summary = summarise(run_conditions(config, solved_first_steps(config)))
    for votes, breadth, _, precision, _ in summary:
        found[f"precision, {votes} votes, breadth {breadth}"].append(precision)
    found["chance"].append(summary[0][4])
    found["solved games"].append(summary[0][2])
    puzzles = read_puzzles(config.puzzles)
    for name, warm in (("random", None), ("student alone", False), ("warm start", True)):
        for breadth in config.breadths:
            evaluator = None if warm is None else build_evaluator(replace(config, warm_start=warm))
            rng = random.Random(0)
            found[f"search, {name}, breadth {breadth}"].append(
                sum(found_24(solve(puzzle.numbers, evaluator, breadth, rng)) for puzzle in puzzles) / len(puzzles)
            )


def quick_look(answer: str, numbers: str) -> bool:
    made = answer.split("=")[0]
    try:
        return set(re.findall(r"\d+", made)) <= set(numbers.split()) and abs(eval(made) - 24) < 1e-6
    except (SyntaxError, ZeroDivisionError, NameError):
        return False


def float_equal(answer: str) -> bool:
    try:
        return eval(answer.split("=")[0]) == 24
    except (SyntaxError, ZeroDivisionError, NameError):
        return False


def lenient(answer: str, numbers: str) -> bool:
    """Right for whoever lets Python calculate and compares numbers as numbers."""
    made = answer.split("=")[0]
    try:
        used = map(float, re.findall(r"\d+(?:\.\d+)?", made))
        return sorted(used) == sorted(map(float, numbers.split())) and abs(eval(made) - 24) < 1e-6
    except (SyntaxError, ZeroDivisionError, NameError):
        return False


def left_alone(thought, numbers) -> bool:
    return tuple(sorted(thought.left)) in {other.left for other in list_thoughts(numbers)}


def any_result(thought, numbers) -> bool:
    return is_legal(replace(thought, result=combine(thought.a, thought.operator, thought.b)), numbers)


def any_operands(thought, numbers) -> bool:
    right = combine(thought.a, thought.operator, thought.b) == thought.result
    return right and thought.result in thought.left and left_alone(thought, numbers)


def margins(found: dict[str, list[float]]) -> None:
    config = load_config(Path("configs/game24.yaml"))
    records = counted_records(config.teacher_log)
    solved = {r["idx"] for r in records if is_solved(r, config.labels)}

    def subset(name: str, test) -> None:
        found[f"games: {name}"].append(len(solved ^ {r["idx"] for r in records if test(r)}))

    def best(record):
        return system_output(record, config.labels)

    def made_right(output, record):
        return is_right(output["answer"], parse_numbers(record["input"]))

    subset("the teacher's verdict", lambda r: r["r"] == 1)
    subset("any output", lambda r: any(is_right(o["answer"], parse_numbers(r["input"])) for o in r["outputs"]))
    subset("first output", lambda r: is_right(r["outputs"][0]["answer"], parse_numbers(r["input"])))
    subset("quick look", lambda r: quick_look(best(r), r["input"]))
    subset("floating point", lambda r: r["idx"] in solved and float_equal(best(r)))
    subset("powers allowed", lambda r: r["idx"] in solved or ("**" in best(r) and quick_look(best(r), r["input"])))
    for name, form in (("whole division", r"//"), ("signs", r"-[\d(]"), ("decimals", r"\.")):
        subset(
            f"{name} allowed",
            lambda r, form=form: r["idx"] in solved or (re.search(form, best(r).split("=")[0]) and lenient(best(r), r["input"])),
        )
    subset("a claim of 24 needed", lambda r: r["idx"] in solved and best(r).endswith("= 24"))
    ranks = sorted(config.labels, key=config.labels.__getitem__)
    for name, order in (
        ("number of votes for sure", lambda votes: votes.count("sure")),
        ("majority", lambda votes: ranks.index(max(votes, key=votes.count))),
        ("sum of ranks", lambda votes: sum(map(ranks.index, votes))),
    ):
        subset(
            f"output by {name}",
            lambda r, order=order: made_right(max(r["outputs"], key=lambda o: order(o["votes"])), r),
        )
    subset("all votes must be sure", lambda r: r["idx"] in solved and any(set(o["votes"]) == {"sure"} for o in r["outputs"]))
    subset("all games", lambda r: True)
    first = {}
    for r in read_log(config.teacher_log):
        if r["status"] == "complete":
            first.setdefault(r["idx"], r)
    steps = {r["idx"]: FirstStep(r["idx"], *_sets(r)) for r in records if r["idx"] in solved}
    found["games: first complete record has other options"].append(sum(_sets(first[i])[0] != s.proposed for i, s in steps.items()))
    found["games: fewer than five options"].append(sum(len(s.proposed) < 5 for s in steps.values()))

    evaluators = {votes: build_student_evaluator(config, votes) for votes in (1, 3)}
    open_cache.cache_clear()
    warm = build_evaluator(config)
    changed: dict[str, int] = defaultdict(int)
    raw = {r["idx"]: r for r in records}
    for idx, step in steps.items():
        numbers = parse_numbers(raw[idx]["input"])
        thoughts = first_proposals(raw[idx])
        changed["more states by text than by numbers"] += len({t.line() for t in thoughts if is_legal(t, numbers)}) > len(
            step.proposed
        )
        for name, test in (
            ("by what is left only", left_alone),
            ("without the stated result", any_result),
            ("without the operands", any_operands),
        ):
            loose = {format_numbers(sorted(t.left)) for t in thoughts if test(t, numbers)}
            changed[f"games with other options: legal {name}"] += loose != set(step.proposed)
        first = {}
        for t in thoughts:
            first.setdefault(format_numbers(sorted(t.left)), t)
        late = [state for state, t in first.items() if is_legal(t, numbers)]
        changed["games with other options: legality after duplicates"] += late != step.proposed
        unchecked = {format_numbers(sorted(t.left)) for t in first_choice(raw[idx])}
        changed["games with other kept options: legality unchecked"] += bool((unchecked - step.kept).intersection(step.proposed))
        written = {}
        for t in thoughts:
            if is_legal(t, numbers):
                written.setdefault(format_numbers(sorted(t.left)), format_numbers(t.left))
        for votes, evaluator in evaluators.items():
            for breadth in (1, 3, 5):
                right = set(choose(step, evaluator, breadth))
                values = get_values(evaluator, step.proposed)
                by_name = sorted(zip(values, step.proposed, strict=True), reverse=True)[:breadth]
                changed["choices: ties by name"] += {state for _, state in by_name} != right
                last = sorted(range(len(values)), key=lambda at: (values[at], at), reverse=True)[:breadth]
                changed["choices: later of equals"] += {step.proposed[at] for at in last} != right
                asked = [evaluator.value(written[state]) for state in step.proposed]
                changed["choices: order as written"] += {step.proposed[at] for at in select.greedy(asked, breadth)} != right
                changed["choices: stored values"] += set(choose(step, warm, breadth)) != right
                if votes == 3:
                    changed["choices: one vote for three"] += set(choose(step, evaluators[1], breadth)) != right
                every = list(dict.fromkeys(format_numbers(sorted(t.left)) for t in thoughts))
                values = get_values(evaluator, every)
                changed["choices: illegal ones are options"] += {every[at] for at in select.greedy(values, breadth)} != right
    for name, count in changed.items():
        found[name].append(count)


def _sets(record) -> tuple[list[str], frozenset[str]]:
    numbers = parse_numbers(record["input"])
    return distinct_states(first_proposals(record), numbers), frozenset(distinct_states(first_choice(record), numbers))


found: dict[str, list[float]] = defaultdict(list)
for seed in options.seeds:
    shutil.rmtree(tree / "data", ignore_errors=True)
    (tree / "data").mkdir()
    variant.make(seed, tree / "data")
    open_cache.cache_clear()
    (figures if options.what == "figures" else margins)(found)
for name, values in found.items():
    if options.what == "margins":
        print(f"{name}: least {min(values)}, mean {statistics.mean(values):.1f}, most {max(values)}")
    else:
        spread = statistics.stdev(values) if len(values) > 1 else 0.0
        print(f"{name}: mean {statistics.mean(values):.3f} sd {spread:.3f}  {[round(value, 3) for value in values]}")
