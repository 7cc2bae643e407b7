"""`rexbench cluster check` on real nodes: what works there, and in which words it says what does not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.conftest import DaskCluster, Rig

pytestmark = pytest.mark.cluster
REXBENCH = Path(sys.executable).parent / "rexbench"


def check(*arguments: str) -> tuple[int, dict[str, dict[str, str]], str]:
    done = subprocess.run([REXBENCH, "cluster", "check", *arguments, "--json"], capture_output=True, text=True, check=False)
    facts = json.loads(done.stdout) if done.stdout else []
    found = {fact["what"]: fact for fact in facts} if isinstance(facts, list) else {}  # a failure is told as one object
    return done.returncode, found, done.stderr


def test_a_sound_slurm_node_passes(rig: Rig, home: Path) -> None:
    status, facts, told = check("--executor", "slurm", "--slurm", "nodelist=n2")
    assert status == 0, told
    needed = ("shared folder", "locks", "records", "rexbench", "sandbox", "environment base", "clock")
    assert {facts[what]["state"] for what in needed} == {"ok"}
    assert not list(home.glob("campaigns/*")), "the probe leaves nothing behind"


def test_a_sound_dask_worker_passes(dask_cluster: DaskCluster, home: Path) -> None:
    status, facts, told = check("--executor", "dask", "--dask", dask_cluster.address)
    assert status == 0, told
    assert facts["shared folder"]["state"] == facts["sandbox"]["state"] == "ok"


def test_a_sandbox_that_the_node_has_not_is_missing(rig: Rig, home: Path, tmp_path: Path) -> None:
    empty = tmp_path / "bin"  # a node whose PATH leads to no podman
    empty.mkdir()
    (empty / "podman").symlink_to("/bin/false")
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{empty}:{before}"
    try:
        status, facts, _ = check("--executor", "slurm", "--sandbox", "podman")
    finally:
        os.environ["PATH"] = before
    assert status == 1 and facts["sandbox"]["state"] == "missing" and "podman" in facts["sandbox"]["told"]


def test_a_probe_that_waits_too_long_is_taken_back(rig: Rig, home: Path) -> None:
    status, _, told = check("--executor", "slurm", "--slurm", "begin=now+500", "--wait", "2")
    assert status == 3 and "waits in the queue (BeginTime)" in told
    assert rig.squeue("--states=PENDING", "--format=%i") == []
