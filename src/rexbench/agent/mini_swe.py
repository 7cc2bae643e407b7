"""mini-swe-agent, with its own trajectory file as the log."""

from pathlib import Path

from rexbench.agent.protocol import (
    LONGEST_LOG,
    OUTPUT,
    PROGRAM,
    Brief,
    Launch,
    Said,
    litellm_model,
    litellm_variables,
    read_bounded,
)
from rexbench.gateway.wires.protocol import WireName
from rexbench.untrusted import NotTaken, parse_json


class MiniSWE:
    """The program `mini`."""

    name = "mini-swe-agent"
    wires: tuple[WireName, ...] = ("openai-chat", "anthropic")
    program: str | None = "mini-swe-agent"

    def launch(self, brief: Brief) -> Launch:
        command = [f"{PROGRAM}/bin/mini", "--yolo", "--exit-immediately", "--cost-limit", "0", "--model", litellm_model(brief)]
        command += ["--task", brief.prompt, "--output", f"{OUTPUT}/mini-trajectory.json"]
        return Launch(
            command,
            litellm_variables()
            | {
                "MSWEA_CONFIGURED": "true",
                "MSWEA_COST_TRACKING": "ignore_errors",
                "MSWEA_GLOBAL_CONFIG_DIR": f"{OUTPUT}/mini",
                "MSWEA_SILENT_STARTUP": "1",
                "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "3",
            },
        )

    def read_log(self, output: Path) -> Said:
        try:
            told = read_bounded(output / "mini-trajectory.json", 4 * LONGEST_LOG)
            status = str(parse_json(told, "mini-trajectory.json")["info"].get("exit_status", ""))
        except (NotTaken, KeyError, TypeError, AttributeError, IndexError):
            return Said(False, read_bounded(output / "stderr.log", 2000))
        return Said(status == "Submitted", status)
