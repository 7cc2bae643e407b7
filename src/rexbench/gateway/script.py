"""A scripted model: a list of turns in YAML that is put into whichever protocol and tools the agent at hand uses.

price_as: anthropic/claude-sonnet-4-5     # optional: what the tokens would cost
turns:
  - say: I look at the code first.
    shell: ls -R
    usage: {input: 900, output: 20}
  - edit: {path: src/run.py, find: "threshold = 5", replace: "threshold = 6"}
  - edit: {patch: "vault:gold"}           # or the text of a patch
    fault: 429                            # the first try meets a provider's fault
  - call: {name: Read, arguments: {file_path: /workspace/README.md}}
  - finish: Done.
"""

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rexbench.errors import RexbenchError

Fault = Literal["429", "500", "503", "529", "stall", "cut", "drop", "malformed"]


class _Strict(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")


class ScriptedUsage(_Strict):
    """Token counts that a turn reports."""

    input: int = Field(default=100, ge=0)
    output: int = Field(default=10, ge=0)
    cached: int = Field(default=0, ge=0)


class Edit(_Strict):
    """A change to the tree: a patch, a replacement in a file, or a whole file."""

    patch: str | None = None
    """A unified diff, or `vault:NAME` for one of the task's own (gold, near_misses/x)."""
    path: str | None = None
    find: str | None = None
    replace: str | None = None
    write: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> "Edit":
        kinds = [self.patch is not None, self.find is not None and self.replace is not None, self.write is not None]
        if sum(kinds) != 1 or (self.patch is None and not self.path):
            raise ValueError("an edit has a patch, or a path with find and replace, or a path with write")
        return self


class NativeCall(_Strict):
    """A call of a tool by the name that the agent gives it."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Turn(_Strict):
    """One answer of the model."""

    say: str = ""
    shell: str | None = None
    edit: Edit | None = None
    call: NativeCall | None = None
    finish: str | None = None
    """Ends the work with these words."""
    usage: ScriptedUsage = ScriptedUsage()
    delay: float = Field(default=0.0, ge=0)
    """Seconds before the answer begins."""
    fault: Fault | None = None
    times: int = Field(default=1, ge=1)
    """How many tries meet the fault before the turn is given as written."""

    @model_validator(mode="before")
    @classmethod
    def _fault_as_text(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("fault"), int):
            return given | {"fault": str(given["fault"])}
        return given


class Script(_Strict):
    """A scripted model."""

    turns: tuple[Turn, ...] = Field(min_length=1)
    price_as: str | None = None
    """provider/model whose price the tokens are counted at; None: the cost is unknown."""


def read_script(path: Path) -> Script:
    """The script in a YAML file; says what is wrong with it in one sentence."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise RexbenchError(f"There is no script {path}.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RexbenchError(f"{path} is not YAML: {' '.join(str(error).split())[:300]}") from error
    try:
        return Script.model_validate({"turns": content} if isinstance(content, list) else content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RexbenchError(f"{path}: {where or 'the script'}: {first['msg']}.") from error
