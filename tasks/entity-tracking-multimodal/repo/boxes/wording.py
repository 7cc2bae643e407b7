# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Scenarios in English, and back: the sentences of a prompt, and what an answer says about each box."""

import re

from boxes.scenarios import Operation, State


def box_list(state: State) -> str:
    """`Box 0 contains the cup and the map, Box 1 contains nothing.`"""
    return ", ".join(f"Box {box} {_holding(things)}" for box, things in enumerate(state)) + "."


def _holding(things: list[str]) -> str:
    return "contains " + (" and ".join(f"the {thing}" for thing in things) or "nothing")


def operation_sentence(operation: Operation) -> str:
    if operation.kind == "move":
        return f"Move the {operation.thing} from Box {operation.source} to Box {operation.target}."
    if operation.kind == "put":
        return f"Put the {operation.thing} into Box {operation.target}."
    return f"Remove the {operation.thing} from Box {operation.source}."


CLAUSE = re.compile(r"Box (\d+) contains (.+)")


def parse_box_list(text: str, boxes: int) -> list[list[str] | None]:
    """What `text` says about each box; None for a box about which it says nothing that can be read. The first mention counts."""
    found: list[list[str] | None] = [None] * boxes
    for clause in re.split(r"[,.]", text):
        match = CLAUSE.fullmatch(clause.strip())
        if match is None or int(match[1]) >= boxes or found[int(match[1])] is not None:
            continue
        if match[2] == "nothing":
            found[int(match[1])] = []
        else:
            found[int(match[1])] = [name.removeprefix("the ") for name in match[2].split(" and ")]
    return found
