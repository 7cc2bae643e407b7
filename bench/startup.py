"""How long `rexbench --version`, `import rexbench` and `rexbench task list` take beside `python -c pass`, in one run, alternating.

    .venv/bin/python bench/startup.py

Bars: --version under 3 times the bare interpreter, the import under 60 ms, the list under 0.5 s.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 30


def seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    program = str(Path(sys.executable).parent / "rexbench")
    rows: dict[str, list[float]] = {"python -c pass": [], "rexbench --version": [], "import rexbench": [], "rexbench task list": []}
    for _ in range(RUNS):
        rows["python -c pass"].append(seconds([sys.executable, "-c", "pass"]))
        rows["rexbench --version"].append(seconds([program, "--version"]))
        rows["import rexbench"].append(seconds([sys.executable, "-c", "import rexbench"]))
        rows["rexbench task list"].append(seconds([program, "task", "list"]))
    for name, taken in rows.items():
        print(f"{name:20s} {1000 * statistics.median(taken):7.1f} ms   median of {RUNS}")
    print(f"bar for --version    {3000 * statistics.median(rows['python -c pass']):7.1f} ms")


if __name__ == "__main__":
    main()
