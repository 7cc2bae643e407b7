"""The one HTML file: small, self-contained, and deaf to what runs say."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

from rexbench.report.charts import scatter
from rexbench.report.content import make_content
from rexbench.report.html import render
from tests.report.made_up import LEVELS, TASKS, plan_for, write_campaign

ATTACK = "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"
SMALL = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs"), runs=2)


def details(page: str) -> list[dict[str, object]]:
    bundles = re.findall(r'<script type="text/plain" id="bundle-\d+">([A-Za-z0-9+/=]+)</script>', page)
    return [run for bundle in bundles for run in json.loads(zlib.decompress(base64.b64decode(bundle)))]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("REXBENCH_HOME", str(tmp_path / "home"))
    campaign = write_campaign(tmp_path / "camp", SMALL, text=ATTACK)
    for run in campaign.runs():
        logs = tmp_path / "home" / "executions" / run.evaluations[0].execution[:2] / run.evaluations[0].execution
        logs.mkdir(parents=True)
        (logs / "stderr.log").write_text(f"Traceback: {ATTACK}\n")
    return render(make_content([campaign.folder], with_paper=True))


def test_nothing_from_a_run_is_markup(page: str) -> None:
    assert "owned'</script>" not in page and "<img" not in page
    assert page.count("<script>") == 1
    assert any(ATTACK in json.dumps(run) for run in details(page)), "the attack is shown, as text"


def test_only_the_pages_own_script_may_run(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy and "default-src 'none'" in policy.group(1).replace("&#39;", "'") and "sha256-" in policy.group(1)


def test_the_page_asks_for_nothing_from_outside(page: str) -> None:
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!#)[^"']+""", page)
    assert "@import" not in page and "url(" not in page and "http://" not in page.replace("http://www.w3.org", "")


def test_every_run_is_in_it_with_patch_log_and_trajectory(page: str) -> None:
    assert page.count('<details class="run"') == 24 == len(details(page))
    shown = json.dumps(details(page))
    assert "Traceback" in shown and "AdamW" in shown and "I read the paper" in shown and "accuracy" in shown


def test_the_same_campaign_gives_the_same_page(tmp_path: Path) -> None:
    content = make_content([write_campaign(tmp_path / "camp", SMALL).folder], with_paper=False)
    assert render(content) == render(content)


def test_a_thousand_runs_with_long_patches_stay_under_three_megabytes(tmp_path: Path) -> None:
    plan = plan_for(agents=("a", "b", "c", "d"), tasks=TASKS, hints=LEVELS, runs=7)
    content = make_content([write_campaign(tmp_path / "camp", plan, bulk=60).folder], with_paper=True)
    page = render(content)
    assert len(content.reading.runs) == 1008
    assert 1_000_000 < len(page.encode()) < 3_000_000


def test_an_agent_has_one_number_on_both_axes_of_price(tmp_path: Path) -> None:
    """Where one price is not known, the numbers of the second chart once stood for others than the legend said."""
    campaign = write_campaign(tmp_path / "camp", SMALL)
    for run in campaign.runs():
        if run.agent == "claude-code":
            free = run.model_copy(update={"step": run.step.model_copy(update={"cost_usd": None})})
            (campaign.run_folder(run.id) / "run.json").write_text(free.model_dump_json())
    frontier = make_content([campaign.folder], with_paper=False).table("frontier")
    assert frontier
    money = scatter(frontier, "usd_per_run", "on_cost_frontier", "US dollars per run")
    time = scatter(frontier, "agent_seconds_per_run", "on_time_frontier", "seconds per run")
    assert money and time and money.legend == time.legend == ("claude-code", "aider")
    assert {point.number for point in money.points} == {2} and {point.number for point in time.points} == {1, 2}
    assert len(time.frontiers) == 3, "one for each hint level"


def test_damaged_files_beside_a_run_do_not_stop_the_report(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", SMALL)
    attempts = sorted(campaign.folder.glob("runs/*/*/*/*/attempt-1"))
    (attempts[0] / "trajectory.json").write_text('{"steps": [{"source": 1}]}')
    (attempts[1] / "trajectory.json").write_bytes(b"\xff\x00 no JSON")
    (attempts[2] / "patch.diff").write_bytes(b"\xff\xfe\x00 no text \x1b[31m")
    (attempts[3] / "patch.diff").unlink()
    assert len(details(render(make_content([campaign.folder], with_paper=False)))) == 24
