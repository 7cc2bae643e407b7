"""How large the program is once installed, package by package.

    .venv/bin/python bench/size.py [PEER ...]

Builds the wheel, installs it with all it needs into an empty environment, and prints what that takes on disk, bytecode included, in
megabytes by package, largest first; then the same total for each peer, inspect-ai unless others are named. Bar: under 330 MB.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BAR = 330
SHOWN = 2.0
"""Megabytes from which a package has a line of its own."""


def main(peers: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="rexbench-size-") as made:
        folder = Path(made)
        uv("build", "--quiet", "--wheel", "--out-dir", folder / "wheel", ROOT)
        wheel = next((folder / "wheel").glob("*.whl"))
        sizes = installed_sizes(folder / "own", wheel)
        for name, size in sizes.most_common():
            if size >= SHOWN:
                print(f"{name:30} {size:7.1f} MB")
        print(f"{'all smaller ones':30} {sum(size for size in sizes.values() if size < SHOWN):7.1f} MB")
        total, packed = sizes.total(), wheel.stat().st_size / 1e6
        print(f"{'rexbench with all it needs':30} {total:7.1f} MB   bar: {BAR}   the wheel {packed:.1f} MB")
        for peer in peers:
            try:
                print(f"{peer + ' with all it needs':30} {installed_sizes(folder / peer, peer).total():7.1f} MB")
            except subprocess.CalledProcessError:
                print(f"{peer} could not be installed here")


def installed_sizes(environment: Path, wanted: str | Path) -> Counter[str]:
    """Megabytes by distribution after `wanted` was installed into a fresh environment."""
    uv("venv", "--quiet", "--python", sys.executable, environment)
    uv("pip", "install", "--quiet", "--compile-bytecode", "--python", environment / "bin" / "python", wanted)
    site = next(environment.glob("lib/python*/site-packages"))
    found = distributions(path=[str(site)])
    owners = {os.path.normpath(package.locate_file(file)): package.name for package in found for file in package.files or ()}
    sizes: Counter[str] = Counter()
    for path in environment.rglob("*"):
        if path.is_file() and not path.is_symlink():
            source = path.parent.parent / f"{path.name.split('.')[0]}.py" if path.suffix == ".pyc" else path
            sizes[owners.get(str(source), "the environment itself")] += path.stat().st_blocks * 512 / 1e6
    return sizes


def uv(*arguments: str | Path) -> None:
    subprocess.run([ROOT / ".uv" / "bin" / "uv", *arguments], check=True, env=os.environ | {"UV_LINK_MODE": "copy"})


if __name__ == "__main__":
    main(sys.argv[1:] or ["inspect-ai"])
