"""Do the tests notice? Small faults are put into the path of the verdict, one at a time, and each must make a test fail.

    .venv/bin/python bench/mutations.py            all of them
    .venv/bin/python bench/mutations.py score      those whose name holds this

Works on a copy. Exit status 1 where a fault survives its tests, where the tests fail without any fault, or where a fault no longer
finds its place in the source.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
COMPARE, SCORE, FIGURES, DECIDE, KEYS = (
    f"tests/evaluation/test_{name}.py" for name in ("compare", "score", "figures_and_scores", "decide", "keys")
)
NEEDS, BOUNDS, METER, VARIANTS = (
    "tests/campaign/test_needs.py",
    "tests/workspace/test_bounds.py",
    "tests/gateway/test_meter.py",
    "tests/task/test_variants.py",
)


@dataclass(frozen=True)
class Mutation:
    """A fault, and the tests of which one must fail by it."""

    name: str
    file: str
    """Below src/rexbench."""
    old: str
    """Occurs once in the file."""
    new: str
    tests: str


MUTATIONS = (
    Mutation("half_width is boundless", "evaluation/compare.py", "return prediction_half_width(", "return 1e9 + 0 * prediction_half_width(", COMPARE),
    Mutation("half_width without the metrics in Bonferroni", "evaluation/compare.py", "comparisons=noisy * spec.held_out", "comparisons=spec.held_out", COMPARE),
    Mutation("half_width without the variants in Bonferroni", "evaluation/compare.py", "comparisons=noisy * spec.held_out", "comparisons=noisy", COMPARE),
    Mutation("the interval is one-sided", "evaluation/compare.py", "/ (2 * comparisons)", "/ comparisons", COMPARE),
    Mutation("the interval without sqrt 2", "evaluation/compare.py", "quantile * sd * math.sqrt(2)", "quantile * sd", COMPARE),
    Mutation("an uncalibrated metric takes anything", "evaluation/compare.py", "return 0.0  # not calibrated yet", "return 1e9  # not calibrated yet", COMPARE),
    Mutation("exact values of another type", "evaluation/compare.py", "type(value) is type(gold) and value == gold", "value == gold", COMPARE),
    Mutation("only the upper edge counts", "evaluation/compare.py", "accepted = low <= value <= high", "accepted = value <= high", COMPARE),
    Mutation("score turned round", "evaluation/score.py", 'return -value if figure.direction == "lower"', 'return value if figure.direction == "lower"', SCORE),
    Mutation("score without the logarithm", "evaluation/score.py", "value = math.log(max(value, 1e-300))", "value = max(value, 1e-300)", SCORE),
    Mutation("score measured from zero", "evaluation/score.py", "return (on_scale(figure, value) - low) / (high - low)\n\n\ndef judge", "return on_scale(figure, value) / high\n\n\ndef judge", SCORE),
    Mutation("score beside a gold that is no better", "evaluation/score.py", "if not high > low:", "if high == low:", FIGURES),
    Mutation("score accepted from without the number of worlds", "evaluation/score.py", "math.sqrt(2 / spec.held_out)", "math.sqrt(2)", FIGURES),
    Mutation("score: the first world decides alone", "evaluation/evaluate.py", 'mean = sum(figure.score for figure in figures) / len(figures)', "mean = figures[0].score", SCORE),
    Mutation("decide: the edge of a score", "evaluation/evaluate.py", "short = compared.figure.score < compared.figure.accepted_from", "short = compared.figure.score < 0", SCORE),
    Mutation("decide: a run that failed may succeed", "evaluation/evaluate.py", 'if execution.ending != "ran":\n        return execution.ending', 'if execution.ending == "timeout":\n        return execution.ending', DECIDE),
    Mutation("decide: broken artefacts pass", "evaluation/evaluate.py", "if compared.defect:", "if compared.defect is None:", DECIDE),
    Mutation("decide: guards do not count", "evaluation/evaluate.py", "if compared.broken_guards:", "if not compared.broken_guards and compared.defect:", DECIDE),
    Mutation("decide: one good metric is enough", "evaluation/evaluate.py", "    if outside:\n", "    if len(outside) == len(compared.metrics) > 0:\n", DECIDE),
    Mutation("decide: tables do not count", "evaluation/evaluate.py", "    if differing:\n", "    if len(differing) > 1:\n", DECIDE),
    Mutation("combine: one good variant is enough", "evaluation/evaluate.py", '(outcome for outcome in outcomes if outcome != "success"), "success")', '(outcome for outcome in outcomes if outcome == "success"), outcomes[0])', DECIDE),
    Mutation("key without the tolerance", "evaluation/evaluate.py", "[execution.key, gold_key, tolerance, ", "[execution.key, gold_key, ", DECIDE),
    Mutation("key without the reference", "evaluation/evaluate.py", "[execution.key, gold_key, tolerance, ", "[execution.key, tolerance, ", DECIDE),
    Mutation("key without the number of variants", "evaluation/evaluate.py", "tolerance, spec.held_out, ", "tolerance, ", DECIDE),
    Mutation("key without the environment", "evaluation/execute.py", "environment_digest=bench.sandbox.runtime(name)", 'environment_digest=""', KEYS),
    Mutation("key without the program", "evaluation/execute.py", "program=program_digest()", 'program=""', KEYS),
    Mutation("key without the machine", "evaluation/execute.py", "machine=bench.machine(task)", 'machine=""', KEYS),
    Mutation("key without the role", "evaluation/execute.py", "role=trial.role,", 'role="submission",', KEYS),
    Mutation("the reference's lock is gone", "evaluation/execute.py", "with bench.home.lock(key[:32]):", "if True:", KEYS),
    Mutation("the reference is not looked for again under its lock", "evaluation/execute.py", "return (None if fresh else _on_record(key, trial.role, bench)) or _execute(", "return _execute(", KEYS),
    Mutation("variant names without the secret", "task/variants.py", "hmac.new(home.secret(), ", 'hmac.new(b"", ', KEYS),
    Mutation("held-out seeds without the secret", "task/variants.py", "hmac.new(secret, ", 'hmac.new(b"", ', VARIANTS),
    Mutation("capture takes any number of files", "workspace/capture.py", "size > self.room or self.files >= MAX_FILES", "size > self.room", BOUNDS),
    Mutation("capture takes any number of bytes", "workspace/capture.py", "        self.room -= size\n", "", BOUNDS),
    Mutation("capture reads files of any size", "workspace/capture.py", "if info.st_size > MAX_CONTENT:", "if info.st_size < 0:", BOUNDS),
    Mutation("capture looks at any number of entries", "workspace/capture.py", "if looked_at > MAX_ENTRIES:", "if looked_at < 0:", BOUNDS),
    Mutation("capture goes to any depth", "workspace/capture.py", 'path.count("/") >= MAX_DEPTH or ', "", BOUNDS),
    Mutation("capture does not say that there was more", "workspace/capture.py", "            self.unfit.append(path)\n", "", BOUNDS),
    Mutation("meter forgets what is under way", "gateway/meter.py", "tokens = self._used.tokens + self._claimed.tokens + claim.total", "tokens = self._used.tokens + claim.total", METER),
    Mutation("meter never settles a claim", "gateway/meter.py", "self._claimed.add(claim.total, self.cost(claim), -1)", "pass", METER),
    Mutation("meter does not count what was used", "gateway/meter.py", "            amount.add(used.total, self.cost(used))\n", "            pass\n", METER),
    Mutation("meter blames the agent for broken answers", "gateway/meter.py", "return Over(why, used.tokens - lost.tokens < budget.tokens)", "return Over(why, False)", METER),
    Mutation("meter believes no provider that counts more", "gateway/meter.py", "factor = self._stretch or 1.0", "factor = 1.0", METER),
    Mutation("needs without gold's time", "campaign/needs.py", "(2 + spec.needs_base)", "(1 + spec.needs_base)", NEEDS),
    Mutation("needs without base's time", "campaign/needs.py", "(2 + spec.needs_base)", "2", NEEDS),
    Mutation("needs without guards", "campaign/needs.py", "(1 + len(spec.guards))", "1", NEEDS),
    Mutation("needs of one variant alone", "campaign/needs.py", "runs * evaluations * ", "runs * ", NEEDS),
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("named", nargs="?", default="", help="only those whose name holds this")
    chosen = [mutation for mutation in MUTATIONS if parser.parse_args().named in mutation.name]
    with tempfile.TemporaryDirectory(prefix="rexbench-mutations-") as folder:
        tree = Path(folder)
        _copy(tree)
        failing = _run(tree, sorted({mutation.tests for mutation in chosen}))
        if failing:
            print(f"the tests do not pass as they are (pytest ended with {failing})")
            return 1
        verdicts = [_try(mutation, tree) for mutation in chosen]
    print(f"{verdicts.count('killed')} of {len(verdicts)} killed")
    return 0 if set(verdicts) <= {"killed"} else 1


def _copy(tree: Path) -> None:
    for name in ("src", "tests"):
        shutil.copytree(REPOSITORY / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", tree)
    (tree / "tasks").symlink_to(REPOSITORY / "tasks")


def _try(mutation: Mutation, tree: Path) -> str:
    path = tree / "src" / "rexbench" / mutation.file
    source = path.read_text(encoding="utf-8")
    if source.count(mutation.old) != 1:
        verdict = f"found {source.count(mutation.old)} times"
    else:
        _write(path, source.replace(mutation.old, mutation.new))
        status = _run(tree, [mutation.tests])
        verdict = {0: "survived", 1: "killed"}.get(status, f"broken, pytest ended with {status}")
        _write(path, source)
    print(f"{verdict:10} {mutation.name} ({mutation.file})", flush=True)
    return verdict


def _write(path: Path, source: str) -> None:
    """In a second of its own: a compiled file counts for the source that it was made of only by time and size."""
    later = int(path.stat().st_mtime) + 1
    path.write_text(source, encoding="utf-8")
    os.utime(path, (later, later))


def _run(tree: Path, tests: Sequence[str]) -> int:
    variables = os.environ | {"PYTHONPATH": str(tree / "src")}  # before the installed package
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=tree, env=variables, capture_output=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
