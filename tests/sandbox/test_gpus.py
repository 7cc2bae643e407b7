"""GPUs: which may be used, one step at a time, and what a sandbox shows of them."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import SystemFault
from rexbench.evaluation.execute import Trial, execution_inputs
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.sandbox import gpus
from rexbench.sandbox.gpus import Gpu, Gpus
from rexbench.task.folder import Task
from rexbench.task.schema import Limits
from rexbench.workspace.difference import Entry, difference
from tests.conftest import CONFIGURED
from tests.sandbox.conftest import MakeJob
from tests.trials import evaluate

HERE = CONFIGURED.gpus.usable()
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
def test_the_variable_is_read_as_cuda_reads_it(two: None, visible: str | None, found: list[Gpu], tmp_path: Path) -> None:
    assert Gpus(visible, tmp_path).usable() == found


def test_too_few_gpus_are_a_fault_of_ours_and_none_asked_for_is_none_looked_at(two: None, tmp_path: Path) -> None:
    machine = Gpus(None, tmp_path / "locks")
    with machine.leased(0) as none, machine.leased(1) as one:
        assert none == () and one == tuple(TWO[:1])
    with pytest.raises(SystemFault, match="needs 3 GPUs and 2 can be used"), machine.leased(3):
        pass


def test_two_leases_never_share_a_gpu_and_a_killed_holder_gives_it_back(two: None, tmp_path: Path) -> None:
    code = f"""
import sys, time
from pathlib import Path
from rexbench.sandbox import gpus
gpus.DRIVER, gpus._opens = Path({str(tmp_path / "driver")!r}), lambda device: True
with gpus.Gpus(None, Path({str(tmp_path / "locks")!r})).leased(1) as got:
    print(got[0].uuid, flush=True)
    time.sleep(60)
"""
    other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    machine = Gpus(None, tmp_path / "locks")
    assert other.stdout and other.stdout.readline().strip() == "GPU-aaaa-1"
    with machine.leased(1) as got:
        assert got == tuple(TWO[1:])
    with pytest.raises(SystemFault, match="became free"), machine.leased(2, seconds=0.1):
        pass
    other.kill()
    other.wait()
    with machine.leased(2, seconds=30) as both:
        assert both == tuple(TWO)


def test_a_task_that_needs_no_gpu_is_digested_as_before_there_were_any() -> None:
    plain = {"seconds": 30.0, "memory_mb": 1000}
    assert "gpus" not in Limits.model_validate(plain).model_dump()
    assert Limits.model_validate(plain | {"gpus": 1}).model_dump()["gpus"] == 1


def test_another_gpu_is_another_kind_of_machine_to_a_job_that_is_shown_it_and_to_no_other(two: None, tmp_path: Path) -> None:
    machine, other = Gpus(None, tmp_path), Gpus("1", tmp_path)
    first, plain = machine_fingerprint(machine.models(1)), machine_fingerprint(machine.models(0))
    assert len({plain, first, machine_fingerprint(other.models(1))}) == 3
    assert machine_fingerprint(other.models(0)) == plain == machine_fingerprint(), "live gold is shared with machines without a GPU"


def test_live_gold_of_a_gpu_task_is_kept_apart_by_the_gpu(two: None, toy: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = toy.spec.limits.model_copy(update={"gpus": 1})
    task = replace(toy, spec=toy.spec.model_copy(update={"limits": limits}))
    machines = set()
    for visible in ("0", "1"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        machines.add(execution_inputs(Trial(task, b"", 7, "reference"), Bench()).machine)
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
    job = make_job("python compute.py", memory_mb=8000, cpu_seconds=60, processes=256)
    (job.tree / "compute.py").write_text(COMPUTE)
    done = CONFIGURED.any_sandbox("bubblewrap").run(replace(job, gpus=tuple(HERE[:1])))
    assert done.stdout.split() == [b"1", b"7168", b"1"], done.stderr
    blind = CONFIGURED.any_sandbox("bubblewrap").run(replace(job, command="ls /dev | grep -c nvidia; python compute.py"))
    assert blind.stdout.split() == [b"0"] and blind.status != 0


@needs_gpu
def test_a_task_that_needs_a_gpu_is_judged_on_the_one_that_was_leased(toy: Task, bench: Bench) -> None:
    limits = toy.spec.limits.model_copy(update={"gpus": 1, "memory_mb": 8000, "processes": 256})
    task = replace(toy, spec=toy.spec.model_copy(update={"limits": limits}))
    on_gpu = {b"run.sh": b"set -euo pipefail\npython compute.py\npython -m readingtimes\n", b"compute.py": COMPUTE.encode()}
    before = {b"run.sh": Entry(b"100755", (toy.repo / "run.sh").read_bytes())}
    after = {name: Entry(b"100755" if name == b"run.sh" else b"100644", content) for name, content in on_gpu.items()}
    verdict = evaluate(task, toy.vault.gold + difference(before, after, bench.home), 4242, bench)
    assert verdict.outcome == "success", verdict
