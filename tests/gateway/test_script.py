"""Scripts: read strictly, and put into each agent's own ways."""

from pathlib import Path

import pytest

from rexbench.errors import RexbenchError
from rexbench.gateway.dialect import answer_in_dialect, as_blocks, is_main
from rexbench.gateway.script import Edit, Turn, read_script
from rexbench.gateway.wires.choose import WIRES

PATCH = """diff --git a/x.py b/x.py
--- a/x.py
+++ b/x.py
@@ -1,3 +1,3 @@
 one

-two
+three
"""


def tools(*names: str, required: tuple[str, ...] = ()) -> dict[str, object]:
    schema = {"properties": {"security_risk": {"enum": ["LOW", "HIGH"]}}, "required": list(required)}
    return {"tools": [{"type": "function", "function": {"name": name, "parameters": schema}} for name in names]}


@pytest.mark.parametrize("shell", ["Bash", "terminal", "bash"])
def test_a_shell_turn_uses_the_agents_own_shell(shell: str) -> None:
    answer = answer_in_dialect(Turn(shell="ls"), WIRES["openai-chat"], tools(shell, "other"), 1)
    assert [(call.name, call.arguments) for call in answer.calls] == [(shell, {"command": "ls"})]


def test_arguments_that_a_tool_requires_are_filled_in() -> None:
    answer = answer_in_dialect(Turn(shell="ls"), WIRES["openai-chat"], tools("terminal", required=("command", "security_risk")), 1)
    assert answer.calls[0].arguments == {"command": "ls", "security_risk": "LOW"}


def test_an_edit_without_tools_is_written_as_blocks() -> None:
    blocks = as_blocks(Edit(patch=PATCH))
    assert "x.py\n````\n<<<<<<< SEARCH\none\n\ntwo\n=======\none\n\nthree\n>>>>>>> REPLACE" in blocks


def test_finishing_uses_the_finish_tool_where_there_is_one() -> None:
    assert answer_in_dialect(Turn(finish="Done."), WIRES["openai-chat"], tools("terminal", "finish"), 1).calls[0].name == "finish"
    plain = answer_in_dialect(Turn(finish="Done."), WIRES["openai-chat"], tools("Bash"), 1)
    assert (plain.text, plain.calls) == ("Done.", ())


def test_requests_on_the_side_are_told_from_the_conversation() -> None:
    wire = WIRES["openai-chat"]
    asked = {"messages": [{"role": "system", "content": "Write *SEARCH/REPLACE blocks*"}]}
    assert is_main(wire, tools("bash")) and is_main(wire, asked)
    assert not is_main(wire, {"messages": [{"role": "user", "content": "Write a title"}]})
    assert not is_main(wire, asked | {"max_tokens": 1})


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("turns: [{sya: hello}]", "turns.0.sya"),
        ("turns: []", "turns"),
        ("- edit: {path: x}", "an edit has a patch"),
        ("- {say: a, fault: 418}", "fault"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_broken_script_is_refused_in_one_sentence(content: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(content)
    with pytest.raises(RexbenchError, match=complaint):
        read_script(tmp_path / "s.yaml")


def test_a_script_may_be_a_bare_list_and_name_a_fault_by_number(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("- {say: a, fault: 429, times: 2}\n- finish: Done.\n")
    script = read_script(tmp_path / "s.yaml")
    assert [turn.fault for turn in script.turns] == ["429", None]
