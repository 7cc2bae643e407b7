"""What a campaign consists of: read from options or a TOML file, checked, and multiplied out."""

import difflib
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from rexbench.agent.controls import CONTROLS
from rexbench.agent.settings import Agent
from rexbench.errors import RexbenchError
from rexbench.task.folder import HINT_LEVELS, HintLevel
from rexbench.task.schema import TaskId
from rexbench.text import printable
from rexbench.untrusted import parse_toml, read_plain

HANDED_IN = "handed-in"
"""The agent of runs whose patches were made elsewhere: there is nothing to run, only to judge."""
MAX_REPETITIONS = 10_000
MAX_RUNS = 200_000
"""Of one campaign."""
AgentName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", allow_inf_nan=False)


class RunSpec(_Strict):
    """One run of a campaign."""

    agent: AgentName
    task: TaskId
    hints: HintLevel
    repetition: int = Field(ge=1, le=MAX_REPETITIONS)

    @property
    def id(self) -> str:
        return f"{self.agent}/{self.task}/{self.hints}/{self.repetition}"

    @classmethod
    def from_id(cls, name: str) -> "RunSpec":
        agent, task, hints, repetition = name.split("/")
        return cls.model_validate({"agent": agent, "task": task, "hints": hints, "repetition": int(repetition)})


class Plan(_Strict):
    """A whole campaign, fixed when it starts."""

    agents: tuple[Agent, ...] = Field(min_length=1)
    tasks: tuple[str, ...] = Field(min_length=1)
    """Names of the suite's tasks, `package/task`, or absolute paths; once fixed, their plain names."""
    folders: dict[TaskId, str] = Field(default_factory=dict)
    """Where tasks are that are not part of the suite."""
    hints: tuple[HintLevel, ...] = ("none",)
    runs: int = Field(default=1, ge=1, le=MAX_REPETITIONS)
    listed: tuple[RunSpec, ...] | None = None
    """The runs, where they are not every combination: patches that were made elsewhere."""
    seeds: dict[TaskId, tuple[Annotated[int, Field(ge=0, lt=2**63)], ...]] = Field(default_factory=dict)
    """Held-out seeds by task, drawn when the campaign starts; never given to an agent's step."""
    sandbox: str = "bubblewrap"
    """What the campaign was started with. Whoever resumes it says so again: a folder from elsewhere chooses nothing here."""
    budget_usd: float | None = Field(default=None, gt=0)
    """Over the whole campaign; reached, no further agent is started."""
    retries: int = Field(default=2, ge=0)
    """How often a run that ended in a fault of ours is tried again."""

    @model_validator(mode="before")
    @classmethod
    def _as_of_old(cls, given: Any) -> Any:
        """Plans of 0.1.0 said whether the sandbox may be unsafe; nobody asks them any more."""
        return {key: value for key, value in given.items() if key != "unsafe"} if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _consistent(self) -> "Plan":
        agents = {spec.name for spec in self.agents}
        if len(agents) != len(self.agents):
            raise ValueError("two agents have the same name")
        if any(run.agent not in agents or run.task not in self.tasks for run in self.listed or ()):
            raise ValueError("a listed run has an agent or a task that the plan does not have")
        count = len(self.agents) * len(self.tasks) * len(self.hints) * self.runs if self.listed is None else len(self.listed)
        if count > MAX_RUNS:
            raise ValueError(f"{count} runs are more than the {MAX_RUNS} that a campaign may have")
        return self

    def address(self, task: str) -> str:
        """What leads a suite to this task."""
        return self.folders.get(task, task)

    def agent(self, name: str) -> Agent:
        return next(spec for spec in self.agents if spec.name == name)


def plan_runs(plan: Plan) -> list[RunSpec]:
    """Every run, repetition by repetition, so that a campaign that is cut short has covered everything evenly."""
    if plan.listed is not None:
        return list(plan.listed)
    return [
        RunSpec(agent=agent.name, task=task, hints=hints, repetition=repetition)
        for repetition in range(1, plan.runs + 1)
        for hints in plan.hints
        for task in plan.tasks
        for agent in plan.agents
    ]


class CampaignFile(_Strict):
    """What a TOML file may say."""

    agent: tuple[Agent, ...] = ()
    tasks: tuple[str, ...] | None = None
    """Or "all"."""
    hints: tuple[str, ...] | None = None
    """Or "all"."""
    runs: int | None = Field(default=None, ge=1)
    budget_usd: float | None = Field(default=None, gt=0)
    """Over the whole campaign."""

    @field_validator("tasks", "hints", mode="before")
    @classmethod
    def _all(cls, given: Any) -> Any:
        return (given,) if isinstance(given, str) else given


def read_campaign_file(path: Path) -> CampaignFile:
    """A file of agents, with or without the rest of a campaign."""
    try:
        content = read_plain(path, follow=True)
    except FileNotFoundError as error:
        raise RexbenchError(f"There is no file {path}, and no preset of that name; see rexbench agents list.") from error
    return _validated(parse_toml(content, path), str(path))


def find_agents(names: str) -> CampaignFile:
    """Agents by preset name, control or file; several with commas between them."""
    presets = {spec.name: spec for spec in read_presets()}
    found: list[Agent] = []
    rest = CampaignFile()
    for name in filter(None, (part.strip() for part in names.split(","))):
        if name in presets:
            found.append(presets[name])
        elif name in CONTROLS:
            found.append(Agent(name))
        elif name == "published":
            found += [spec for spec in presets.values() if spec.condition == "paper"]
        elif "/" in name or name.endswith(".toml"):
            rest = read_campaign_file(Path(name))
            found += rest.agent
        else:
            near = difflib.get_close_matches(name, [*presets, *CONTROLS, "published"], n=1, cutoff=0.3)
            hint = f"did you mean {near[0]}?" if near else "see rexbench agents list."
            raise RexbenchError(f"There is no agent preset {name!r}; {hint}")
    twice = {spec.name for spec in found if sum(other.name == spec.name for other in found) > 1}
    if twice:
        raise RexbenchError(f"Two agents have the name {sorted(twice)[0]!r}; names tell the agents of a campaign apart.")
    return rest.model_copy(update={"agent": tuple(found)})


def read_presets() -> tuple[Agent, ...]:
    """The shipped agents with models: those of the published benchmark, and a current set."""
    content = tomllib.loads((files("rexbench.campaign") / "presets.toml").read_text(encoding="utf-8"))
    return _validated(content, "presets.toml").agent


def read_hints(text: str) -> tuple[HintLevel, ...]:
    """`all`, or levels with commas between them."""
    if text == "all":
        return HINT_LEVELS
    chosen = tuple(level for level in HINT_LEVELS if level in text.split(","))
    unknown = set(text.split(",")) - set(HINT_LEVELS)
    if unknown or not chosen:
        raise RexbenchError(f"There is no hint level {sorted(unknown)[0]!r}; there are: {', '.join(HINT_LEVELS)}, all.")
    return chosen


def make_agent(values: dict[str, Any], for_all: dict[str, Any]) -> Agent:
    """An agent from options and what goes for every agent; a value that cannot be is named."""
    try:
        return Agent.model_validate(values | for_all)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RexbenchError(f"The agent's {place} cannot be {first['input']!r}: {_lowered(first['msg'])}.") from error


def _validated(content: dict[str, Any], where: str) -> CampaignFile:
    try:
        return CampaignFile.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = printable(".".join(str(part) for part in first["loc"]), 100)
        known = [*Agent.model_fields, *CampaignFile.model_fields]
        near = difflib.get_close_matches(str(first["loc"][-1]), known, n=1) if first["type"] == "extra_forbidden" else []
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RexbenchError(f"{where}: {place}: {_lowered(first['msg'])}{hint}.") from error


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]
