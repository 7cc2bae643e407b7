# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Candidate functions: the columns out of which a right-hand side is put together."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

Column = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Library:
    """Named functions of the state; each maps an array (..., variables) to an array (...)."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """(..., functions) for states (..., variables)."""
        return np.stack([column(x) for column in self.columns], axis=-1)

    def __len__(self) -> int:
        return len(self.names)

    def __add__(self, other: "Library") -> "Library":
        return Library(self.names + other.names, self.columns + other.columns)


def polynomial(variables: int, degree: int, constant: bool = True) -> Library:
    """All monomials up to a degree."""
    names: list[str] = ["1"] if constant else []
    columns: list[Column] = [lambda x: np.ones(x.shape[:-1])] if constant else []
    for order in range(1, degree + 1):
        for chosen in combinations_with_replacement(range(variables), order):
            names.append("*".join(f"x{index}" for index in chosen))
            columns.append(lambda x, chosen=chosen: np.prod(x[..., list(chosen)], axis=-1))
    return Library(tuple(names), tuple(columns))


def fourier(variables: int, frequencies: tuple[float, ...] = (1.0,)) -> Library:
    """Sines and cosines of each variable."""
    names: list[str] = []
    columns: list[Column] = []
    for index in range(variables):
        for frequency in frequencies:
            names += [f"sin({frequency:g}*x{index})", f"cos({frequency:g}*x{index})"]
            columns += [
                lambda x, i=index, k=frequency: np.sin(k * x[..., i]),
                lambda x, i=index, k=frequency: np.cos(k * x[..., i]),
            ]
    return Library(tuple(names), tuple(columns))


def build(variables: int, degree: int, frequencies: tuple[float, ...] = ()) -> Library:
    """The library that a configuration asks for."""
    library = polynomial(variables, degree)
    return library + fourier(variables, frequencies) if frequencies else library
