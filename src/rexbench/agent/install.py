"""The agents' programs: installed once with uv or npm at pinned versions, used offline ever after, never inside a trial."""

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from rexbench.digest import digest_value
from rexbench.environment.uv import Uv
from rexbench.errors import EnvironmentBuildFailed, RexbenchError
from rexbench.places import Home, remove_tree, write_whole

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
    beside: tuple[str, ...]
    """Requirements that must stand beside it."""
    agents: Path
    """The folder that holds all programs."""

    @property
    def folder(self) -> Path:
        wanted = digest_value([self.kind, self.package, self.version, self.python, self.beside, sys.platform])
        return self.agents / f"{self.name}-{self.version}-{wanted[:8]}"

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


class Programs:
    """The agents' programs of one home."""

    def __init__(self, home: Home, variables: Mapping[str, str]) -> None:
        self._home, self._variables = home, variables
        self._uv = Uv(variables)

    def known(self) -> dict[str, Program]:
        """Every program that can be installed, by name, at its pinned version or at the one that was chosen instead."""
        listed = tomllib.loads((files("rexbench.agent") / "programs.toml").read_text(encoding="utf-8"))
        chosen = self._chosen_versions()
        return {
            name: Program(
                name,
                row["kind"],
                row["package"],
                chosen.get(name, row["version"]),
                row.get("python"),
                tuple(row.get("with", ())),
                self._home / "agents",
            )
            for name, row in sorted(listed.items())
        }

    def choose_version(self, name: str, version: str) -> None:
        """Use another version of a program from now on; runs made with it have another digest."""
        chosen = self._chosen_versions() | {name: version}
        write_whole(self._home.make("agents") / _CHOSEN, json.dumps(chosen, indent=1) + "\n")

    def find(self, name: str) -> Program:
        """The installed program of this name; says how to install it where it is not."""
        known = self.known()
        if name not in known:
            raise RexbenchError(f"There is no agent program {name!r}; there are: {', '.join(known)}.")
        if not known[name].installed:
            raise RexbenchError(f"{name} {known[name].version} is not installed; install it with: rexbench agents install {name}")
        return known[name]

    def install(self, name: str, version: str = "") -> Program:
        """Install a program if it is not there yet, at this version if one is given, which from then on is the one that is used."""
        known = self.known()
        if name not in known:
            raise RexbenchError(f"There is no agent program {name!r}; there are: {', '.join(known)}.")
        program = replace(known[name], version=version) if version else known[name]
        self._home.make("agents")
        with self._home.lock(f"agent-{program.folder.name}"):
            if not program.installed:
                if program.folder.exists():  # what a killed installation left
                    remove_tree(program.folder)
                contents = self._install_python(program) if program.kind == "python" else self._install_node(program)
                marker = digest_value([program.package, program.version, contents])
                (program.folder / _COMPLETE).write_text(marker + "\n", encoding="utf-8")
        if version:  # only once it is there: a version that does not exist must not be what every run looks for
            self.choose_version(name, version)
        return program

    def _chosen_versions(self) -> dict[str, str]:
        try:
            found: dict[str, str] = json.loads((self._home / "agents" / _CHOSEN).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return found

    def _install_python(self, program: Program) -> str:
        python = self._find_python(str(program.python))
        self._uv.run("venv", "--quiet", "--relocatable", "--python", python, str(program.folder))
        interpreter = str(program.folder / "bin" / "python")
        requirement = f"{program.package}=={program.version}"
        self._install_or_say(
            program, "pip", "install", "--quiet", "--compile-bytecode", "--python", interpreter, requirement, *program.beside
        )
        return self._uv.run("pip", "freeze", "--python", interpreter)

    def _install_or_say(self, program: Program, *arguments: str) -> None:
        try:
            self._uv.run(*arguments)
        except EnvironmentBuildFailed as error:
            if "no version of" in str(error):
                raise RexbenchError(
                    f"There is no version {program.version} of {program.package}; choose one that is published."
                ) from error
            raise

    def _find_python(self, at_least: str) -> str:
        """An interpreter of this version: ours, one on the path, one of pyenv's, or one that uv knows or fetches."""
        wanted = tuple(int(part) for part in at_least.split("."))
        if wanted <= sys.version_info[:2] < (3, 14):
            return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
        for minor in range(wanted[1], 14):
            found = shutil.which(f"python3.{minor}", path=self._variables.get("PATH"))
            if found and "shims" not in found:
                return found
        root = self._variables.get("PYENV_ROOT") or f"{self._variables.get('HOME', '/')}/.pyenv"
        for minor in range(wanted[1], 14):
            for candidate in sorted(Path(root, "versions").glob(f"3.{minor}.*/bin/python3.{minor}")):
                return str(candidate)
        return at_least

    def _install_node(self, program: Program) -> str:
        npm = shutil.which("npm", path=self._variables.get("PATH"))
        if not npm:
            raise EnvironmentBuildFailed(f"{program.name} needs npm; install Node.js with your system's package manager.")
        program.folder.mkdir()
        command = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(program.folder),
            f"{program.package}@{program.version}",
        ]
        variables = dict(self._variables)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=program.folder, env=variables)
        if "ETARGET" in done.stderr:
            remove_tree(program.folder)
            raise RexbenchError(f"There is no version {program.version} of {program.package}; choose one that is published.")
        if done.returncode:
            raise EnvironmentBuildFailed(f"npm install {program.package} failed: {done.stderr.strip()[-800:]}")
        lock = program.folder / "package-lock.json"
        return lock.read_text(encoding="utf-8") if lock.is_file() else ""
