"""Campaigns as somebody else might send them."""

import json
from pathlib import Path
from typing import Any

from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.interop.submission import pack
from rexbench.reports.reading import read_campaigns
from rexbench.reports.run_details import read_run_files
from tests.reports.made_up import plan_for, write_campaign

RUN = "runs/sender/toy/none/1"


def received(folder: Path, runs: int = 2) -> Campaign:
    """A finished campaign of one agent on the toy task."""
    return write_campaign(folder, plan_for(agents=("sender",), tasks=("toy",), hints=("none",), runs=runs))


def rewrite(path: Path, **changes: Any) -> None:
    """Change keys of a JSON file."""
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def forged_plan(folder: Path, **changes: Any) -> Campaign:
    """A plan that no command line here has seen."""
    plan = Plan.model_validate(plan_for(agents=("sender",), tasks=("toy",), hints=("none",), runs=1).model_dump())
    campaign = Campaign.create(folder, plan)
    rewrite(folder / "campaign.json", **changes)
    return campaign


def read_everything(folder: Path) -> None:
    """All that a report, a comparison and a submission read of a campaign."""
    reading = read_campaigns([folder])
    for entry in reading.runs:
        read_run_files(entry, 10_000, with_patches=True)
    pack(Campaign.open(folder), folder.with_suffix(".zip"))
