"""What the viewer answers, and to whom."""

import json
from pathlib import Path

import httpx
import pytest

import rexbench as rx
from rexbench.campaign.folder import Campaign
from rexbench.errors import RexbenchError
from rexbench.viewer.serve import Serving, list_campaigns, serving, token_of
from tests.reports.made_up import plan_for, write_campaign
from tests.viewer.conftest import TOKEN

PAGES = (
    "/c/camp",
    "/run/camp/aider/cogs/none/1",
    "/beside",
    "/static/viewer.js",
    "/api/runs/camp",
    "/file/camp/aider/cogs/none/1/run.json",
)


@pytest.mark.parametrize("path", PAGES)
def test_nobody_gets_anything_without_the_token(viewer: Serving, path: str) -> None:
    address = viewer.address.rstrip("/") + path
    for given in ({}, {"cookie": "rexbench-view-1=x"}, {"cookie": f"{'x' * 20}={TOKEN}"}, {"authorization": f"Bearer {TOKEN}"}):
        assert httpx.get(address, headers=given).status_code == 403
    assert httpx.get(f"{address}?token=wrong").status_code == 403


def test_the_token_leaves_the_address_at_once_and_lets_the_browser_in(viewer: Serving) -> None:
    first = httpx.get(viewer.address + f"c/camp?agent=aider&token={TOKEN}")
    assert first.status_code == 303 and first.headers["location"] == "/c/camp?agent=aider"
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie


def test_the_entrance_leads_nowhere_else(viewer: Serving) -> None:
    for path in ("/evil.example/", "//evil.example/", "\\\\evil.example"):
        answer = httpx.get(viewer.address.rstrip("/") + f"/{path}?token={TOKEN}")
        assert not answer.headers.get("location", "").startswith(("//", "http", "\\"))


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_lets_only_the_viewers_own_script_run(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff" and "frame-ancestors 'none'" in policy


def test_a_page_from_elsewhere_may_not_ask(client: httpx.Client) -> None:
    asked = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/api/runs/camp", headers=asked).status_code == 403
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/c/camp", headers=followed).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(client: httpx.Client, method: str) -> None:
    assert client.request(method, "/api/runs/camp").status_code == 405


def test_it_listens_on_loopback_alone(viewer: Serving) -> None:
    assert viewer.address.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    "path",
    [
        "/file/camp/../../../etc/passwd",
        "/file/camp/aider/cogs/none/1/%2e%2e/%2e%2e/campaign.json",
        "/file/camp/aider/cogs/none/1/attempt-1/secret.txt",
        "/file/camp/aider/cogs/none/1/a/b/patch.diff",
        "/file/other/aider/cogs/none/1/run.json",
        "/run/camp/aider/cogs/none/99",
        "/run/camp/aider/cogs/none/1/2",
        "/api/run/camp/nobody/cogs/none/1",
        "/static/../app.py",
    ],
)
def test_what_is_not_offered_is_not_found(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_no_link_leads_out_of_the_campaign(client: httpx.Client, campaign: Campaign, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    path = campaign.attempt_folder("aider/cogs/none/1", 1) / "patch.diff"
    path.unlink()
    path.symlink_to(tmp_path / "secret")
    answer = client.get("/file/camp/aider/cogs/none/1/attempt-1/patch.diff")
    assert answer.status_code != 200 and "is a link" in answer.text
    assert client.get("/api/run/camp/aider/cogs/none/1").json()["patch"] == ""


def test_golds_patch_is_shown_to_nobody(client: httpx.Client) -> None:
    assert client.get("/api/run/camp/gold/cogs/none/1").json()["patch"] is None
    assert client.get("/file/camp/gold/cogs/none/1/attempt-1/patch.diff").status_code == 404
    assert client.get("/api/turns/camp/gold/cogs/none/1?from=0&to=5").status_code == 404
    assert "gold/" not in client.get("/api/search/camp?q=optimiser").text


def test_a_run_is_shown_whole_with_its_folder(client: httpx.Client, campaign: Campaign) -> None:
    told = client.get("/api/run/camp/aider/cogs/none/1").json()
    run = campaign.find_run("aider/cogs/none/1")
    assert run and told["outcome"] == run.outcome and told["folder"] == str(campaign.run_folder(run.id)) and told["turns"] == 3
    turns = client.get("/api/turns/camp/aider/cogs/none/1?from=0&to=100").json()
    assert [turn["who"] for turn in turns] == ["user", "agent", "agent"]
    assert client.get(told["whole"] + "/patch.diff").text == told["patch"]


def test_a_text_is_found_wherever_a_run_holds_it(client: httpx.Client, campaign: Campaign) -> None:
    story = campaign.attempt_folder("aider/cogs/hints/2", 1) / "trajectory.json"
    story.write_text(story.read_text().replace("Done.", 'It says \\"NEEDLE ä\\" there.'))
    logs = campaign.run_folder("claude-code/othello/none/1") / "evaluation-7"
    logs.mkdir()
    (logs / "stderr.log").write_text("a Needle ä in the log")
    found = client.get("/api/search/camp", params={"q": "needle Ä"}).text.split()
    assert sorted(found) == ["aider/cogs/hints/2", "claude-code/othello/none/1"]
    assert client.get("/api/search/camp", params={"q": '"needle'}).text.split() == ["aider/cogs/hints/2"]
    assert client.get("/api/search/camp", params={"q": " "}).text == ""


@pytest.mark.parametrize("query", ["from=x", "from=-5&to=2", "attempt=-1", "from=9999999&to=1", "to=99999999999999999999"])
def test_strange_numbers_break_nothing(client: httpx.Client, query: str) -> None:
    assert client.get(f"/api/turns/camp/aider/cogs/none/1?{query}").status_code in (200, 400)


def test_damaged_files_of_a_run_are_told_and_not_raised(client: httpx.Client, campaign: Campaign) -> None:
    (campaign.run_folder("aider/cogs/none/2") / "curve.json").write_text('[{"minutes": "x"}]')
    (campaign.attempt_folder("aider/cogs/none/2", 1) / "trajectory.json").write_text("{")
    assert client.get("/run/camp/aider/cogs/none/2").status_code == 200
    assert client.get("/api/run/camp/aider/cogs/none/2").json()["turns"] == 0
    (campaign.run_folder("aider/cogs/none/2") / "run.json").write_text(json.dumps({"id": "<b>x</b>"}))
    answer = client.get("/api/run/camp/aider/cogs/none/2")
    assert answer.status_code == 500 and "damaged" in answer.text and answer.headers["content-type"].startswith("text/plain")


def test_campaigns_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    small = plan_for(agents=("nop",), tasks=("cogs",), hints=("none",), runs=1)
    folders = [write_campaign(tmp_path / name / "camp", small).folder for name in "ab"]
    with serving(list_campaigns(folders), TOKEN, 0) as up, httpx.Client(follow_redirects=True) as client:
        assert "camp-1" in client.get(up.entrance).text
        assert [told["folder"] for told in client.get(up.address + "api/campaigns").json()] == [str(each) for each in folders]


def test_a_port_that_is_taken_is_told(viewer: Serving, campaign: Campaign) -> None:
    taken = int(viewer.address.rstrip("/").rpartition(":")[2])
    with pytest.raises(RexbenchError, match=f"Port {taken} is taken"), serving(list_campaigns([campaign.folder]), TOKEN, taken):
        pass


def test_python_opens_it_too(home: Path, campaign: Campaign) -> None:
    bench = rx.Bench(home=home)
    with pytest.raises(RexbenchError, match="no campaign"):
        rx.view(bench=bench)
    with rx.view([campaign.folder], bench=bench, port=0) as up:
        assert httpx.get(up.entrance, follow_redirects=False).status_code == 303 and up.token == token_of(bench.home.secret())
