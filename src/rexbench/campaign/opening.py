"""From a folder to what is undertaken in it."""

from pathlib import Path

from rexbench.campaign.trials import TRIALS, Trials
from rexbench.campaign.undertaking import Undertaking


def open_undertaking(folder: Path) -> Undertaking:
    """The campaign or the list of trials in this folder."""
    if (folder / TRIALS).exists():
        return Trials.open(folder)
    from rexbench.campaign.runs import CampaignRuns  # agents and the gateway take long to import, and trials need neither

    return CampaignRuns.open(folder)
