"""Any other agent: a command line in which `{instructions}`, `{prompt}`, `{model}` and `{gateway}` are filled in."""

import shlex
from pathlib import Path

from rexbench.agent.protocol import GATEWAY, Brief, Launch, Said, litellm_variables, read_bounded
from rexbench.errors import RexbenchError
from rexbench.gateway.wires.protocol import WireName
from rexbench.sandbox.protocol import WORKSPACE
from rexbench.workspace.tree import INSTRUCTIONS


class Command:
    """A command of the user's. It finds the usual variables (OPENAI_BASE_URL, ANTHROPIC_BASE_URL, dummy keys)."""

    name = "command"
    wires: tuple[WireName, ...] = ("openai-chat", "anthropic", "openai-responses")
    program: str | None = None

    def launch(self, brief: Brief) -> Launch:
        line = brief.options.get("command")
        if not line:
            raise RexbenchError("The agent 'command' needs a command; give it with --command 'my-agent {instructions}'.")
        filled = {"instructions": f"{WORKSPACE}/{INSTRUCTIONS}", "prompt": shlex.quote(brief.prompt), "model": brief.model}
        for name, value in filled.items():
            line = line.replace("{" + name + "}", value)
        variables = litellm_variables() | {"MODEL": brief.model, "GATEWAY": GATEWAY}
        return Launch(["bash", "-c", line], variables)

    def read_log(self, output: Path) -> Said:
        lines = read_bounded(output / "stdout.log").splitlines()
        return Said(None, "\n".join(lines[-5:]))
