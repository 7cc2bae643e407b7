"""What judging costs beside the bare command: an experiment that does nothing, from patch to verdict.

    .venv/bin/python bench/overhead.py [--evaluations 60]

Prints, from one run on one machine: the bare command; one verdict at a time through the Python API on bubblewrap (plan, clean
tree, patch, sandbox, artefacts, judge, comparison with live gold, durable record) and where its time goes; verdicts per second with
two workers; and, where the program `harbor` is installed, a trivial trial of it. Bars: at most 35 ms above the bare command, at
least 40 a second.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from homes import bench_with_task

from rexbench.api.bench import Bench, HeldOut
from rexbench.campaign.executors.local import Local
from rexbench.campaign.trials import Wanted
from rexbench.task.scaffold import TEMPLATE
from rexbench.workspace.difference import Entry, difference

SCRIPT = "mkdir -p results\nprintf 'group,median\\na,1\\nb,1\\nc,1\\nd,1\\ne,1\\n' > results/medians.csv\n"
SEED = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=60)
    count = parser.parse_args().evaluations
    with tempfile.TemporaryDirectory(prefix="rexbench-bench-") as folder:
        bench = bench_with_task("nothing", Path(folder))
        (bench.suite.folder / "nothing" / "vault" / "gold.patch").write_bytes(patch("gold", bench))
        measure(Path(folder), bench, count)


def patch(mark: str, bench: Bench) -> bytes:
    """A patch of its own for each evaluation, so that none is answered from the record."""
    before = Entry(b"100755", (TEMPLATE / "repo" / "run.sh").read_bytes())
    return difference({b"run.sh": before}, {b"run.sh": Entry(b"100755", f"# {mark}\n{SCRIPT}".encode())}, bench.home)


def measure(folder: Path, bench: Bench, count: int) -> None:
    task = bench.task("nothing")
    bare_tree = folder / "bare"
    bare_tree.mkdir()
    (bare_tree / "run.sh").write_text(SCRIPT)
    single = [patch(f"one {at}", bench) for at in range(count)]
    double = [Wanted("two", task, SEED, patch(f"two {at}", bench)) for at in range(4 * count)]
    bench.evaluate(task, patch("first", bench), HeldOut(seed=SEED))  # live gold, once, as in any campaign

    bare, whole = [], []
    parts = timed_parts()
    for one in single:  # interleaved, so that both meet the same machine
        began = time.perf_counter()
        subprocess.run(["bash", "-c", "bash run.sh"], cwd=bare_tree, check=True)
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        verdict = bench.evaluate(task, one, HeldOut(seed=SEED))
        whole.append(time.perf_counter() - began)
        assert verdict.outcome == "success", verdict

    ended: list[float] = []
    began = time.perf_counter()
    results = bench.make(double, False, Local(2), lambda event: ended.append(time.perf_counter()) if event.ended else None)
    assert all(result.outcome == "success" for result in results)  # type: ignore[union-attr]
    steady = (len(ended) - 21) / (ended[-1] - ended[20])

    print(f"bare command                     {1000 * statistics.median(bare):7.1f} ms   median of {count}")
    print(f"patch to verdict, bubblewrap     {1000 * statistics.median(whole):7.1f} ms   median of {count}")
    print(f"added                            {1000 * (statistics.median(whole) - statistics.median(bare)):7.1f} ms   bar: 35")
    for name, taken in parts.items():
        print(f"  of which {name:22s} {1000 * statistics.median(taken):7.1f} ms")
    with_start = len(double) / (ended[-1] - began)
    print(f"two workers                      {steady:7.1f} /s   bar: 40; {with_start:.1f} /s with their start")
    harbor(count)


def timed_parts() -> dict[str, list[float]]:
    """Watch the parts of an evaluation from here on; each list holds a number for every call."""
    from rexbench.evaluation import execute
    from rexbench.record.store import Store
    from rexbench.sandbox.bubblewrap import Bubblewrap

    parts: dict[str, list[float]] = {}

    def watch(owner: Any, name: str, label: str) -> None:
        inner: Callable[..., Any] = getattr(owner, name)
        taken = parts.setdefault(label, [])

        @wraps(inner)
        def timed(*arguments: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return inner(*arguments, **named)
            finally:
                taken.append(time.perf_counter() - began)

        setattr(owner, name, timed)

    watch(execute, "copy_repo", "clean tree")
    watch(execute, "apply_patch", "patch")
    watch(Bubblewrap, "run", "sandbox, with command")
    watch(execute, "collect_artefacts", "artefacts")
    watch(execute, "judge", "judge")
    watch(Store, "keep_execution", "durable record")
    watch(Store, "keep_evaluation", "durable verdict")
    return parts


def harbor(trials: int) -> None:
    """A trivial trial of Harbor through an environment that isolates nothing, by the interpreter that Harbor is installed in."""
    program = shutil.which("harbor")
    python = os.environ.get("HARBOR_PYTHON") or (str(Path(program).resolve().parent / "python") if program else None)
    if not python:
        print("harbor, trivial trial            not installed, not measured (or set HARBOR_PYTHON)")
        return
    script = Path(__file__).with_name("harbor_trial.py")
    done = subprocess.run([python, script, "--trials", str(trials)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"harbor, trivial trial            failed: {(done.stderr or done.stdout).strip().splitlines()[-1][:100]}")
        return
    print(f"harbor, trivial trial            {float(done.stdout):7.1f} ms   no isolation, agent and verifier that do nothing")


if __name__ == "__main__":
    main()
