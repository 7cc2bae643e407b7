"""Claude Code, headless, with its event stream as the log."""

from pathlib import Path

from rexbench.agent.protocol import DUMMY_KEY, GATEWAY, OUTPUT, PROGRAM, Brief, Launch, Said, read_bounded
from rexbench.gateway.wires.protocol import WireName
from rexbench.untrusted import NotTaken, parse_json

_BINARY = f"{PROGRAM}/node_modules/@anthropic-ai/claude-code/bin/claude.exe"


class ClaudeCode:
    """The program `claude`."""

    name = "claude-code"
    wires: tuple[WireName, ...] = ("anthropic",)
    program: str | None = "claude-code"

    def launch(self, brief: Brief) -> Launch:
        command = [_BINARY, "--print", "--output-format", "stream-json", "--verbose"]
        command += ["--dangerously-skip-permissions", "--model", brief.model]
        if "max_turns" in brief.options:
            command += ["--max-turns", brief.options["max_turns"]]
        # The provider's own web tools run outside the sandbox; the gateway would refuse them, so they are not offered either.
        command += ["--disallowedTools", "WebSearch", "WebFetch", "--", brief.prompt]
        families = (f"ANTHROPIC_DEFAULT_{family}_MODEL" for family in ("HAIKU", "SONNET", "OPUS"))
        one_model = ("ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL", *families)
        return Launch(
            command,
            {
                "ANTHROPIC_BASE_URL": GATEWAY,
                "ANTHROPIC_API_KEY": DUMMY_KEY,
                "CLAUDE_CONFIG_DIR": f"{OUTPUT}/claude",
                "IS_SANDBOX": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_TELEMETRY": "1",
                "DISABLE_ERROR_REPORTING": "1",
                **dict.fromkeys(one_model, brief.model),
            },
        )

    def read_log(self, output: Path) -> Said:
        for line in reversed(read_bounded(output / "stdout.log").splitlines()):
            try:
                event = parse_json(line, "stdout.log")
            except NotTaken:
                continue
            if isinstance(event, dict) and event.get("type") == "result":
                return Said(not event.get("is_error"), str(event.get("result", ""))[-2000:])
        return Said(False, read_bounded(output / "stderr.log", 2000))
