"""Whether two folders hold the same data but for the last digits of floating point, in which processors differ.

Linear algebra chooses its instructions by the processor, and sums in another order end in another last digit. So what a maker
writes on one machine is the same on another to many digits, and seldom to the bit.
"""

import re
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from rexbench.digest import walk_tree

RELATIVE, ABSOLUTE = 1e-6, 1e-9
_DECIMAL = re.compile(rb"-?\d+\.\d+(?:[eE][-+]?\d+)?|-?\d+[eE][-+]?\d+")


def alike(one: Path, other: Path) -> bool:
    """The same files with the same content, floating-point numbers to six digits."""
    first, second = walk_tree(one), walk_tree(other)
    if [entry[:2] for entry in first] != [entry[:2] for entry in second]:
        return False
    for (path, _, mine), (_, _, theirs) in zip(first, second, strict=True):
        stored = path.endswith((".npy", ".npz"))
        if mine != theirs and not (_archives_agree(one / path, other / path) if stored else _texts_agree(mine, theirs)):
            return False
    return True


def _archives_agree(one: Path, other: Path) -> bool:
    try:
        first, second = _arrays(one), _arrays(other)
    except (OSError, ValueError, EOFError, BadZipFile):  # one of them is damaged
        return False
    return list(first) == list(second) and all(_agree(array, second[name]) for name, array in first.items())


def _arrays(path: Path) -> dict[str, Any]:
    stored = import_module("numpy").load(path)
    return {name: stored[name] for name in stored.files} if path.suffix == ".npz" else {"": stored}


def _agree(array: Any, other: Any) -> bool:
    if (array.dtype, array.shape) != (other.dtype, other.shape):
        return False
    if array.dtype.kind not in "fc":
        return bool((array == other).all())
    return bool(import_module("numpy").allclose(array, other, RELATIVE, ABSOLUTE, equal_nan=True))


def _texts_agree(one: bytes, other: bytes) -> bool:
    """Equal but for the last digits of the decimal numbers in them."""
    if _DECIMAL.sub(b"0", one) != _DECIMAL.sub(b"0", other):
        return False
    numbers = zip(map(float, _DECIMAL.findall(one)), map(float, _DECIMAL.findall(other)), strict=True)
    return all(abs(mine - theirs) <= ABSOLUTE + RELATIVE * abs(theirs) for mine, theirs in numbers)
