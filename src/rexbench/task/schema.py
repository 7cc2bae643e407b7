"""What `task.toml` may say. Strict: an unknown key is an error that names the nearest known one, with its line."""

import difflib
import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, get_args

import pydantic
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    field_validator,
    model_serializer,
    model_validator,
)

from rexbench.errors import BrokenTask
from rexbench.untrusted import NotTaken, parse_toml, read_plain

TASK_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
TaskId = Annotated[str, StringConstraints(pattern=TASK_ID)]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
MetricKind = Literal["exact", "float", "noisy"]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Paper(_Table):
    """The publication that the task extends."""

    key: Text
    """`repo/papers/<key>.md` is its digest."""
    title: Text
    authors: Text
    venue: Text
    year: int
    arxiv: str
    """Identifier such as 2309.00941; empty where there is none."""


class Experiment(_Table):
    """How the patched tree is run."""

    command: Text
    """Run by bash in the tree's root."""
    entry: Text
    """The file in the tree that the command starts."""
    seed_variable: str = ""
    """Environment variable that sets the training seed; empty where the result does not depend on one."""

    @model_validator(mode="after")
    def _entry_is_in_command(self) -> "Experiment":
        if self.entry not in self.command:
            raise ValueError(f"command does not start the entry {self.entry!r}")
        return self


class Limits(_Table):
    """What one run of the experiment may use."""

    seconds: float = Field(gt=0)
    memory_mb: int = Field(gt=0)
    processes: int = Field(default=64, gt=1)
    disk_mb: int = Field(default=512, gt=0)
    """What the run may add to the tree."""
    output_mb: int = Field(default=16, gt=0)
    """What the run may print."""
    gpus: int = Field(default=0, ge=0, le=8)
    """GPUs that a run needs for itself."""

    @model_serializer(mode="wrap")
    def _as_ever_without_gpus(self, dump: SerializerFunctionWrapHandler) -> dict[str, object]:
        """A task that needs none has the digest that it had before there was the key."""
        dumped: dict[str, object] = dump(self)
        return dumped if self.gpus else {name: value for name, value in dumped.items() if name != "gpus"}


class Artefact(_Table):
    """A file that the experiment must write."""

    path: Text
    """Relative to the tree's root; `*` stands for anything inside one path segment."""
    max_mb: float = Field(default=8, gt=0, le=64)
    files: int = Field(default=1, gt=0)
    """How many files the path must match."""

    @field_validator("path")
    @classmethod
    def _plain(cls, path: str) -> str:
        return _relative(path)


class Metric(_Table):
    """A number or text that the judge computes from the artefacts."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    kind: MetricKind
    """exact: equal to gold's; float: within 1e-6 relative; noisy: inside the prediction interval around gold's."""
    about: Text
    spread: str = ""
    """Noisy metrics of one kind may name the same spread: none is then given a smaller standard deviation than they have together,
    since a handful of seeds says little about the tail of each alone."""


class Calibration(_Table):
    """Written by `rexbench task calibrate`, never by hand."""

    variants: int = Field(gt=0)
    seeds: int = Field(gt=0)
    degrees_of_freedom: int = Field(ge=0)
    """variants x (seeds - 1); 0 where no metric is noisy."""
    false_rejection: float = Field(gt=0, lt=0.5)
    """Share of correct runs that the joint interval may refuse."""
    gold_seconds: float = Field(gt=0)
    """Slowest gold run, one at a time."""
    gold_memory_mb: int = Field(ge=0)
    sd: dict[str, float] = Field(default_factory=dict)
    """Standard deviation over training seeds within a variant, pooled over variants, per noisy metric (see `Metric.spread`)."""


class TaskSpec(_Table):
    """`task.toml` as a whole."""

    id: TaskId
    title: Text
    area: Text
    environment: Literal["base", "torch"]
    held_out: int = Field(gt=0)
    """How many held-out variants a verdict needs."""
    protected: tuple[str, ...]
    """Paths that no patch may touch; a folder ends in a slash."""
    ignored: tuple[str, ...] = ()
    """Paths that are no part of anybody's work, such as what trial runs write beside the artefacts; a folder ends in a slash."""
    paper: Paper
    experiment: Experiment
    limits: Limits
    artefacts: tuple[Artefact, ...] = Field(min_length=1)
    metrics: tuple[Metric, ...] = Field(min_length=1)
    calibration: Calibration | None = None

    @field_validator("protected", "ignored", "artefacts", "metrics", mode="before")
    @classmethod
    def _tuples(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("protected", "ignored")
    @classmethod
    def _plain(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_relative(path.removesuffix("/")) + "/" * path.endswith("/") for path in paths)

    @field_validator("protected")
    @classmethod
    def _with_data(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        if "data/" not in paths:
            raise ValueError("must contain data/, which the evaluation replaces")
        return paths

    @model_validator(mode="after")
    def _consistent(self) -> "TaskSpec":
        names = [metric.name for metric in self.metrics]
        if len(set(names)) != len(names):
            raise ValueError("two metrics have the same name")
        if self.calibration is not None:
            noisy = {metric.name for metric in self.metrics if metric.kind == "noisy"}
            if set(self.calibration.sd) != noisy:
                raise ValueError("calibration.sd does not name exactly the noisy metrics; run `rexbench task calibrate` again")
        return self


def read_spec(path: Path) -> TaskSpec:
    """Parse and validate a `task.toml`; raises `BrokenTask` that names key and line."""
    try:
        content = read_plain(path, follow=True)
        return TaskSpec.model_validate(parse_toml(content, path))
    except NotTaken as error:
        raise BrokenTask(str(error)) from error
    except FileNotFoundError as error:
        raise BrokenTask(f"There is no file {path}.") from error
    except pydantic.ValidationError as error:
        raise BrokenTask(f"{path}: {_first_defect(error, content.decode())}.") from error


def _relative(path: str) -> str:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or "\\" in path or str(parts) != path:
        raise ValueError(f"{path!r} is not a plain relative path")
    return path


def _first_defect(error: pydantic.ValidationError, text: str) -> str:
    # A misspelt key shows up twice, as one missing and one unknown; the unknown one has the line that the author wrote.
    defect = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
    keys = [str(part) for part in defect["loc"]]
    line = _line_of(keys, text)
    where = f"line {line}: " if line else ""
    name = ".".join(keys)
    if defect["type"] == "extra_forbidden":
        near = difflib.get_close_matches(keys[-1], _known_keys(keys[:-1]), n=1, cutoff=0)
        return f"{where}unknown key {name}; did you mean {near[0]}?" if near else f"{where}unknown key {name}"
    if defect["type"] == "missing":
        return f"{where}the key {name} is missing"
    return f"{where}{name or 'task'}: {defect['msg'].removeprefix('Value error, ')}"


def _known_keys(table: list[str]) -> list[str]:
    """The keys that the table at this path may have."""
    model: type[BaseModel] = TaskSpec
    for name in table:
        if name.isdigit():
            continue
        field = model.model_fields.get(name)
        inner = [] if field is None else [field.annotation, *get_args(field.annotation)]
        model = next((kind for kind in inner if isinstance(kind, type) and issubclass(kind, BaseModel)), model)
    return list(model.model_fields)


def _line_of(keys: list[str], text: str) -> int | None:
    """The line on which the innermost key stands that the file really has; good enough for a message, not a parser."""
    lines = text.splitlines()
    at, found = 0, None
    while keys:
        name, *keys = keys
        nth = int(keys.pop(0)) if keys and keys[0].isdigit() else 0
        pattern = re.compile(rf"^\s*(\[\[?([\w.]+\.)?{re.escape(name)}\]\]?|{re.escape(name)}\s*=|\"{re.escape(name)}\"\s*=)")
        hits = [number for number, line in enumerate(lines) if number >= at and pattern.match(line)]
        if len(hits) <= nth:
            break
        at = found = hits[nth]
    return None if found is None else found + 1
