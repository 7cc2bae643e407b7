"""GPUs: which may be used, one step at a time, and what a sandbox shows of them."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rexbench.campaign.gpus import leased_gpus
from rexbench.errors import SystemFault
from rexbench.evaluation.evaluate import evaluate
from rexbench.evaluation.execute import Bench, execution_inputs
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.sandbox import gpus
from rexbench.sandbox.bubblewrap import Bubblewrap
from rexbench.sandbox.gpus import Gpu, gpu_models, take_gpus, usable_gpus
from rexbench.task.folder import Task
from rexbench.task.schema import Limits
from rexbench.workspace.difference import Entry, difference
from tests.sandbox.conftest import MakeJob

HERE = usable_gpus()
needs_gpu = pytest.mark.skipif(not HERE, reason="there is no NVIDIA GPU on this machine")
TWO = [Gpu("GPU-aaaa-1", 3, "NVIDIA H100"), Gpu("GPU-bbbb-2", 5, "NVIDIA L4")]


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the driver of a machine with two GPUs says, without the devices."""
    for gpu in TWO:
        folder = tmp_path / "driver" / f"0000:{gpu.minor:02x}:00.0"
        folder.mkdir(parents=True)
        (folder / "information").write_text(f"Model: \t\t {gpu.model}\nGPU UUID: \t {gpu.uuid}\nDevice Minor: \t {gpu.minor}\n")
    monkeypatch.setattr(gpus, "DRIVER", tmp_path / "driver")
    monkeypatch.setattr(gpus, "_opens", lambda device: True)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


@pytest.mark.parametrize(
    ("visible", "found"),
    [(None, TWO), ("1", TWO[1:]), ("1,0", TWO[::-1]), ("GPU-bbbb", TWO[1:]), ("", []), ("-1", []), ("0,9,1", TWO[:1])],
)
def test_the_variable_is_read_as_cuda_reads_it(
    two: None, visible: str | None, found: list[Gpu], monkeypatch: pytest.MonkeyPatch
) -> None:
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert usable_gpus() == found


def test_too_few_gpus_are_a_fault_of_ours_and_none_asked_for_is_none_looked_at(two: None) -> None:
    assert take_gpus(0) == [] and take_gpus(1) == TWO[:1]
    with pytest.raises(SystemFault, match="needs 3 GPUs and 2 can be used"):
        take_gpus(3)
    with pytest.raises(SystemFault, match="needs 3 GPUs"), leased_gpus(3):
        pass


def test_two_leases_never_share_a_gpu_and_a_killed_holder_gives_it_back(
    two: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code = f"""
import sys, time
from pathlib import Path
from rexbench.sandbox import gpus
gpus.DRIVER, gpus._opens = Path({str(tmp_path / "driver")!r}), lambda device: True
from rexbench.campaign.gpus import leased_gpus
with leased_gpus(1) as got:
    print(got[0].uuid, flush=True)
    time.sleep(60)
"""
    other = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": str(tmp_path)}
    )
    assert other.stdout and other.stdout.readline().strip() == "GPU-aaaa-1"
    with leased_gpus(1) as got:
        assert got == TWO[1:] and os.environ["CUDA_VISIBLE_DEVICES"] == "GPU-bbbb-2"
        assert usable_gpus() == TWO[1:], "what is leased is all that a sandbox will show"
    assert "CUDA_VISIBLE_DEVICES" not in os.environ
    with pytest.raises(SystemFault, match="became free"), leased_gpus(2, seconds=0.1):
        pass
    other.kill()
    other.wait()
    since = time.monotonic()
    with leased_gpus(2):
        assert time.monotonic() - since < 5


def test_a_task_that_needs_no_gpu_is_digested_as_before_there_were_any() -> None:
    plain = {"seconds": 30.0, "memory_mb": 1000}
    assert "gpus" not in Limits.model_validate(plain).model_dump()
    assert Limits.model_validate(plain | {"gpus": 1}).model_dump()["gpus"] == 1


def test_another_gpu_is_another_kind_of_machine_to_a_job_that_is_shown_it_and_to_no_other(
    two: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, plain = machine_fingerprint(gpu_models(1)), machine_fingerprint(gpu_models(0))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    second = machine_fingerprint(gpu_models(1))
    assert len({plain, first, second}) == 3
    assert machine_fingerprint(gpu_models(0)) == plain == machine_fingerprint(), "live gold is shared with machines without a GPU"


def test_live_gold_of_a_gpu_task_is_kept_apart_by_the_gpu(two: None, toy: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = toy.spec.limits.model_copy(update={"gpus": 1})
    task = replace(toy, spec=toy.spec.model_copy(update={"limits": limits}))
    machines = set()
    for visible in ("0", "1"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        machines.add(execution_inputs(task, b"", 7, Bubblewrap(), "reference").machine)
    assert len(machines) == 2


COMPUTE = """
import ctypes, os

cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    code = getattr(cuda, name)(*arguments)
    assert code == 0, f"{name}: error {code}"

count, device, context, memory = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
call("cuInit", 0)
call("cuDeviceGetCount", ctypes.byref(count))
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuCtxCreate_v2", ctypes.byref(context), 0, device)
call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(4096))
call("cuMemsetD32_v2", memory, ctypes.c_uint(7), ctypes.c_size_t(1024))
back = (ctypes.c_uint * 1024)()
call("cuMemcpyDtoH_v2", back, memory, ctypes.c_size_t(4096))
print(count.value, sum(back), sum(name.startswith("nvidia") and name[6:].isdigit() for name in os.listdir("/dev")))
"""
"""Fills a page of the GPU's memory and reads it back, by the driver alone."""


@needs_gpu
def test_a_job_that_asks_for_a_gpu_can_use_it_and_one_that_does_not_sees_none(make_job: MakeJob) -> None:
    job = make_job("python compute.py", memory_mb=8000, seconds=60, processes=256)
    (job.tree / "compute.py").write_text(COMPUTE)
    done = Bubblewrap().run(replace(job, gpus=1))
    assert done.stdout.split() == [b"1", b"7168", b"1"], done.stderr
    blind = Bubblewrap().run(replace(job, command="ls /dev | grep -c nvidia; python compute.py"))
    assert blind.stdout.split() == [b"0"] and blind.status != 0


@needs_gpu
def test_a_task_that_needs_a_gpu_is_judged_on_the_one_that_was_leased(toy: Task, bench: Bench) -> None:
    limits = toy.spec.limits.model_copy(update={"gpus": 1, "memory_mb": 8000, "processes": 256})
    task = replace(toy, spec=toy.spec.model_copy(update={"limits": limits}))
    on_gpu = {b"run.sh": b"set -euo pipefail\npython compute.py\npython -m readingtimes\n", b"compute.py": COMPUTE.encode()}
    before = {b"run.sh": Entry(b"100755", (toy.repo / "run.sh").read_bytes())}
    after = {name: Entry(b"100755" if name == b"run.sh" else b"100644", content) for name, content in on_gpu.items()}
    with leased_gpus(1) as leased:
        verdict = evaluate(task, toy.vault.gold + difference(before, after), 4242, bench)
    assert verdict.outcome == "success", verdict
    assert verdict.seconds > 0 and leased[0].model
