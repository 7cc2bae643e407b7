# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Named functions that a task file can ask for."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Callable)


class Registry(Generic[T]):
    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.entries: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        def keep(function: T) -> T:
            if name in self.entries:
                raise ValueError(f"{self.kind} {name!r} is registered twice")
            self.entries[name] = function
            return function

        return keep

    def __getitem__(self, name: str) -> T:
        if name not in self.entries:
            raise KeyError(f"no {self.kind} {name!r}; there are {', '.join(sorted(self.entries))}")
        return self.entries[name]


FILTERS: Registry[Callable[[str], str | None]] = Registry("filter")
METRICS: Registry[Callable[[str | None, str], bool]] = Registry("metric")
