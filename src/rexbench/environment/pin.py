"""Remake the pins: `python -m rexbench.environment.pin`. For maintainers; changes the digest of every environment."""

import os
from pathlib import Path

from rexbench.environment.build import ENVIRONMENTS
from rexbench.environment.uv import Uv

PINS = Path(__file__).parent / "pins"


def main() -> None:
    uv = Uv(os.environ)
    for name in ENVIRONMENTS:
        constraint = ("--constraint", "base.txt") if name != "base" else ()
        options = (
            "--quiet",
            "--python-version",
            "3.11",
            "--no-header",
            "--no-annotate",
            "--no-emit-index-url",
            "--no-emit-find-links",
        )
        uv.run("pip", "compile", *options, *constraint, f"{name}.in", "--output-file", f"{name}.txt", cwd=PINS)
        # The CPU build's local version exists only where such a wheel is configured; the plain version finds it and others.
        pinned = (PINS / f"{name}.txt").read_text(encoding="utf-8").replace("torch==2.13.0+cpu", "torch==2.13.0")
        (PINS / f"{name}.txt").write_text(pinned, encoding="utf-8")


if __name__ == "__main__":
    main()
