"""From a scripted turn to an answer in the ways of the agent that asks: its shell tool, its finish tool, or edit blocks in text."""

import json
import re
import shlex
from typing import Any

from rexbench.gateway.exchange import FEW_TOKENS
from rexbench.gateway.script import Edit, Turn
from rexbench.gateway.wires.protocol import Answer, Body, ToolCall, Usage, Wire

SHELLS = ("Bash", "bash", "terminal", "execute_bash", "shell", "run_command", "run_shell_command")
FINISHES = ("finish", "submit", "attempt_completion")
MINI_SWE_END = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What mini-swe-agent takes as the end of the work when a command prints it."""
_REPLACE = """python3 - <<'REXBENCH_EDIT'
import json, pathlib
edit = json.loads({edit!r})
path = pathlib.Path(edit["path"])
text = path.read_text()
assert edit["find"] in text, "the text to replace is not in " + edit["path"]
path.write_text(text.replace(edit["find"], edit["replace"], 1))
REXBENCH_EDIT"""


def is_main(wire: Wire, body: Body) -> bool:
    """Whether a script's next turn answers this request: programs also ask for titles, summaries and quota on the side.

    Decided request by request, unlike `exchange.main_conversation`: a program without tools must tell the model how to write edits.
    """
    if wire.tools(body):
        return True
    limit = body.get("max_tokens")
    if isinstance(limit, int) and limit <= FEW_TOKENS:
        return False
    return _speaks_edit_blocks(wire, body)


def answer_in_dialect(turn: Turn, wire: Wire, body: Body, number: int) -> Answer:
    """The turn as this agent must hear it."""
    usage = Usage(turn.usage.input, turn.usage.output, turn.usage.cached)
    tools = wire.tools(body)
    shell = next((name for name in SHELLS if name in tools), None)
    text, calls = turn.say, []
    if turn.call:
        calls.append(_call(turn.call.name, turn.call.arguments, tools, number))
    if turn.shell is not None:
        if shell:
            calls.append(_call(shell, {"command": turn.shell}, tools, number))
        else:
            text += f"\n\n```bash\n{turn.shell}\n```\n"
    if turn.edit:
        if shell:
            calls.append(_call(shell, {"command": as_command(turn.edit)}, tools, number))
        else:
            text += "\n\n" + as_blocks(turn.edit)
    if turn.finish is not None:
        finish = next((name for name in FINISHES if name in tools), None)
        if finish:
            calls.append(_call(finish, {"message": turn.finish}, tools, number))
        elif shell and any(MINI_SWE_END in message.text for message in wire.messages(body)):
            calls.append(_call(shell, {"command": f"echo {MINI_SWE_END}"}, tools, number))
            text = "\n".join(filter(None, (text, turn.finish)))
        else:
            text = "\n".join(filter(None, (text, turn.finish)))
    return Answer(text.strip() or ("" if calls else "."), "", tuple(calls), usage, True)


def as_command(edit: Edit) -> str:
    """An edit as a shell command."""
    if edit.patch is not None:
        return f"git apply --whitespace=nowarn - <<'REXBENCH_PATCH'\n{edit.patch.rstrip(chr(10))}\nREXBENCH_PATCH"
    path = shlex.quote(str(edit.path))
    if edit.write is not None:
        return f"mkdir -p \"$(dirname {path})\" && cat > {path} <<'REXBENCH_EDIT'\n{_ended(edit.write)}REXBENCH_EDIT"
    return _REPLACE.format(edit=json.dumps({"path": edit.path, "find": edit.find, "replace": edit.replace}))


def as_blocks(edit: Edit) -> str:
    """An edit as SEARCH/REPLACE blocks."""
    if edit.patch is None:
        return _block(str(edit.path), edit.find or "", edit.write if edit.write is not None else str(edit.replace))
    blocks = []
    for part in re.split(r"^diff --git ", edit.patch, flags=re.MULTILINE)[1:]:
        path = re.search(r"^\+\+\+ b/(.+?)\t?$", part, re.MULTILINE)
        if not path:
            continue
        for hunk in re.split(r"^@@ .*@@.*\n", part, flags=re.MULTILINE)[1:]:
            lines = [line for line in hunk.splitlines(keepends=True) if not line.startswith("\\")]
            before = "".join(line[1:] or "\n" for line in lines if line[:1] in " -\n")
            after = "".join(line[1:] or "\n" for line in lines if line[:1] in " +\n")
            blocks.append(_block(path.group(1), before, after))
    return "\n".join(blocks)


def _block(path: str, before: str, after: str) -> str:
    fence = "````"
    parts = [_ended(before), _ended(after)]
    return f"{path}\n{fence}\n<<<<<<< SEARCH\n{parts[0]}=======\n{parts[1]}>>>>>>> REPLACE\n{fence}\n"


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _call(name: str, arguments: Body, tools: dict[str, Body], number: int) -> ToolCall:
    """A call with every argument that the tool's schema requires; what the script does not say gets a plain value."""
    schema = tools.get(name) or {}
    filled = dict(arguments)
    for required in schema.get("required") or []:
        if required not in filled:
            filled[required] = _plain_value((schema.get("properties") or {}).get(required) or {})
    return ToolCall(f"toolu_{number:04d}{abs(hash_of(name, filled)) % 10**8:08d}", name, filled)


def hash_of(name: str, arguments: Body) -> int:
    """A number that depends on the call alone, the same in every process."""
    import zlib

    return zlib.crc32(shlex.quote(name).encode() + json.dumps(arguments, sort_keys=True).encode())


def _plain_value(schema: dict[str, Any]) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    return {"string": "scripted", "boolean": False, "integer": 0, "number": 0, "array": [], "object": {}}.get(
        str(schema.get("type", "string")), "scripted"
    )


def _speaks_edit_blocks(wire: Wire, body: Body) -> bool:
    if wire.tools(body):
        return False
    return any("SEARCH/REPLACE" in message.text or "```bash" in message.text for message in wire.messages(body)[:2])
