"""The agents' programs: installed once with uv or npm at pinned versions, used offline ever after, never inside a trial."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from filelock import FileLock

from rexbench.digest import digest_value
from rexbench.environment.uv import run_uv
from rexbench.errors import EnvironmentBuildFailed, RexbenchError
from rexbench.places import home, remove_tree, write_whole

_COMPLETE = ".rexbench-complete"
_CHOSEN = "versions.json"


@dataclass(frozen=True)
class Program:
    """An agent's program, installed or not."""

    name: str
    kind: str
    package: str
    version: str
    python: str | None
    beside: tuple[str, ...] = ()
    """Requirements that must stand beside it."""

    @property
    def folder(self) -> Path:
        wanted = digest_value([self.kind, self.package, self.version, self.python, self.beside, sys.platform])
        return home() / "agents" / f"{self.name}-{self.version}-{wanted[:8]}"

    @property
    def installed(self) -> bool:
        return (self.folder / _COMPLETE).is_file()

    @property
    def digest(self) -> str:
        """Stands for everything that was installed, dependencies too; empty where nothing is."""
        return (self.folder / _COMPLETE).read_text(encoding="utf-8").strip() if self.installed else ""

    @property
    def interpreter(self) -> Path | None:
        """The Python installation that the program's own points into; a sandbox must show it as well."""
        if self.kind != "python" or not self.installed:
            return None
        return (self.folder / "bin" / "python").resolve().parents[1]


def programs() -> dict[str, Program]:
    """Every program that can be installed, by name, at its pinned version or at the one that was chosen instead."""
    listed = tomllib.loads((files("rexbench.agent") / "programs.toml").read_text(encoding="utf-8"))
    chosen = _chosen_versions()
    return {
        name: Program(
            name, row["kind"], row["package"], chosen.get(name, row["version"]), row.get("python"), tuple(row.get("with", ()))
        )
        for name, row in sorted(listed.items())
    }


def choose_version(name: str, version: str) -> Program:
    """Use another version of a program from now on; runs made with it have another digest."""
    chosen = _chosen_versions() | {name: version}
    path = home() / "agents" / _CHOSEN
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(chosen, indent=1) + "\n")
    return programs()[name]


def _chosen_versions() -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads((home() / "agents" / _CHOSEN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


def find_program(name: str) -> Program:
    """The installed program of this name; says how to install it where it is not."""
    known = programs()
    if name not in known:
        raise RexbenchError(f"There is no agent program {name!r}; there are: {', '.join(known)}.")
    if not known[name].installed:
        raise RexbenchError(f"{name} {known[name].version} is not installed; install it with: rexbench agents install {name}")
    return known[name]


def install(program: Program) -> None:
    """Install a program if it is not there yet; safe against several processes that ask at once."""
    program.folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(program.folder.parent / f"{program.folder.name}.lock"):
        if program.installed:
            return
        if program.folder.exists():  # what a killed installation left
            remove_tree(program.folder)
        contents = _install_python(program) if program.kind == "python" else _install_node(program)
        (program.folder / _COMPLETE).write_text(digest_value([program.package, program.version, contents]) + "\n", encoding="utf-8")


def _install_python(program: Program) -> str:
    python = _find_python(str(program.python))
    run_uv("venv", "--quiet", "--relocatable", "--python", python, str(program.folder))
    interpreter = str(program.folder / "bin" / "python")
    requirement = f"{program.package}=={program.version}"
    run_uv("pip", "install", "--quiet", "--compile-bytecode", "--python", interpreter, requirement, *program.beside)
    return run_uv("pip", "freeze", "--python", interpreter)


def _find_python(at_least: str) -> str:
    """An interpreter of this version: ours, one on the path, one of pyenv's, or one that uv knows or fetches."""
    wanted = tuple(int(part) for part in at_least.split("."))
    if wanted <= sys.version_info[:2] < (3, 14):
        return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
    for minor in range(wanted[1], 14):
        found = shutil.which(f"python3.{minor}")
        if found and "shims" not in found:
            return found
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(wanted[1], 14):
        for candidate in sorted(versions.glob(f"3.{minor}.*/bin/python3.{minor}")):
            return str(candidate)
    return at_least


def _install_node(program: Program) -> str:
    npm = shutil.which("npm")
    if not npm:
        raise EnvironmentBuildFailed(f"{program.name} needs npm; install Node.js with your system's package manager.")
    program.folder.mkdir()
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(program.folder), f"{program.package}@{program.version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=program.folder)
    if done.returncode:
        raise EnvironmentBuildFailed(f"npm install {program.package} failed: {done.stderr.strip()[-800:]}")
    lock = program.folder / "package-lock.json"
    return lock.read_text(encoding="utf-8") if lock.is_file() else ""
