"""OpenHands, headless, with its JSON events as the log."""

from pathlib import Path

from rexbench.agent.protocol import (
    DUMMY_KEY,
    GATEWAY,
    OUTPUT,
    PROGRAM,
    TASK_FILE,
    Brief,
    Launch,
    Said,
    litellm_model,
    litellm_variables,
    read_bounded,
)
from rexbench.gateway.wires.protocol import WireName


class OpenHands:
    """The program `openhands`."""

    name = "openhands"
    wires: tuple[WireName, ...] = ("openai-chat", "anthropic", "openai-responses")
    program: str | None = "openhands"

    def launch(self, brief: Brief) -> Launch:
        command = [f"{PROGRAM}/bin/openhands", "--headless", "--json", "--override-with-envs", "-f", TASK_FILE]
        base = GATEWAY if brief.wire == "anthropic" else f"{GATEWAY}/v1"
        variables = litellm_variables() | {
            "LLM_MODEL": litellm_model(brief),
            "LLM_BASE_URL": base,
            "LLM_API_KEY": DUMMY_KEY,
            "OPENHANDS_PERSISTENCE_DIR": f"{OUTPUT}/openhands",
            "PERSISTENCE_DIR": f"{OUTPUT}/openhands",
            "OPENHANDS_SUPPRESS_BANNER": "1",
            "OPENHANDS_WORK_DIR": "/workspace",
            "DO_NOT_TRACK": "1",
        }
        return Launch(command, variables)

    def read_log(self, output: Path) -> Said:
        log = read_bounded(output / "stdout.log")
        finished = "FinishAction" in log or '"tool_name": "finish"' in log or '"tool_name":"finish"' in log
        lines = [line for line in log.splitlines() if line.strip()]
        return Said(True if finished else None, "\n".join(lines[-5:])[-2000:])
