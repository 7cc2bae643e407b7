"""A campaign as submissions to the published benchmark: one archive for each agent, hint level and repetition.

    AGENT-HINTS-runN.zip
      TASK/agent.patch    what the agent changed
      TASK/agent.log      its trajectory, where there is one

That benchmark's page is known to ask for one archive with a folder for each task; the names of the files in them are ours.
"""

import zipfile
from pathlib import Path

from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError
from rexbench.interop.archive import add_member
from rexbench.record.model import Run
from rexbench.untrusted import NotTaken, read_plain

PATCH, LOG = "agent.patch", "agent.log"


def pack_published(campaign: Campaign, folder: Path) -> list[Path]:
    """Write the archives of a campaign's judged runs into a folder; returns their paths."""
    groups: dict[str, list[Run]] = {}
    for run in campaign.runs():
        groups.setdefault(f"{run.agent}-{run.hints}-run{run.repetition}.zip", []).append(run)
    if not groups:
        raise RexbenchError(f"{campaign.folder} has no finished run to hand in.")
    if folder.exists() and not folder.is_dir():
        raise RexbenchError(f"{folder} is a file; --format rexbench writes a folder of archives.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, runs in groups.items():
        draft = folder / f".{name}.new"
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for run in sorted(runs, key=lambda run: run.task):
                add_member(archive, f"{run.task}/{PATCH}", campaign.patch(run.id, run.attempt))
                add_member(archive, f"{run.task}/{LOG}", _log(campaign.attempt_folder(run.id, run.attempt)))
        draft.replace(folder / name)
    return [folder / name for name in groups]


def _log(attempt: Path) -> bytes:
    try:
        return read_plain(Path("trajectory.json"), inside=attempt)
    except (FileNotFoundError, NotTaken):
        return b""
