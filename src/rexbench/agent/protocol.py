"""What every agent is: a program to install, a command to start it with, a log to read."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from rexbench.gateway.wires.protocol import WireName
from rexbench.untrusted import NotTaken, open_plain

PROGRAM = "/opt/rexbench-agent"
"""Where the agent's program stands in the sandbox, read-only."""
OUTPUT = "/output"
"""Where the agent writes its own logs: outside the tree, kept with the run."""
TASK_FILE = f"{OUTPUT}/task.md"
"""The prompt as a file, for programs that take one."""
GATEWAY = "{gateway}"
"""Stands for the gateway's address in commands and variables; known only once the sandbox runs."""
DUMMY_KEY = "sk-rexbench-dummy"
"""What agents are given in place of a key."""
LONGEST_LOG = 4 * 1024 * 1024
"""Bytes of a log of an agent's that are read and kept."""

Kind = Literal["python", "node"]


@dataclass(frozen=True)
class Brief:
    """What an agent is told."""

    prompt: str
    model: str
    """The model's bare name, as requests must carry it."""
    wire: WireName
    """The protocol to speak, out of those that both the agent and the provider know."""
    provider: str
    """The provider's name, by which some programs choose their settings for a model; empty for scripted ones."""
    seconds: float
    scripted: bool = False
    """The model is scripted: a program that adapts to known models needs to be told what to do."""
    options: dict[str, str] = field(default_factory=dict)
    """Settings of this agent alone."""


@dataclass(frozen=True)
class Launch:
    """How a program is started in its sandbox."""

    command: list[str]
    variables: dict[str, str]
    files: dict[str, str] = field(default_factory=dict)
    """Files to find under OUTPUT at the start, by name."""


@dataclass(frozen=True)
class Said:
    """What a program's own log says about how it ended."""

    finished: bool | None = None
    """Whether it says that it is done; None where it does not say."""
    last_words: str = ""


class Adapter(Protocol):
    """A coding agent."""

    name: str
    wires: tuple[WireName, ...]
    """Protocols it can speak, best first."""
    program: str | None
    """Name of its installation; None where there is nothing to install."""

    def launch(self, brief: Brief) -> Launch:
        """How to start it on this brief."""
        ...

    def read_log(self, output: Path) -> Said:
        """What it left under OUTPUT. The files are the agent's: never trusted, read with bounds."""
        ...


def read_bounded(path: Path, limit: int = LONGEST_LOG) -> str:
    """The end of a log that an agent wrote; empty where it is not a plain file, be it a link, a pipe or a folder."""
    try:
        with open_plain(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - limit))
            return file.read(limit).decode(errors="replace")
    except (OSError, NotTaken):
        return ""


def litellm_model(brief: Brief) -> str:
    """The name by which LiteLLM (aider, OpenHands, mini-swe-agent) picks the protocol."""
    prefix = {"anthropic": "anthropic", "openai-chat": "openai", "openai-responses": "openai/responses"}[brief.wire]
    if brief.wire == "openai-chat" and brief.provider == "deepseek":
        prefix = "deepseek"  # its settings for these models hang on the name
    return f"{prefix}/{brief.model}"


def litellm_variables() -> dict[str, str]:
    """Where LiteLLM finds the gateway; its price list would otherwise be fetched at every start."""
    return {
        "OPENAI_API_BASE": f"{GATEWAY}/v1",
        "OPENAI_BASE_URL": f"{GATEWAY}/v1",
        "OPENAI_API_KEY": DUMMY_KEY,
        "ANTHROPIC_API_BASE": GATEWAY,
        "ANTHROPIC_BASE_URL": GATEWAY,
        "ANTHROPIC_API_KEY": DUMMY_KEY,
        "DEEPSEEK_API_BASE": f"{GATEWAY}/v1",
        "DEEPSEEK_API_KEY": DUMMY_KEY,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_TELEMETRY": "False",
    }
