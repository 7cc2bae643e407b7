"""Packages of other programs, which are installed only where they are wanted."""

from importlib.util import find_spec

from rexbench.errors import RexbenchError


def require(package: str, extra: str, what: str) -> None:
    """Refuse, in one sentence, what cannot be done without a package that is not there."""
    if find_spec(package) is None:
        raise RexbenchError(f"{what} needs {package}; install it with: pip install 'rexbench[{extra}]'")
