"""Building an environment once: under a lock, in its final place, called complete by a marker that is written last."""

import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from filelock import FileLock

from rexbench.digest import digest_value
from rexbench.environment.uv import run_uv, torch_arguments
from rexbench.places import home, remove_tree

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


def describe(name: EnvironmentName) -> Environment:
    """The environment as it would be on this host, built or not."""
    digest = digest_value({"pins": pins(name), "python": sys.version, "platform": sys.platform})
    folder = home() / "environments" / f"{name}-{digest[:12]}"
    return Environment(name, digest, folder, Path(sys.base_prefix).resolve())


def is_built(environment: Environment) -> bool:
    return (environment.folder / _COMPLETE).is_file()


def ensure_environment(name: EnvironmentName) -> Environment:
    """The environment, built if it is not there yet; safe against several processes that ask at once."""
    environment = describe(name)
    if is_built(environment):
        return environment
    environment.folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(environment.folder.with_suffix(".lock")):
        if not is_built(environment):
            _build(environment)
    return environment


def _build(environment: Environment) -> None:
    folder = environment.folder
    if folder.exists():  # what a killed build left
        remove_tree(folder)
    python = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    run_uv("venv", "--quiet", "--relocatable", "--python", str(python if python.exists() else sys.executable), str(folder))
    requirements = folder / "requirements.txt"
    requirements.write_text(pins(environment.name), encoding="utf-8")
    extra = torch_arguments() if environment.name == "torch" else ()
    interpreter = str(folder / "bin" / "python")
    run_uv("pip", "install", "--quiet", "--compile-bytecode", "--python", interpreter, *extra, "--requirement", str(requirements))
    (folder / _COMPLETE).write_text(environment.digest + "\n", encoding="utf-8")
