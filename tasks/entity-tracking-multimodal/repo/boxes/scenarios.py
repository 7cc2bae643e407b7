# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scenarios: boxes with objects, and operations that change what is in them."""

import json
from dataclasses import dataclass
from pathlib import Path

State = list[list[str]]
"""The objects of each box, in the order in which they got there."""


@dataclass(frozen=True)
class Operation:
    kind: str
    """move, put or remove."""
    thing: str
    source: int | None
    """The box that it is taken from; None for put."""
    target: int | None
    """The box that it ends in; None for remove."""

    @property
    def touches(self) -> list[int]:
        return [box for box in (self.source, self.target) if box is not None]


@dataclass(frozen=True)
class Scenario:
    id: str
    start: State
    operations: list[Operation]

    def end(self) -> State:
        """The state after all operations."""
        state = [list(box) for box in self.start]
        for operation in self.operations:
            if operation.source is not None:
                state[operation.source].remove(operation.thing)
            if operation.target is not None:
                state[operation.target].append(operation.thing)
        return state

    def operation_counts(self) -> list[int]:
        """For each box, how many of the operations affect it. A move affects two boxes."""
        counts = [0] * len(self.start)
        for operation in self.operations:
            for box in operation.touches:
                counts[box] += 1
        return counts


def _operation(values: list) -> Operation:
    kind, thing, *boxes = values
    if kind == "move":
        return Operation(kind, thing, boxes[0], boxes[1])
    if kind == "put":
        return Operation(kind, thing, None, boxes[0])
    if kind == "remove":
        return Operation(kind, thing, boxes[0], None)
    raise ValueError(f"unknown operation {kind!r}")


def load_scenarios(path: Path) -> list[Scenario]:
    scenarios = []
    for line in path.read_text().splitlines():
        values = json.loads(line)
        scenarios.append(Scenario(values["id"], values["boxes"], [_operation(entry) for entry in values["operations"]]))
    return scenarios
