"""From a name to an agent: the shipped ones, and any that an installed package offers.

A package of yours adds an agent by an entry point in the group `rexbench.agents` that names a class with the members of
`agent.protocol.Agent`.
"""

import difflib
from importlib.metadata import entry_points

from rexbench.agent.aider import Aider
from rexbench.agent.claude_code import ClaudeCode
from rexbench.agent.command import Command
from rexbench.agent.controls import CONTROLS
from rexbench.agent.mini_swe import MiniSWE
from rexbench.agent.openhands import OpenHands
from rexbench.agent.protocol import Agent
from rexbench.errors import RexbenchError

SHIPPED: tuple[Agent, ...] = (Aider(), ClaudeCode(), OpenHands(), MiniSWE(), Command())


def agents() -> dict[str, Agent]:
    """Every agent by name; the controls are no agents, they only hand in a patch."""
    found: dict[str, Agent] = {agent.name: agent for agent in SHIPPED}
    for point in entry_points(group="rexbench.agents"):
        offered: Agent = point.load()()
        found[offered.name] = offered
    return found


def find_agent(name: str) -> Agent:
    """The agent of this name."""
    known = agents()
    if name not in known:
        near = difflib.get_close_matches(name, [*known, *CONTROLS], n=1, cutoff=0.3)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join([*known, *CONTROLS])}."
        raise RexbenchError(f"There is no agent {name!r}; {hint}")
    return known[name]
