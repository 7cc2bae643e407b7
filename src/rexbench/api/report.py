"""Reports from Python."""

from collections.abc import Sequence
from pathlib import Path

from rexbench.api.campaign import CampaignResult


def report(campaigns: Sequence[CampaignResult | Path | str], out: Path | str | None = None, with_paper: bool = False) -> Path:
    """Tables, figures and one HTML page of these campaigns, in the folder `out`; returns the page's path."""
    raise NotImplementedError
