"""`rexbench doctor`."""

import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from rexbench.cli.options import CORES, Json, open_bench

if TYPE_CHECKING:
    from rexbench.workbench import Workbench


@dataclass(frozen=True)
class Fact:
    """One thing looked at."""

    what: str
    state: Literal["ok", "missing", "note"]
    told: str


def doctor(as_json: Json = False) -> None:
    """Say what works on this machine (sandboxes, environments, cores, memory, GPUs), and how to get the rest.

    \b
    rexbench doctor
    """
    from rexbench.cli.output import console, print_json, print_table

    facts = examine(open_bench())
    if as_json:
        print_json([asdict(fact) for fact in facts])
    else:
        marks = {"ok": "[green]ok[/green]", "missing": "[yellow]missing[/yellow]", "note": "-"}
        print_table("", ["what", "state", "told"], [[fact.what, marks[fact.state], fact.told] for fact in facts])
    if not any(fact.state == "ok" for fact in facts if fact.what.startswith("sandbox")):
        console.print("\nNo isolating sandbox works here: nothing can be judged safely.")
        raise SystemExit(1)


def examine(bench: "Workbench") -> list[Fact]:
    """Look at everything; nothing is changed and nothing is built."""
    return [*_sandboxes(bench), _limits(), *_environments(bench), *_machine(), *_folders(bench)]


def _sandboxes(bench: "Workbench") -> list[Fact]:
    isolating = [bench.any_sandbox(name) for name in ("bubblewrap", "docker", "podman")]
    facts = []
    for sandbox in isolating:
        complaint = sandbox.missing()
        facts.append(
            Fact(
                f"sandbox {sandbox.name}",
                "missing" if complaint else "ok",
                complaint or "isolates; usable with --sandbox " + sandbox.name,
            )
        )
    return [*facts, Fact("sandbox process", "note", "isolates nothing; needs --unsafe")]


def _limits() -> Fact:
    from rexbench.sandbox.cgroup import make_cgroup

    group = make_cgroup(64, 8)
    if group is None:
        return Fact("memory and processes", "note", "held by rlimits and by looking; control groups cannot be made here")
    group.remove()
    return Fact("memory and processes", "ok", f"held by the kernel, control groups version {group.version}")


def _environments(bench: "Workbench") -> list[Fact]:
    from rexbench.environment.build import ENVIRONMENTS

    facts = []
    for name in ENVIRONMENTS:
        built = bench.environments.is_built(name)
        told = str(bench.environments.describe(name).folder) if built else "built on first use, in a minute or two"
        facts.append(Fact(f"environment {name}", "ok" if built else "note", told))
    return facts


def _machine() -> list[Fact]:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    facts = [
        Fact("cores", "ok", f"{CORES}; one experiment each"),
        Fact("memory", "ok" if pages >= 4 else "note", f"{pages:.1f} GB; 3 GB per experiment"),
    ]
    git = shutil.which("git")
    facts.append(Fact("git", "ok" if git else "missing", git or "install git with your system's package manager"))
    gpus = ""
    if shutil.which("nvidia-smi"):
        told = subprocess.run(
            ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=False
        )
        gpus = ", ".join(told.stdout.split("\n")).strip(", ") if told.returncode == 0 else ""
    facts.append(Fact("GPUs", "note", gpus or "none; no task needs one"))
    return facts


def _folders(bench: "Workbench") -> list[Fact]:
    place = bench.home.folder
    at = next(folder for folder in (place, *place.parents) if folder.exists())
    free = shutil.disk_usage(at).free / 2**30
    writable = os.access(at, os.W_OK)
    told = f"{place} ({free:.0f} GB free)" + ("" if writable else "; not writable: set REXBENCH_HOME to another folder")
    return [
        Fact("records", "ok" if writable and free > 2 else "missing", told),
        Fact("tasks", "ok", f"{len(bench.suite.ids())} in {bench.suite.folder}"),
    ]
