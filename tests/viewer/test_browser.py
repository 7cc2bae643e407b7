"""The viewer in a real browser: lists, filters, campaigns that go on, long trajectories, keys, phone and desk, light and dark."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rexbench.campaign.conduct import Event, Progress
from rexbench.campaign.executors.protocol import UnderWay
from rexbench.campaign.folder import Campaign
from rexbench.campaign.underway import shown_to_others
from rexbench.viewer.serve import Serving, list_campaigns, serving
from tests.browser import watched_context
from tests.reports.made_up import plan_for, write_campaign, write_scored_campaign
from tests.reports.test_html import ATTACK
from tests.viewer.conftest import TOKEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser
AGENTS = ("claude-code", "openhands-claude-sonnet", "aider", "gold", "nop")
TASKS = ("othello", "cogs", "entity-tracking-multimodal")
TURNS = 5000
LONG = "aider/cogs/hints/2"
PHONE, DESK = (390, 844), (1280, 900)


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> list[Campaign]:
    folder = tmp_path_factory.mktemp("viewer")
    camp = write_campaign(folder / "camp <b>", plan_for(agents=AGENTS, tasks=TASKS, runs=4), text=ATTACK)
    path = camp.attempt_folder(LONG, 1) / "trajectory.json"
    story = json.loads(path.read_text())
    used = {"prompt_tokens": 1200, "completion_tokens": 34, "cached_tokens": 0, "cost_usd": 0.01}
    for number in range(4, TURNS + 1):
        when = f"2026-01-02T{3 + number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}+00:00"
        said = f"said in turn {number}" if number != 9 else "long " * 20_000
        result = {"results": [{"content": f"result {number}\n" * (number % 40)}]}
        story["steps"].append({"source": "agent", "timestamp": when, "message": said, "metrics": used, "observation": result})
    path.write_text(json.dumps(story))
    return [camp, write_scored_campaign(folder / "scored", text=ATTACK)]


@pytest.fixture(scope="module")
def viewer(campaigns: list[Campaign]) -> Iterator[Serving]:
    with serving(list_campaigns([each.folder for each in campaigns]), TOKEN, 0) as up:
        yield up


Opened = Callable[..., "Page"]


@pytest.fixture
def ends() -> "list[Page]":
    """Pages whose server was ended, which the browser logs."""
    return []


@pytest.fixture
def opened(browser: "Browser", viewer: Serving, ends: "list[Page]") -> Iterator[Opened]:
    """Opens a page; at the end nothing was logged, nothing was asked of anybody else, and no text of a run was obeyed."""
    contexts: list[BrowserContext] = []
    said: list[str] = []
    asked: list[str] = []

    def open_page(path: str, size: tuple[int, int] = DESK, scheme: str = "light", up: Serving = viewer) -> "Page":
        context = watched_context(browser, size, scheme, said, asked)
        contexts.append(context)
        page = context.new_page()
        path, _, place = path.partition("#")
        page.goto(f"{up.address}{path}{'&' if '?' in path else '?'}token={TOKEN}{f'#{place}' if place else ''}")
        return page

    yield open_page
    for context in contexts:
        assert all(page.title() != "owned" for page in context.pages)
        assert all(page.locator("img").count() == 0 for page in context.pages)
        context.close()
    assert [told for told in said if not (ends and "ERR_CONNECTION_REFUSED" in told)] == []
    assert all(url.startswith("http://127.0.0.1:") for url in asked)


CAMP, RUN = "c/camp%20%3Cb%3E", f"run/camp%20%3Cb%3E/{LONG}"
EVERY = (
    "",
    CAMP,
    "c/scored",
    RUN,
    "run/scored/claude-code/attribution/none/1",
    "beside?task=cogs&hints=hints",
    f"beside?run=camp%20%3Cb%3E/{LONG}&run=camp%20%3Cb%3E/gold/cogs/none/1",
)


def choose(page: "Page", key: str, label: str, form: str = "filters") -> None:
    page.select_option(f"#{form} select[data-key={key}]", label=label)


def count_is(page: "Page", told: str) -> None:
    page.locator(f"#shown:text-is('{told}')").wait_for()


def numbered(page: "Page", selector: str, count: int) -> None:
    """Pages fill themselves after they were opened: what stands on one is waited for, never counted at a moment."""
    page.wait_for_function("([selector, count]) => document.querySelectorAll(selector).length === count", arg=[selector, count])


def stand_side_by_side(page: "Page", left: str, right: str, shared: int = 0) -> None:
    """At one height, and over one another by no more than the pixels of a line that they share."""
    page.wait_for_function(
        """([left, right, shared]) => {
            const [one, other] = [left, right].map(name => document.querySelector(name).getBoundingClientRect())
            return one.top === other.top && one.right <= other.left + shared
        }""",
        arg=[left, right, shared],
    )


def test_runs_are_filtered_by_all_that_a_line_says(opened: Opened, campaigns: list[Campaign]) -> None:
    page = opened(CAMP)
    count_is(page, "180 runs")
    choose(page, "agent", "aider")
    count_is(page, "36 of 180 runs")
    choose(page, "task", "cogs")
    choose(page, "hints", "hints")
    count_is(page, "4 of 180 runs")
    runs = campaigns[0].runs()
    choose(page, "outcome", "success")
    solved = sum(run.outcome == "success" and run.id.startswith("aider/cogs/hints/") for run in runs)
    count_is(page, f"{solved} of 180 runs")
    page.goto(page.url)
    count_is(page, f"{solved} of 180 runs")
    for key in ("agent", "task", "hints", "outcome"):
        choose(page, key, "all")
    choose(page, "flag", "any flag")
    count_is(page, f"{sum(bool(run.flags) for run in runs)} of 180 runs")


def test_tiers_are_told_apart(opened: Opened) -> None:
    page = opened("c/scored")
    choose(page, "tier", "scored")
    page.locator("#shown:has-text(' of ')").wait_for()
    named = "new Set([...document.querySelectorAll('#list .c0')].map(cell => cell.innerText))"
    page.wait_for_function(f"[...{named}].sort().join() === 'attribution,lowbit'")
    choose(page, "tier", "replication")
    page.wait_for_function("!document.querySelector('#list').innerText.includes('lowbit')")


def test_search_looks_at_names_or_at_all_that_runs_hold(opened: Opened) -> None:
    page = opened(CAMP)
    count_is(page, "180 runs")
    page.keyboard.press("/")
    page.keyboard.type("aider othello")
    count_is(page, "12 of 180 runs")
    page.fill("input[type=search]", "said in turn 4711")
    count_is(page, "0 of 180 runs")
    choose(page, "in", "all texts")
    count_is(page, "1 of 180 runs")
    assert "in=all" in page.url


def test_only_lines_in_sight_are_in_the_document_and_all_can_be_reached(opened: Opened) -> None:
    page = opened(CAMP)
    count_is(page, "180 runs")
    page.locator("#runs").scroll_into_view_if_needed()
    page.locator("#list li").first.wait_for()
    assert page.locator("#list li").count() < 90
    page.keyboard.press("End")
    page.locator("#list li[aria-posinset='180']").wait_for()


def test_a_cell_of_the_heat_map_leads_to_its_runs(opened: Opened) -> None:
    page = opened(CAMP)
    page.locator('.desk .fig a[data-agent="aider"][data-task="cogs"][data-hints="none"]').click()
    count_is(page, "4 of 180 runs")
    assert page.locator(".fig text", has_text="gold").count() == 0, "controls compete with nobody"


def test_a_campaign_that_goes_on_is_followed(opened: Opened, tmp_path: Path) -> None:
    going = write_campaign(tmp_path / "going", plan_for(agents=("aider", "nop"), tasks=("cogs",), hints=("none",), runs=3))
    kept = {name: (going.run_folder(name) / "run.json").read_bytes() for name in going.names()}
    for name in kept:
        (going.run_folder(name) / "run.json").unlink()
    with serving(list_campaigns([going.folder]), TOKEN, 0) as up, shown_to_others(going.folder, lambda event: None) as tell:
        page = opened("c/going", up=up)
        page.get_by_text("0 of 6 have a verdict").wait_for()
        tell(Event(Progress(6, running=[UnderWay("aider/cogs/none/1 verdict", "node-7")], queued=5)))
        page.locator("#running td", has_text="node-7").wait_for()
        page.locator("#list .o-running").wait_for()
        for name, record in kept.items():
            (going.run_folder(name) / "run.json").write_bytes(record)
        page.get_by_text("6 of 6 have a verdict").wait_for()
        page.locator("#figures .desk .fig").first.wait_for()
        numbered(page, "#list .o-running", 0)


def test_a_viewer_that_was_ended_is_told(opened: Opened, ends: "list[Page]", tmp_path: Path) -> None:
    small = write_campaign(tmp_path / "small", plan_for(agents=("nop",), tasks=("cogs",), hints=("none",), runs=1))
    with serving(list_campaigns([small.folder]), TOKEN, 0) as up:
        page = opened("c/small", up=up)
        page.get_by_text("1 of 1 have a verdict").wait_for()
    page.locator("[role=alert]").wait_for()
    ends.append(page)


def test_a_long_trajectory_is_never_loaded_whole(opened: Opened) -> None:
    page = opened(RUN)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if "/api/turns/" in request.url else None)
    page.locator("#turn-1").wait_for()
    for _ in range(30):
        page.mouse.wheel(0, 3000)
        page.wait_for_timeout(30)
    page.fill(".jump input", "4711")
    page.keyboard.press("Enter")
    page.locator("#turn-4711").wait_for()
    page.wait_for_function("Math.abs(document.getElementById('turn-4711').getBoundingClientRect().top) < 300")
    assert "said in turn 4711" in page.inner_text("#turn-4711")
    turns = sum(int(to) - int(at) for at, to in (re.findall(r"from=(\d+)&to=(\d+)", url)[0] for url in loaded))
    assert turns < TURNS / 2 and page.locator(".turn").count() < 400


def test_a_turn_says_what_it_took_and_has_a_link(opened: Opened) -> None:
    page = opened(f"{RUN}#turn-100")
    head = page.locator("#turn-100 > b")
    head.wait_for()
    told = head.inner_text()
    assert "turn 100" in told and "took 1 s" in told and "1,200 tokens in, 34 out" in told and "$0.0100, so far $0.970" in told
    assert head.locator("a").get_attribute("href") == "#turn-100"


def test_a_text_that_was_cut_is_there_in_full_on_request(opened: Opened) -> None:
    page = opened(RUN)
    more = page.locator("#turn-9 button")
    more.click()
    page.wait_for_function("!document.querySelector('#turn-9 button')")
    assert page.locator("#turn-9 pre").first.text_content() == "long " * 20_000


def test_a_run_shows_its_patch_side_by_side_its_metrics_and_its_place(opened: Opened, campaigns: list[Campaign]) -> None:
    page = opened(CAMP + "?agent=aider&outcome=success")
    page.locator("#list a").first.click()
    page.locator(".sides").wait_for()
    added = page.locator(".sides .add")
    numbered(page, ".sides .add", 3)
    numbered(page, ".sides .del", 1)
    assert "AdamW" in added.first.inner_text()
    stand_side_by_side(page, ".sides .del", ".sides .add", shared=1)
    numbered(page, ".gauge", 1)
    assert str(campaigns[0].folder) in page.inner_text(".path")
    assert "<script>" in added.last.inner_text()


def test_two_agents_and_two_runs_stand_side_by_side(opened: Opened) -> None:
    page = opened("beside?task=cogs&hints=hints&first=camp%20%3Cb%3E/aider&second=camp%20%3Cb%3E/claude-code")
    columns = page.locator("div.pair > div")
    for at in (1, 2):
        numbered(page, f"div.pair > div:nth-of-type({at}) details.run", 4)
    columns.nth(1).locator("details.run summary").first.click()
    columns.nth(1).locator(".turn").first.wait_for()
    page.goto(page.url.partition("/beside")[0] + "/" + RUN)
    page.select_option("select[name=run]", label="claude-code/cogs/none/1")
    page.locator("form.near button").click()
    page.locator("div.pair > div").nth(1).locator(".verdict").wait_for()
    numbered(page, "div.pair .trajectory", 2)
    stand_side_by_side(page, "div.pair > div:nth-of-type(1)", "div.pair > div:nth-of-type(2)")


def test_everything_works_by_keyboard(opened: Opened) -> None:
    page = opened(CAMP)
    count_is(page, "180 runs")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    for key in ("j", "j", "j", "k"):
        page.keyboard.press(key)
    page.wait_for_function("document.activeElement.closest('li')?.getAttribute('aria-posinset') === '2'")
    page.keyboard.press("End")
    page.wait_for_function("document.activeElement.closest('li')?.getAttribute('aria-posinset') === '180'")
    page.keyboard.press("Enter")
    page.locator("#turn-1").wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.wait_for_function("Math.abs(document.querySelector('.turn').getBoundingClientRect().top - 60) < 3 || scrollY > 0")
    page.keyboard.press("g")
    page.wait_for_function("document.activeElement.type === 'number'")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("u")
    page.wait_for_url("**/c/**")


def settled(page: "Page") -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (DESK, "dark"), (PHONE, "light"), (PHONE, "dark")])
def test_every_page_fits_and_is_accessible(opened: Opened, path: str, size: tuple[int, int], scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (it is in the group dev)").Axe()
    page = opened(path, size, scheme)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    found: list[dict[str, Any]] = axe.run(page).response["violations"]
    grave = [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]
    assert grave == []
