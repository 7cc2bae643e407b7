"""The uv that ships with the package, run with pip's own settings.

uv does not read pip's configuration. A machine set up for pip (a mirror, a folder of wheels, a certificate) must work with
no second set-up, so those settings are handed over, and indexes are weighed as pip weighs them.
"""

import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from rexbench.errors import EnvironmentBuildFailed

_HANDED_OVER = {
    "index-url": "UV_INDEX_URL",
    "extra-index-url": "UV_EXTRA_INDEX_URL",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


class Uv:
    """uv with the environment variables that it shall see."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def run(self, *arguments: str, cwd: Path = Path("/")) -> str:
        """Run uv and return what it printed; raises `EnvironmentBuildFailed` with its last words.

        Not in the current folder: that may be a workspace, whose settings are nobody's to follow.
        """
        from uv import find_uv_bin

        variables = {**self._variables, **self._pip_settings, "UV_INDEX_STRATEGY": "unsafe-best-match", "UV_NO_PROGRESS": "1"}
        variables.pop("VIRTUAL_ENV", None)
        done = subprocess.run([find_uv_bin(), *arguments], capture_output=True, text=True, env=variables, cwd=cwd, check=False)
        if done.returncode:
            raise EnvironmentBuildFailed(f"uv {' '.join(arguments[:2])} failed: {done.stderr.strip()[-1500:]}")
        return done.stdout

    def torch_arguments(self) -> tuple[str, ...]:
        """How to get the CPU build of torch here: from a wheel that is configured for pip, else from the CPU index."""
        links = self._pip_settings.get("UV_FIND_LINKS", "").replace(",", " ").split()
        folders = [Path(link.removeprefix("file://")) for link in links]
        if any(True for folder in folders if folder.is_dir() for _ in folder.glob("torch-*")):
            return ()
        return ("--torch-backend", "cpu")

    @cached_property
    def _pip_settings(self) -> dict[str, str]:
        """uv's environment variables for what pip is set to on this machine; variables that are already set win."""
        listed = ""
        for python in (sys.executable, f"{sys.base_prefix}/bin/python3", "python3"):
            command = [python, "-I", "-m", "pip", "config", "list"]
            done = subprocess.run(command, cwd="/", env=dict(self._variables), capture_output=True, text=True, check=False)
            if done.returncode == 0:
                listed = done.stdout
                break
        found = {}
        for section in ("global", "install", ":env:"):  # later ones win, as in pip
            for option, variable in _HANDED_OVER.items():
                value = re.search(rf"^{re.escape(section)}\.{option}='(.*)'$", listed, re.MULTILINE)
                if value:
                    found[variable] = value.group(1)
        return {variable: self._variables.get(variable, value) for variable, value in found.items()}
