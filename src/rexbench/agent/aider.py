"""aider, run once over the prompt with its repository map on; its histories and caches stay out of the tree."""

from pathlib import Path

from rexbench.agent.protocol import OUTPUT, PROGRAM, TASK_FILE, Brief, Launch, Said, litellm_model, litellm_variables, read_bounded
from rexbench.gateway.wires.protocol import WireName


class Aider:
    """The program `aider`."""

    name = "aider"
    wires: tuple[WireName, ...] = ("openai-chat", "anthropic")
    program: str | None = "aider"

    def launch(self, brief: Brief) -> Launch:
        command = [f"{PROGRAM}/bin/python", "-m", "aider", "--model", litellm_model(brief), "--message-file", TASK_FILE]
        command += ["--yes-always", "--no-auto-commits", "--no-dirty-commits", "--no-gitignore", "--no-check-update", "--no-pretty"]
        command += ["--analytics-disable", "--no-show-model-warnings", "--no-show-release-notes", "--no-detect-urls"]
        command += ["--disable-playwright", "--no-suggest-shell-commands", "--no-stream", "--no-fancy-input"]
        for kind in ("input", "chat", "llm"):
            command += [f"--{kind}-history-file", f"{OUTPUT}/{kind}-history.md"]
        edit_format = brief.options.get("edit_format") or ("diff" if brief.scripted else None)
        if edit_format:  # aider knows the best one for the models that it knows
            command += ["--edit-format", edit_format]
        return Launch(command, litellm_variables())

    def read_log(self, output: Path) -> Said:
        log = read_bounded(output / "stdout.log")
        lines = [line for line in log.splitlines() if line.strip()]
        failed = any("litellm." in line and "Error" in line for line in lines[-40:])
        return Said(False if failed else None, "\n".join(lines[-5:]))
