"""Building an environment once: under a lock, in its final place, called complete by a marker that is written last."""

import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from rexbench.digest import digest_value
from rexbench.environment.uv import Uv
from rexbench.places import Home, remove_tree

EnvironmentName = Literal["base", "torch"]
ENVIRONMENTS: tuple[EnvironmentName, ...] = ("base", "torch")
_COMPLETE = ".rexbench-complete"


@dataclass(frozen=True)
class Environment:
    """An interpreter with packages, on this host."""

    name: EnvironmentName
    digest: str
    """Stands for the pins, the interpreter's version and the platform."""
    folder: Path
    """A relocatable virtual environment."""
    interpreter: Path
    """The installation its python points into; a sandbox must show it as well."""

    @property
    def bin(self) -> Path:
        return self.folder / "bin"


def pins(name: EnvironmentName) -> str:
    """The exact requirements of an environment."""
    return (files("rexbench.environment") / "pins" / f"{name}.txt").read_text(encoding="utf-8")


class Environments:
    """The environments of one home."""

    def __init__(self, home: Home, uv: Uv) -> None:
        self._home, self._uv = home, uv
        self._described: dict[EnvironmentName, Environment] = {}

    def describe(self, name: EnvironmentName) -> Environment:
        """The environment as it would be on this host, built or not."""
        if name not in self._described:
            self._described[name] = self._describe(name)
        return self._described[name]

    def _describe(self, name: EnvironmentName) -> Environment:
        digest = digest_value({"pins": pins(name), "python": sys.version, "platform": sys.platform})
        folder = self._home / "environments" / f"{name}-{digest[:12]}"
        return Environment(name, digest, folder, Path(sys.base_prefix).resolve())

    def is_built(self, name: EnvironmentName) -> bool:
        return (self.describe(name).folder / _COMPLETE).is_file()

    def ensure(self, name: EnvironmentName) -> Environment:
        """The environment, built if it is not there yet; safe against several processes that ask at once."""
        environment = self.describe(name)
        if not self.is_built(name):
            self._home.make("environments")
            with self._home.lock(f"environment-{environment.folder.name}"):
                if not self.is_built(name):
                    self._build(environment)
        return environment

    def _build(self, environment: Environment) -> None:
        folder = environment.folder
        if folder.exists():  # what a killed build left
            remove_tree(folder)
        python = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        self._uv.run(
            "venv", "--quiet", "--relocatable", "--python", str(python if python.exists() else sys.executable), str(folder)
        )
        requirements = folder / "requirements.txt"
        requirements.write_text(pins(environment.name), encoding="utf-8")
        extra = self._uv.torch_arguments() if environment.name == "torch" else ()
        options = ("--quiet", "--compile-bytecode", "--python", str(folder / "bin" / "python"))
        self._uv.run("pip", "install", *options, *extra, "--requirement", str(requirements))
        (folder / _COMPLETE).write_text(environment.digest + "\n", encoding="utf-8")
