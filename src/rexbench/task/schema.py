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


class Figure(_Table):
    """The one number that a scored task is about, computed by the judge from the artefacts and the truth."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    direction: Literal["higher", "lower"]
    """Which is better."""
    scale: Literal["linear", "log"] = "linear"
    """On which steps are comparable: `log` for errors."""
    about: Text


class Column(_Table):
    """How one column of a table is compared with live gold's."""

    name: Text
    kind: Literal["exact", "float", "within", "ignore"] = "exact"
    """exact: the same text; float: within 1e-6 relative; within: within `tolerance`; ignore: not compared."""
    tolerance: float = Field(default=0.0, ge=0)


class RowTable(_Table):
    """An artefact that is a keyed table: the core compares it with live gold's row by row."""

    path: Text
    """A .csv, .tsv or .jsonl file among the artefacts, or an .npy array, whose rows are its first side."""
    keys: tuple[str, ...] = ()
    """Columns that name a row; an array's rows are named by their index."""
    columns: tuple[Column, ...] = ()
    """Columns that are not named here are compared as text."""
    agreement: str = ""
    """A noisy metric's name: the share of rows that agree with live gold's is that metric. Empty: rows must agree, see `least`."""
    least: float = Field(default=1.0, gt=0, le=1)
    """Share of rows that must agree: under 1 where the order of a sum may tip a row over, and nothing else may."""

    @field_validator("keys", "columns", mode="before")
    @classmethod
    def _tuples(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _named_rows(self) -> "RowTable":
        if bool(self.keys) == self.path.endswith(".npy"):
            raise ValueError(f"{self.path}: a table has keys, and an .npy array has none")
        return self


class Guard(_Table):
    """A command that must still work after the patch, run on held-out data on the patched and on another tree."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    command: Text
    against: Literal["base", "gold"] = "base"
    """Whose run it is compared with: the unpatched repository's or gold's."""
    artefacts: tuple[Artefact, ...] = Field(min_length=1)
    """What it writes; compared byte for byte, or as a table where one is declared below."""
    tables: tuple[RowTable, ...] = ()

    @field_validator("artefacts", "tables", mode="before")
    @classmethod
    def _tuples(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


class Laboratory(_Table):
    """A hidden world that answers questions."""

    budget: int = Field(gt=0)
    """What a run may ask, in the laboratory's own units."""


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
    agreement: dict[str, float] = Field(default_factory=dict)
    """Mean share of rows on which gold under another training seed agrees with gold, per agreement metric."""
    score_sd: float | None = Field(default=None, ge=0)
    """Scored tasks: standard deviation of gold's figure over secret seeds, in units of the mean gap between base and gold."""
    gap: float | None = None
    """Scored tasks: that gap in standard deviations of gold's figure."""

    @model_serializer(mode="wrap")
    def _as_ever_without_scores(self, dump: SerializerFunctionWrapHandler) -> dict[str, object]:
        """A calibration that measures none of it is digested as before there was the key."""
        dumped: dict[str, object] = dump(self)
        return {name: value for name, value in dumped.items() if value or name not in ("agreement", "score_sd", "gap")}


class TaskSpec(_Table):
    """`task.toml` as a whole."""

    id: TaskId
    title: Text
    area: Text
    kind: Literal["replication", "scored"] = "replication"
    """replication: gold's numbers must come out; scored: a result is asked for, 0 is the baseline and 1 is gold."""
    edition: int = Field(default=1, gt=0)
    """Gold is frozen within an edition, so that scores stay comparable."""
    environment: Literal["base", "torch"]
    held_out: int = Field(gt=0)
    """How many held-out variants a verdict needs."""
    protected: tuple[str, ...]
    """Paths that no patch may touch; a folder ends in a slash."""
    ignored: tuple[str, ...] = ()
    """Paths that are no part of anybody's work, such as what trial runs write beside the artefacts; a folder ends in a slash."""
    added_kb: int = Field(default=0, ge=0)
    """What a patch may add, where nothing that was trained or computed beforehand may ship; 0: no bound of the task's own."""
    paper: Paper
    experiment: Experiment
    limits: Limits
    artefacts: tuple[Artefact, ...] = Field(min_length=1)
    metrics: tuple[Metric, ...] = ()
    figure: Figure | None = None
    tables: tuple[RowTable, ...] = ()
    guards: tuple[Guard, ...] = ()
    laboratory: Laboratory | None = None
    calibration: Calibration | None = None

    @field_validator("protected", "ignored", "artefacts", "metrics", "tables", "guards", mode="before")
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

    @property
    def judged(self) -> tuple[str, ...]:
        """Names of what the judge computes."""
        if self.figure:
            return (self.figure.name,)
        agreements = {table.agreement for table in self.tables}
        return tuple(metric.name for metric in self.metrics if metric.name not in agreements)

    @property
    def needs_base(self) -> bool:
        """Whether a verdict needs a run of the unchanged repository."""
        return self.kind == "scored" or any(guard.against == "base" for guard in self.guards)

    @model_validator(mode="after")
    def _consistent(self) -> "TaskSpec":
        names = [metric.name for metric in self.metrics]
        if len(set(names)) != len(names):
            raise ValueError("two metrics have the same name")
        if self.calibration is not None:
            noisy = {metric.name for metric in self.metrics if metric.kind == "noisy"}
            if set(self.calibration.sd) != noisy:
                raise ValueError("calibration.sd does not name exactly the noisy metrics; run `rexbench task calibrate` again")
        if self.kind == "scored" and (self.figure is None or self.metrics):
            raise ValueError("a scored task has one [figure] and no [[metrics]]")
        if self.kind == "replication" and (self.figure is not None or not self.metrics):
            raise ValueError("a replication task has [[metrics]] and no [figure]")
        if self.kind == "scored" and "truth/" not in self.protected:
            raise ValueError("protected must contain truth/, which is gone when the experiment runs")
        noisy_names = {metric.name for metric in self.metrics if metric.kind == "noisy"}
        for table in self.tables:
            if table.agreement and table.agreement not in noisy_names:
                raise ValueError(f"the table {table.path} names the agreement {table.agreement!r}, which is no noisy metric")
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
