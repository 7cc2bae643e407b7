"""The records. Frozen, plain, versioned by the program that wrote them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal[
    "success",
    "wrong_result",
    "bad_artifact",
    "execution_failed",
    "timeout",
    "patch_rejected",
    "empty_patch",
    "broken_base",
    "below_gold",
    "system_fault",
]
Ending = Literal["ran", "bad_artifact", "execution_failed", "timeout", "patch_rejected", "empty_patch"]
Role = Literal["submission", "reference", "base"]
Value = int | float | str


class _Record(BaseModel):
    # Built when first used, like all models of the program: a third of the time of a short command went into building them.
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")


class Inputs(_Record):
    """All that determines an execution; its digest is the execution's key."""

    task: str
    task_digest: str
    patch_digest: str
    """Empty for the empty patch."""
    variant_seed: int
    training_seed: int | None
    """None: the codebase's own default. Set only to calibrate gold."""
    environment: str
    environment_digest: str
    sandbox: str
    machine: str
    """Fingerprint of the kind of machine; live gold is compared only on the same kind."""
    role: Role
    """A reference is gold run for comparison, base the unchanged repository; gold handed in as a submission is run again."""
    program: str = ""
    """Stands for the code and the libraries that read artefacts and compute metrics; empty in records of 0.1.0."""


class CollectedFile(_Record):
    """A declared artefact that the run left."""

    path: str
    size: int
    sha256: str


class GuardRun(_Record):
    """A guard's command, run on the tree: what became of it."""

    name: str
    ending: Ending
    detail: str
    artefacts: tuple[CollectedFile, ...] = ()


class Claim(_Record):
    """What an agent says of its own work, in `CLAIM.json`. The judge never sees it."""

    success: float | None = None
    """Its probability that the work will be judged a success."""
    figure: tuple[float, float] | None = None
    """An 80 % interval for the figure on held-out worlds."""
    defect: str = ""
    """Why what was there could not be read as a claim."""


class Execution(_Record):
    """A patch, run on a variant: what came out, with no opinion on whether it is right."""

    key: str
    inputs: Inputs
    ending: Ending
    detail: str
    """One sentence; empty where it ran."""
    exception: str | None
    """Class of the exception that ended the experiment, or of our own naming (MissingEntry, MemoryLimit ...)."""
    frame: str | None
    """Last frame in the tree's own code: file:line in function."""
    status: int | None
    stopped_by: str | None
    seconds: float
    """Of the experiment's command alone, by the clock."""
    cpu_seconds: float = 0.0
    """Of the experiment's whole process tree; 0 in records of 0.1.0."""
    peak_memory_mb: int
    enforced: dict[str, str]
    metrics: dict[str, Value]
    landmarks: dict[str, bool]
    artefacts: tuple[CollectedFile, ...]
    strata: dict[str, float] = Field(default_factory=dict)
    """The figure by stratum, where the judge gives it."""
    ceiling: float | None = None
    """What somebody who knows the truth would reach, in the figure's unit; None where no limit is known."""
    guards: tuple[GuardRun, ...] = ()
    claim: Claim | None = None
    questions: int = 0
    """What was asked of the laboratory, in its own units."""
    files: tuple[str, ...]
    """Paths that the patch touches."""
    lines_added: int
    lines_removed: int
    written_at: str
    version: str


class FigureVerdict(_Record):
    """The figure of a scored task beside live base and live gold."""

    name: str
    value: float
    base: float
    gold: float
    ceiling: float | None
    score: float
    """0 is base, 1 is gold, on the task's scale."""
    scale: Literal["linear", "log"] = "linear"
    share: float | None
    """Of the way from base to the ceiling."""
    strata: dict[str, float]
    """The score by stratum."""
    accepted_from: float
    """The score from which on a verdict is a success."""


class TableVerdict(_Record):
    """A keyed table beside live gold's."""

    path: str
    rows: int
    """Of live gold's."""
    agreeing: int
    differences: tuple[str, ...]
    """The first ones."""
    extra: int = 0
    """Rows that live gold has not."""

    @property
    def agreement(self) -> float:
        """Share of rows that agree, of all that there are on either side."""
        return self.agreeing / (self.rows + self.extra) if self.rows else 0.0


class MetricVerdict(_Record):
    """One metric beside live gold's."""

    name: str
    kind: str
    value: Value
    gold: Value
    low: float | None
    high: float | None
    """The accepted interval; None for exact metrics."""
    accepted: bool
    distance: float | None
    """How far outside the interval, in units of the metric; 0 inside; None for text."""


class Evaluation(_Record):
    """An execution, judged against live gold on the same variant."""

    key: str
    execution: str
    """Key of the execution; empty where none came about."""
    reference: str
    """Key of live gold's execution; empty where none was needed."""
    task: str
    variant_seed: int
    outcome: Outcome
    detail: str
    exception: str | None
    frame: str | None
    execution_success: bool
    metrics: tuple[MetricVerdict, ...]
    landmarks: dict[str, bool]
    figure: FigureVerdict | None = None
    """Of a scored task, where the experiment ran."""
    score: float | None = None
    """Of a scored task; 0, as if nothing had been done, where the experiment left no figure. None for replication tasks."""
    tables: tuple[TableVerdict, ...] = ()
    broken_guards: tuple[str, ...] = ()
    claim: Claim | None = None
    file_recall: float
    file_precision: float
    lines_changed: int
    seconds: float
    written_at: str


AgentOutcome = Literal["finished", "gave_up", "agent_limit", "crashed", "system_fault"]
"""How the agent's step ended, apart from what its patch is worth. Whatever is in the tree is judged in every case but the last."""


class TokenCount(_Record):
    """Tokens of a whole run, as the provider counted them; where it did not, an upper bound."""

    input: int = 0
    output: int = 0
    cached: int = 0


class Limits(_Record):
    """What an agent's step may use; None: no limit."""

    seconds: float = Field(default=1800.0, ge=0)
    """By the clock: an agent waits for its model most of the time."""
    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    """In and out."""
    requests: int | None = Field(default=None, gt=0)
    memory_mb: int = 6000
    processes: int = 512
    disk_mb: int = 2000


class Fault(_Record):
    """Whose fault it was that a step ended as it did, and the evidence for that."""

    by: Literal["agent", "system"]
    why: str


class AgentStep(_Record):
    """An agent, run on a task: what it did and used. Its patch lies beside this record."""

    task: str
    task_digest: str
    """Of the codebase and the judge; an agent's patch is judged by the same task that it was given."""
    hints: str
    agent: str
    agent_version: str
    """Version of the program; empty for controls and commands."""
    program_digest: str
    model: str
    wire: str
    """Empty where there is no model."""
    condition: str
    """`open`, or `paper`: no Python for the agent, one line of prompt."""
    prompt: str
    options: dict[str, str]
    limits: Limits
    outcome: AgentOutcome
    detail: str
    """One sentence on the outcome; the agent's last words where it crashed."""
    fault: Fault | None = None
    """None where the agent finished by itself."""
    status: int | None
    tokens: TokenCount
    cost_usd: float | None
    """None where a price or a count is not known; never 0 for that."""
    turns: int
    """Answers in the agent's own conversation."""
    requests: int
    seconds: float
    model_seconds: float
    """Of these, waiting for the model."""
    refused: tuple[str, ...]
    """What the agent asked the gateway for and did not get."""
    skipped: tuple[str, ...]
    """What was in the tree and could not go into the patch."""
    patch_digest: str
    files: tuple[str, ...]
    lines_added: int
    lines_removed: int
    sandbox: str
    enforced: dict[str, str]
    machine: str
    written_at: str
    version: str


class StepFault(_Record):
    """A step of a campaign that a fault of ours kept from being done. Kept beside the run, and never a verdict."""

    kind: str
    """agent or evaluation."""
    attempt: int
    fault: str
    where: str
    """The node; empty where it is not known."""
    written_at: str


class Flag(_Record):
    """Something about a run that a reader should look at. Never changes a score by itself."""

    kind: str
    """canary, vault, gold_lines, protected, network, outside, hard_coded, refused."""
    evidence: str


class Run(_Record):
    """One agent, one task, one hint level, one repetition: what became of it. The whole story, without which file to look where."""

    id: str
    """agent/task/hints/number; also the run's folder in its campaign."""
    agent: str
    """The agent's name in the campaign."""
    task: str
    hints: str
    repetition: int
    attempt: int
    """The attempt that counts; earlier ones ended in a fault of ours and are kept beside it."""
    step: AgentStep
    outcome: Outcome
    detail: str
    execution_success: bool
    score: float | None = None
    """Mean over the variants, of a scored task."""
    claim: Claim | None = None
    file_recall: float
    file_precision: float
    evaluations: tuple[Evaluation, ...]
    flags: tuple[Flag, ...]
    seconds: float
    """Agent and evaluation together, live gold aside."""
    written_at: str
