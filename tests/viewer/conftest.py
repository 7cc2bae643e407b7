"""A viewer on a real socket, with campaigns that nobody ran."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rexbench.campaign.folder import Campaign
from rexbench.viewer.serve import Serving, list_campaigns, serving
from tests.reports.made_up import plan_for, write_campaign

AGENTS = ("claude-code", "aider", "gold", "nop")
TASKS = ("cogs", "othello")
TOKEN = "a-token-of-the-tests"


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return write_campaign(tmp_path / "camp", plan_for(agents=AGENTS, tasks=TASKS, runs=2))


@pytest.fixture
def viewer(campaign: Campaign) -> Iterator[Serving]:
    with serving(list_campaigns([campaign.folder]), TOKEN, 0) as up:
        yield up


@pytest.fixture
def client(viewer: Serving) -> Iterator[httpx.Client]:
    """A browser that was let in."""
    with httpx.Client(base_url=viewer.address, follow_redirects=True) as opened:
        assert opened.get(viewer.entrance).status_code == 200
        yield opened
