"""Reports from Python."""

from collections.abc import Sequence
from pathlib import Path

from rexbench.api.campaign import CampaignResult
from rexbench.errors import RexbenchError
from rexbench.reports.write import Report, make_report
from rexbench.task.suite import Suite, shipped_tasks
from rexbench.workspace.patch import summarise


def report(
    campaigns: Sequence[CampaignResult | Path | str],
    out: Path | str | None = None,
    *,
    with_paper: bool = False,
    without_patches: bool = False,
    suite: Suite | None = None,
) -> Report:
    """Tables, figures and one HTML page of these campaigns, in the folder `out` (the first campaign's `report` by default).

    `with_paper` sets the published agents beside these; `without_patches` leaves out what would publish solutions; `suite` is where
    gold's sizes are looked up, the shipped tasks by default.
    """
    folders = [campaign.folder if isinstance(campaign, CampaignResult) else Path(campaign).absolute() for campaign in campaigns]
    tasks = suite or Suite(shipped_tasks())

    def gold_size(name: str) -> tuple[int, int] | None:
        try:
            gold = summarise(tasks.load(name).vault.gold, Path("/"))
        except RexbenchError:
            return None
        return gold.lines_changed, len(gold.files)

    return make_report(folders, Path(out).absolute() if out else None, with_paper, without_patches, gold_size)
