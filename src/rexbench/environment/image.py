"""The same pinned environment as an image for docker and podman.

Packages are resolved on the host, with pip's settings, for the image's own Python, and copied in: building needs no network in
the container, and a wheel that only this host knows of is used there too. The base image must hold python3 and bash. Git, without
which an agent's workspace is no repository, is installed where the base has none: that alone needs a network.
"""

import re
import subprocess
from pathlib import Path

from rexbench.digest import digest_value
from rexbench.environment.build import EnvironmentName, pins
from rexbench.environment.uv import Uv
from rexbench.errors import EnvironmentBuildFailed
from rexbench.places import Home

DEFAULT_BASE = "python:3.11-slim-bookworm"
_PLACE = "/opt/rexbench-environment"
_DOCKERFILE = """\
FROM {base}
RUN command -v git || (apt-get update -qq && apt-get install -y -qq --no-install-recommends git && rm -rf /var/lib/apt/lists/*)
RUN python3 -m venv --without-pip {place} || (mkdir -p {place}/bin && ln -s "$(command -v python3)" {place}/bin/python)
COPY packages {place}/lib/python{version}/site-packages
RUN {place}/bin/python -m compileall -q {place}/lib/python{version}/site-packages || true
"""


class Images:
    """The images of one home's environments."""

    def __init__(self, home: Home, uv: Uv, base: str = DEFAULT_BASE) -> None:
        self._home, self._uv, self._base = home, uv, base

    def digest(self, name: EnvironmentName) -> str:
        """Stands for the image of this environment."""
        return digest_value({"pins": pins(name), "base": self._base, "recipe": _DOCKERFILE})

    def ensure(self, engine: str, name: EnvironmentName) -> str:
        """The image's tag, built if this engine does not have it yet."""
        tag = f"rexbench-{name}:{self.digest(name)[:12]}"
        if _call(engine, "image", "inspect", tag).returncode == 0:
            return tag
        with self._home.lock(f"image-{engine}-{name}"):
            if _call(engine, "image", "inspect", tag).returncode:
                with self._home.scratch("image") as folder:
                    _build(engine, name, self._base, tag, folder, self._uv)
        return tag


def _build(engine: str, name: EnvironmentName, base: str, tag: str, folder: Path, uv: Uv) -> None:
    told = _in_base(engine, base, "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    if told.returncode or not re.fullmatch(r"3\.\d+", told.stdout.strip()):
        raise EnvironmentBuildFailed(f"the base image {base} gives no Python: {(told.stderr or told.stdout).strip()[-400:]}")
    version = told.stdout.strip()
    requirements = folder / "requirements.txt"
    requirements.write_text(pins(name), encoding="utf-8")
    extra = uv.torch_arguments() if name == "torch" else ()
    options = ("--quiet", "--target", str(folder / "packages"), "--python-version", version, "--only-binary", ":all:")
    uv.run("pip", "install", *options, *extra, "--requirement", str(requirements))
    (folder / "Dockerfile").write_text(_DOCKERFILE.format(base=base, place=_PLACE, version=version), encoding="utf-8")
    has_git = _in_base(engine, base, "git", "--version").returncode == 0
    network = ("--network", "none") if has_git else ()
    built = _call(engine, "build", *network, "--tag", tag, str(folder))
    if built.returncode and not has_git:
        raise EnvironmentBuildFailed(
            f"{base} has no git and none could be installed; name a base image that has it in REXBENCH_BASE_IMAGE: "
            f"{(built.stderr or built.stdout).strip()[-1000:]}"
        )
    if built.returncode:
        raise EnvironmentBuildFailed(f"{engine} build failed: {(built.stderr or built.stdout).strip()[-1500:]}")


def _in_base(engine: str, base: str, *command: str) -> subprocess.CompletedProcess[str]:
    return _call(engine, "run", "--rm", "--network", "none", base, *command)


def _call(engine: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([engine, *arguments], capture_output=True, text=True, check=False, cwd=Path("/"))
