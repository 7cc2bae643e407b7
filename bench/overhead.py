"""What judging costs beside the bare command: an experiment that does nothing, from patch to verdict.

    .venv/bin/python bench/overhead.py [--evaluations 60]

Prints, from one run on one machine: the bare command; one evaluation at a time on bubblewrap (clean tree, patch, sandbox,
artefacts, judge, comparison with live gold, durable record); evaluations per second with two workers; and, where the program
`harbor` is installed, a trivial trial of it. Bars: at most 60 ms above the bare command, at least 20 a second.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from homes import private_task

SCRIPT = "mkdir -p results\nprintf 'group,median\\na,1\\nb,1\\nc,1\\nd,1\\ne,1\\n' > results/medians.csv\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=60)
    count = parser.parse_args().evaluations
    with tempfile.TemporaryDirectory(prefix="rexbench-bench-") as folder:
        task = private_task("nothing", Path(folder))
        (task / "vault" / "gold.patch").write_bytes(patch("gold"))
        measure(Path(folder), task, count)


def patch(mark: str) -> bytes:
    """A patch of its own for each evaluation, so that none is answered from the record."""
    from rexbench.task.scaffold import TEMPLATE
    from rexbench.workspace.difference import Entry, difference

    before = Entry(b"100755", (TEMPLATE / "repo" / "run.sh").read_bytes())
    return difference({b"run.sh": before}, {b"run.sh": Entry(b"100755", f"# {mark}\n{SCRIPT}".encode())})


def measure(folder: Path, nothing: Path, count: int) -> None:
    from rexbench.evaluation.parallel import Work, perform, perform_all

    task = str(nothing)
    bare_tree = folder / "bare"
    bare_tree.mkdir()
    (bare_tree / "run.sh").write_text(SCRIPT)
    single = [Work(task, "", patch(f"one {at}"), 5) for at in range(count)]
    double = [Work(task, "", patch(f"two {at}"), 5) for at in range(4 * count)]
    perform(Work(task, "", None, 5))  # live gold, once, as in any campaign

    bare, whole = [], []
    for work in single:  # interleaved, so that both meet the same machine
        began = time.perf_counter()
        subprocess.run(["bash", "-c", "bash run.sh"], cwd=bare_tree, check=True)
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        result = perform(work)
        whole.append(time.perf_counter() - began)
        assert result.outcome == "success", result

    ended: list[float] = []
    began = time.perf_counter()
    results = perform_all(double, 2, lambda work: None, lambda work, result: ended.append(time.perf_counter()))
    assert all(result.outcome == "success" for result in results)
    steady = (len(ended) - 21) / (ended[-1] - ended[20])

    print(f"bare command                     {1000 * statistics.median(bare):7.1f} ms   median of {count}")
    print(f"patch to verdict, bubblewrap     {1000 * statistics.median(whole):7.1f} ms   median of {count}")
    print(f"added                            {1000 * (statistics.median(whole) - statistics.median(bare)):7.1f} ms   bar: 60")
    with_start = len(double) / (ended[-1] - began)
    print(f"two workers                      {steady:7.1f} /s   bar: 20; {with_start:.1f} /s with their start")
    harbor(count)


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
