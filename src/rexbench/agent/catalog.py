"""From a name to an agent: the shipped ones, and any that an installed package offers.

A package of yours adds an agent by an entry point in the group `rexbench.agents` that names a class with the members of
`agent.protocol.Adapter`; without one, such a class is named as `module:Class`.
"""

import difflib
import importlib
from importlib.metadata import entry_points

from rexbench.agent.aider import Aider
from rexbench.agent.claude_code import ClaudeCode
from rexbench.agent.command import Command
from rexbench.agent.controls import CONTROLS
from rexbench.agent.mini_swe import MiniSWE
from rexbench.agent.openhands import OpenHands
from rexbench.agent.protocol import Adapter
from rexbench.errors import RexbenchError

SHIPPED: tuple[Adapter, ...] = (Aider(), ClaudeCode(), OpenHands(), MiniSWE(), Command())


def agents() -> dict[str, Adapter]:
    """Every agent by name; the controls are no agents, they only hand in a patch."""
    found: dict[str, Adapter] = {agent.name: agent for agent in SHIPPED}
    for point in entry_points(group="rexbench.agents"):
        offered: Adapter = point.load()()
        found[offered.name] = offered
    return found


def find_agent(name: str) -> Adapter:
    """The agent of this name."""
    module, colon, member = name.partition(":")
    if colon:
        return _imported(module, member)
    known = agents()
    if name not in known:
        near = difflib.get_close_matches(name, [*known, *CONTROLS], n=1, cutoff=0.3)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join([*known, *CONTROLS])}."
        raise RexbenchError(f"There is no agent {name!r}; {hint}")
    return known[name]


def _imported(module: str, member: str) -> Adapter:
    """The agent that a class of the user's own is."""
    try:
        found: Adapter = getattr(importlib.import_module(module), member)()
    except (ImportError, AttributeError) as error:
        raise RexbenchError(
            f"The agent {module}:{member} cannot be imported here ({error}); put its class into a module that is installed or on "
            "PYTHONPATH, or run it with the inline executor."
        ) from error
    return found
