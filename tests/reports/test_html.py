"""The one HTML file: small, self-contained, deaf to what runs say, and silent on solutions when asked."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from rexbench.campaign.folder import Campaign
from rexbench.reports.content import Content, make_content
from rexbench.reports.html import render
from rexbench.reports.write import make_report
from rexbench.task.canary import CANARY
from tests.reports.made_up import LEVELS, TASKS, plan_for, write_campaign

ATTACK = "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"
SMALL = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs"), runs=2)


def details(page: str) -> list[dict[str, Any]]:
    bundles = re.findall(r'<script type="text/plain" id="bundle-\d+">([A-Za-z0-9+/=]+)</script>', page)
    return [run for bundle in bundles for run in json.loads(zlib.decompress(base64.b64decode(bundle)))]


def page_of(campaign: Campaign, **wanted: bool) -> str:
    (campaign.folder / "report").mkdir(exist_ok=True)
    return render(make_content([campaign.folder], **wanted), campaign.folder / "report")


def keep_logs(campaign: Campaign, text: str) -> None:
    for run in campaign.runs():
        logs = campaign.run_folder(run.id) / f"evaluation-{run.evaluations[0].variant_seed}"
        logs.mkdir()
        (logs / "stderr.log").write_text(f"Traceback: {text}\n")


@pytest.fixture
def page(tmp_path: Path) -> str:
    campaign = write_campaign(tmp_path / "camp", SMALL, text=ATTACK)
    keep_logs(campaign, ATTACK)
    return page_of(campaign, with_paper=True)


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


def test_logs_come_from_the_campaigns_folder_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report once read what this machine's home held of an execution, and said something else on another machine."""
    campaign = write_campaign(tmp_path / "camp", SMALL)
    monkeypatch.setenv("REXBENCH_HOME", str(tmp_path / "home"))
    for run in campaign.runs():
        elsewhere = tmp_path / "home" / "executions" / run.evaluations[0].execution[:2] / run.evaluations[0].execution
        elsewhere.mkdir(parents=True)
        (elsewhere / "stderr.log").write_text("said at home\n")
    assert all(made["log"] == "" for run in details(page_of(campaign)) for made in run["evaluations"])
    keep_logs(campaign, "said here")
    assert all("said here" in made["log"] for run in details(page_of(campaign)) for made in run["evaluations"])


def test_the_same_campaign_gives_the_same_page(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", SMALL)
    assert page_of(campaign) == page_of(campaign)


def test_a_thousand_runs_with_long_patches_stay_under_three_megabytes(tmp_path: Path) -> None:
    plan = plan_for(agents=("a", "b", "c", "d"), tasks=TASKS, hints=LEVELS, runs=7)
    campaign = write_campaign(tmp_path / "camp", plan, bulk=120)
    page = page_of(campaign, with_paper=True)
    assert page.count('<details class="run"') == 1008
    assert 1_000_000 < len(page.encode()) < 3_000_000
    cut = [run for run in details(page) if isinstance(run["patch"], list)]
    assert cut, "as much as 120 lines of noise in each of them does not fit"
    for run in cut[:20]:
        whole = campaign.folder / "report" / unquote(run["whole"]) / "patch.diff"
        text, left_out = run["patch"]
        assert whole.read_text().startswith(text) and len(whole.read_text()) == len(text) + left_out


def test_a_small_campaign_shows_every_text_whole(tmp_path: Path) -> None:
    """A step was cut to 700 characters in mid-word, however few runs there were, without a way to the rest."""
    campaign = write_campaign(tmp_path / "camp", SMALL)
    said = " ".join(f"word{at}" for at in range(2000))
    run = campaign.runs()[0]
    path = campaign.attempt_folder(run.id, 1) / "trajectory.json"
    story = json.loads(path.read_text())
    story["steps"] = [{"source": "agent", "message": said, "observation": {"results": [{"content": said}]}}] * 30
    path.write_text(json.dumps(story))
    shown = max(details(page_of(campaign)), key=lambda found: len(found["turns"]))
    assert shown["turns"] == [["agent", [["said", said], ["result", said]]]] * 30
    assert shown["left_out"] == [0, 0] and shown["whole"] == ""


def solution_of(page: str) -> str:
    return json.dumps([[run["patch"], run["turns"], run["flags"], run["facts"]] for run in details(page)])


def test_a_page_with_solutions_warns_and_one_without_them_holds_none(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", SMALL, text="def secret_solution():")
    warned = make_report([campaign.folder], tmp_path / "with")
    assert "Do not publish it" in warned.content.warning and "Do not publish it" in warned.page.read_text()
    assert "secret_solution" in solution_of(warned.page.read_text()) and CANARY in warned.page.read_text()
    quiet = make_report([campaign.folder], tmp_path / "without", without_patches=True)
    text = quiet.page.read_text()
    assert quiet.content.warning == "" and "Before you publish" not in text and len(details(text)) == 24
    assert "secret_solution" not in solution_of(text) and "AdamW" not in json.dumps(details(text))


def test_a_log_that_has_no_room_says_what_is_before_its_end_and_where(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", SMALL)
    run = campaign.runs()[0]
    logs = campaign.run_folder(run.id) / f"evaluation-{run.evaluations[0].variant_seed}"
    logs.mkdir()
    lines = [f"line {at} of the log" for at in range(2_000_000)]
    (logs / "stdout.log").write_text("\n".join(lines))
    (shown,) = [
        made["evaluations"][0] | {"whole": made["whole"]} for made in details(page_of(campaign)) if made["evaluations"][0]["log"]
    ]
    text, left = shown["log"]
    assert text.endswith(lines[-1]) and left + len(text) >= (logs / "stdout.log").stat().st_size
    attempt = campaign.folder / "report" / unquote(shown["whole"])
    assert (attempt / ".." / shown["logs"] / "stdout.log").is_file()


def test_golds_patch_is_in_no_page(tmp_path: Path) -> None:
    plan = plan_for(agents=("aider", "gold"), tasks=("othello",), hints=("none",), runs=1)
    shown = details(page_of(write_campaign(tmp_path / "camp", plan)))
    assert [run["patch"] is None for run in shown] == [False, True] and shown[1]["turns"] == []


def test_damaged_files_beside_a_run_do_not_stop_the_report(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", SMALL)
    attempts = sorted(campaign.folder.glob("runs/*/*/*/*/attempt-1"))
    (attempts[0] / "trajectory.json").write_text('{"steps": [{"source": 1}]}')
    (attempts[1] / "trajectory.json").write_bytes(b"\xff\x00 no JSON")
    (attempts[2] / "patch.diff").write_bytes(b"\xff\xfe\x00 no text \x1b[31m")
    (attempts[3] / "patch.diff").unlink()
    assert len(details(page_of(campaign))) == 24


def test_a_campaigns_name_is_text_wherever_it_stands(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "<b>camp & \"co'", SMALL)
    other = write_campaign(tmp_path / "other", SMALL)
    content: Content = make_content([campaign.folder, other.folder])
    page = render(content, tmp_path / "report")
    assert "<b>camp" not in page and page.count("&lt;b&gt;camp") > 10
