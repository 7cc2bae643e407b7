"""Real engines on one machine for the measurements: the private Slurm cluster of `scripts/slurm_rig`, and a small Dask cluster."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

RIG = Path(__file__).parents[1] / "scripts" / "slurm_rig"


@contextmanager
def slurm_cluster() -> Iterator[dict[str, str]]:
    """Options for a Slurm cluster: the one that is set up here already, or a private one for as long as this lasts."""
    if "SLURM_CONF" in os.environ:
        yield {"nodelist": "n1"} if "REXBENCH_SLURM_RIG" in os.environ else {}
        return
    with tempfile.TemporaryDirectory(prefix="rexbench-rig-") as folder:
        try:
            subprocess.run([RIG, "start", folder], check=True, stdout=subprocess.DEVNULL)
            os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
            yield {"nodelist": "n1"}  # two cores, like everybody else here
        finally:
            subprocess.run([RIG, "stop", folder], check=True)
            os.environ.pop("SLURM_CONF", None)


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[str]:
    """The address of a scheduler with workers of one thread each."""
    folder.mkdir(parents=True, exist_ok=True)
    where = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "dask"]
    command = [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(where)]
    processes = [subprocess.Popen(command, **quiet)]
    try:
        while not where.exists() or not where.read_text().endswith("}"):
            assert processes[0].poll() is None, "the Dask scheduler did not start"
            time.sleep(0.1)
        address = json.loads(where.read_text())["address"]
        worker = [*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        processes += [subprocess.Popen([*worker, "--local-directory", str(folder)], **quiet) for _ in range(workers)]
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()
