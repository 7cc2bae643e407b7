"""What is told to whom, as plain values that pages and JSON share.

A patch is its owner's. Of a run, everybody may see how it ended; its owner sees more, but nothing that would tell of the held-out
data while a season runs: neither gold's numbers nor what the experiment said, nor the seeds. They are told when it is over.
"""

from dataclasses import asdict
from typing import Any

from rexbench.record.model import Run
from rexbench.service.accounts import may
from rexbench.service.board import Standings
from rexbench.service.seasons import commitment
from rexbench.service.tables import Account, Entry, Season, Submission


def is_for(submission: Submission, account: Account | None) -> bool:
    """Whether a submission is this account's to look into."""
    return account is not None and (submission.account_id == account.id or may(account, "keeper"))


def told_submission(submission: Submission, account: Account | None, runs: list[Run] | None = None) -> dict[str, Any]:
    """A submission, with the runs that there are."""
    own = is_for(submission, account)
    told: dict[str, Any] = {
        "id": submission.id,
        "account": submission.account.name,
        "season": submission.season.name,
        "state": submission.state,
        "published": submission.published,
        "patches": submission.runs,
        "handed_in_at": submission.handed_in_at,
        "judged_at": submission.judged_at,
    }
    if own:
        told |= {"digest": submission.digest, "bytes": submission.size}
    if may(account, "keeper"):
        told |= {"tries": submission.tries, "note": submission.note}
    if runs is not None:
        told["runs"] = [told_run(run, own, submission.season.ended_at is not None) for run in runs]
    return told


def told_run(run: Run, own: bool, season_is_over: bool) -> dict[str, Any]:
    """A verdict, as far as it may be known."""
    told: dict[str, Any] = {
        "run": run.id,
        "agent": run.agent,
        "task": run.task,
        "hints": run.hints,
        "repetition": run.repetition,
        "outcome": run.outcome,
        "score": run.score,
        "execution_success": run.execution_success,
        "file_recall": run.file_recall,
        "file_precision": run.file_precision,
        "claimed_success": run.claim.success if run.claim else None,
        "cost_usd": run.step.cost_usd,
        "model": run.step.model,
        "agent_version": run.step.agent_version,
    }
    if own:
        told["exceptions"] = sorted({made.exception for made in run.evaluations if made.exception})
        told["flags"] = sorted({flag.kind for flag in run.flags})
        told["lines_changed"] = run.step.lines_added + run.step.lines_removed
    if own and season_is_over:
        left_out = {"key", "execution", "reference", "frame"}
        told["evaluations"] = [made.model_dump(mode="json", exclude=left_out) for made in run.evaluations]
    return told


def told_season(season: Season) -> dict[str, Any]:
    """A season; its seed once it is over."""
    told = {
        "name": season.name,
        "running": bool(season.running),
        "moderated": season.moderated,
        "started_at": season.started_at,
        "ended_at": season.ended_at,
        "tasks": season.tasks,
        "commitment": commitment(season),
    }
    return told | ({"seed": season.seed, "nonce": season.nonce} if season.ended_at else {})


def told_standings(standings: list[Standings]) -> list[dict[str, Any]]:
    return [asdict(each) for each in standings]


def told_account(account: Account) -> dict[str, Any]:
    names = ("name", "role", "uploads_a_day", "most_waiting", "made_at", "closed_at")
    return {name: getattr(account, name) for name in names}


def told_entry(entry: Entry) -> dict[str, Any]:
    return {"at": entry.at, "who": entry.who, "did": entry.did, "about": entry.about}
