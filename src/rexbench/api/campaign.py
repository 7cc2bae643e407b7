"""A campaign that was run: its records as rows, for people who work with data frames."""

import datetime
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from rexbench.campaign.conduct import Progress
from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError
from rexbench.places import Home
from rexbench.record.model import Run


@dataclass(frozen=True)
class CampaignResult:
    """A campaign on disk, and where it stood when it was last conducted."""

    records: Campaign
    progress: Progress | None
    """None where the campaign was only opened."""

    @property
    def folder(self) -> Path:
        return self.records.folder

    @property
    def complete(self) -> bool:
        """Whether every planned run has a verdict."""
        return self.progress is not None and self.progress.done == self.progress.total

    def runs(self) -> list[Run]:
        """Every run that has a verdict."""
        return self.records.runs()

    def frame(self, kind: Literal["pandas", "polars", "dicts"] = "dicts") -> Any:
        """One row per run, as plain dicts, or as a data frame of pandas or polars where that is installed."""
        rows = [run_row(run) for run in self.runs()]
        if kind == "dicts":
            return rows
        try:
            library = import_module(kind)
        except ImportError as error:
            raise RexbenchError(f"{kind} is not installed; install it with: pip install {kind}") from error
        return library.DataFrame(rows) if kind == "pandas" else library.DataFrame(rows, infer_schema_length=None)


def run_row(run: Run) -> dict[str, Any]:
    """A run as a flat row."""
    step = run.step
    return {
        "id": run.id,
        "agent": run.agent,
        "task": run.task,
        "hints": run.hints,
        "repetition": run.repetition,
        "outcome": run.outcome,
        "success": run.outcome == "success",
        "execution_success": run.execution_success,
        "score": run.score,
        "claimed_success": run.claim.success if run.claim else None,
        "claimed_low": run.claim.figure[0] if run.claim and run.claim.figure else None,
        "claimed_high": run.claim.figure[1] if run.claim and run.claim.figure else None,
        "file_recall": run.file_recall,
        "file_precision": run.file_precision,
        "agent_outcome": step.outcome,
        "model": step.model,
        "condition": step.condition,
        "cost_usd": step.cost_usd,
        "tokens_in": step.tokens.input,
        "tokens_out": step.tokens.output,
        "turns": step.turns,
        "agent_seconds": step.seconds,
        "lines_changed": step.lines_added + step.lines_removed,
        "flags": ",".join(sorted({flag.kind for flag in run.flags})),
        "attempt": run.attempt,
        "written_at": run.written_at,
    }


def default_folder(home: Home, behind: str = "") -> Path:
    """Where a campaign goes that nobody named a folder for."""
    return home.make("campaigns") / f"{datetime.datetime.now():%Y%m%d-%H%M%S}{behind}"
