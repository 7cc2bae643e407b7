"""What a submission's archive tells of its agents' steps: model, version, tokens, money. Nothing of it bears on a verdict."""

import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rexbench.interop.archive import opened, read_member
from rexbench.interop.patches import HandedIn, Told
from rexbench.record.model import TokenCount
from rexbench.text import printable
from rexbench.untrusted import NotTaken, parse_json

_MAX_RECORD = 16 * 2**20
_MAX_TEXT = 100


class _Step(BaseModel):
    """Of an agent's step, what is shown beside its verdict; the rest of the record is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    agent: str = ""
    model: str = ""
    agent_version: str = ""
    tokens: TokenCount = Field(default_factory=TokenCount)
    cost_usd: float | None = Field(default=None, ge=0, le=1e9)


def with_told(path: Path, patches: Sequence[HandedIn]) -> list[HandedIn]:
    """The patches of an archive, each with what its `agent.json` tells: nothing where that cannot be read."""
    with opened(path) as archive:
        return [replace(one, told=_told(archive, f"runs/{one.id}/agent.json")) for one in patches]


def _told(archive: zipfile.ZipFile, name: str) -> Told:
    try:
        if archive.getinfo(name).file_size > _MAX_RECORD:
            return Told()
        step = _Step.model_validate(parse_json(read_member(archive, name), name))
    except (KeyError, NotTaken, ValidationError):
        return Told()
    version = printable(f"{step.agent} {step.agent_version}".strip(), _MAX_TEXT)
    return Told(printable(step.model, _MAX_TEXT), step.tokens, step.cost_usd, version=version)
