"""Campaigns in a browser, from Python."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.api.campaign import CampaignResult
from rexbench.errors import RexbenchError
from rexbench.viewer.serve import Serving, list_campaigns, serving, token_of


def view(
    campaigns: Sequence[CampaignResult | Path | str] = (), *, bench: Bench | None = None, port: int | None = None
) -> AbstractContextManager[Serving]:
    """These campaigns as pages on loopback, live, until the context ends; without any, all that the bench's home holds.

    with rx.view([campaign]) as viewer:
        print(viewer.entrance)
    """
    chosen = bench or Bench()
    folders = [campaign.folder if isinstance(campaign, CampaignResult) else Path(campaign).absolute() for campaign in campaigns]
    if not folders:
        folders = sorted((path.parent for path in (chosen.home / "campaigns").glob("*/campaign.json")), reverse=True)
    if not folders:
        raise RexbenchError(f"There is no campaign in {chosen.home / 'campaigns'}; name the folder of one: rexbench view CAMPAIGN")
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise RexbenchError("A campaign is named twice.")
    return serving(list_campaigns(folders), token_of(chosen.home.secret()), port)
