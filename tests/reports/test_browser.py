"""The report in a real browser: no error, no request, folding, filtering, phone and desktop.

Screenshots are kept under the folder that REXBENCH_SCREENSHOTS names, else under pytest's own.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from rexbench.reports.write import make_report
from tests.reports.made_up import plan_for, write_campaign, write_scored_campaign
from tests.reports.test_html import ATTACK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
AGENTS = ("claude-code", "openhands-claude-sonnet", "aider", "gold", "nop")
TASKS = ("othello", "cogs", "explain-then-translate", "entity-tracking-multimodal")
LONG = "\n".join(f"line {at} of what the program printed" for at in range(300))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    campaign = write_campaign(folder / "camp", plan_for(agents=AGENTS, tasks=TASKS, runs=3), text=ATTACK)
    path = campaign.attempt_folder("aider/cogs/hints/2", 1) / "trajectory.json"
    story = json.loads(path.read_text())
    story["steps"][1]["observation"]["results"][0]["content"] = LONG + "\nNEEDLE"
    path.write_text(json.dumps(story))
    return make_report([campaign.folder], with_paper=True).page


@pytest.fixture
def page(browser: "Browser", report: Path) -> "Iterator[Page]":
    """The page at desktop width; fails at the end if anything was logged or asked for."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(report.as_uri())
    yield opened
    assert said == [] and asked == [report.as_uri()]
    assert opened.title() != "owned"
    context.close()


def visible(page: "Page") -> int:
    return page.locator("#list .run:not([hidden])").count()


def choose(page: "Page", form: str, key: str, label: str) -> None:
    page.select_option(f"#{form} select[data-key={key}]", label=label)


def test_a_run_unfolds_with_its_patch_metrics_and_trajectory_as_text(page: "Page") -> None:
    choose(page, "filters", "outcome", "success")
    choose(page, "filters", "agent", "aider")
    run = page.locator("#list .run:not([hidden])").first
    run.locator("summary").click()
    run.locator(".body").wait_for()
    assert run.locator("pre .add").count() >= 2 and run.locator("pre .del").count() >= 1
    assert run.locator("td", has_text="accuracy").count() == 1 and run.locator(".gauge").count() == 1
    assert "<script>" in run.locator("pre.diff").inner_text() and run.locator(".turn").count() == 3
    assert page.locator("img").count() == 0


def test_runs_are_filtered_by_agent_task_hints_and_outcome(page: "Page") -> None:
    assert visible(page) == 180
    choose(page, "filters", "agent", "aider")
    assert visible(page) == 36 and page.inner_text("#shown") == "36 of 180 runs"
    choose(page, "filters", "task", "cogs")
    choose(page, "filters", "hints", "hints")
    assert visible(page) == 3
    choose(page, "filters", "outcome", "success")
    solved = visible(page)
    choose(page, "filters", "outcome", "all")
    assert solved == page.locator("#list .run:not([hidden]) .o-success").count()


def test_runs_are_filtered_by_flag(page: "Page") -> None:
    flagged = page.locator("#list .run[data-flags]").count()
    choose(page, "filters", "flags", "any flag")
    assert 0 < visible(page) == flagged < 180
    choose(page, "filters", "flags", "network")
    assert visible(page) == page.locator('#list .run[data-flags~="network"]').count() > 0


def test_search_finds_what_only_a_folded_run_holds(page: "Page") -> None:
    page.fill("input[type=search]", "needle")
    page.locator("#shown:text-is('1 of 180 runs')").wait_for()
    assert page.locator("#list .run:not([hidden])").get_attribute("data-agent") == "aider"
    page.fill("input[type=search]", "no run says this")
    page.locator("#shown:text-is('0 of 180 runs')").wait_for()
    page.fill("input[type=search]", "")
    page.locator("#shown:text-is('180 runs')").wait_for()


def test_long_text_is_folded_with_the_whole_inside(page: "Page") -> None:
    for key, label in (("agent", "aider"), ("task", "cogs"), ("hints", "hints")):
        choose(page, "filters", key, label)
    run = page.locator("#list .run:not([hidden])").nth(1)
    run.locator("summary").first.click()
    fold = run.locator(".text.result details")
    fold.wait_for()
    assert not fold.locator("pre").is_visible() and "301 lines" in fold.locator("summary").inner_text()
    fold.locator("summary").click()
    assert fold.locator("pre").inner_text() == LONG + "\nNEEDLE"


def test_two_agents_stand_side_by_side_on_a_task(page: "Page") -> None:
    for key, label in (("task", "cogs"), ("hints", "hints"), ("first", "aider"), ("second", "claude-code")):
        choose(page, "pair", key, label)
    columns = page.locator("div.pair > div")
    assert [columns.nth(at).locator("h3").inner_text() for at in (0, 1)] == ["aider", "claude-code"]
    assert [columns.nth(at).locator(".run").count() for at in (0, 1)] == [3, 3]
    columns.nth(1).locator(".run summary").first.click()
    columns.nth(1).locator(".body").wait_for()
    left, right = (columns.nth(at).bounding_box() for at in (0, 1))
    assert left and right and left["x"] + left["width"] <= right["x"] and left["y"] == right["y"]


def test_a_cell_of_the_heat_map_leads_to_its_runs(page: "Page") -> None:
    page.fill("input[type=search]", "needle")
    page.locator('.desk .fig a[data-agent="aider"][data-task="cogs"][data-hints="none"]').click()
    assert visible(page) == 3 and page.url.endswith("#runs")


def test_no_text_of_a_figure_lies_on_another_or_is_cut_off(page: "Page") -> None:
    """Measured with the browser's own font, of which the drawing knows nothing."""
    for at in range(page.locator(".desk .fig").count()):
        figure = page.locator(".desk .fig").nth(at)
        boxes = figure.locator("text").evaluate_all(BOXES)
        edges = figure.bounding_box()
        assert edges
        for place, (left, top, right, bottom, told) in enumerate(boxes):
            assert left >= edges["x"] - 1 and right <= edges["x"] + edges["width"] + 1, told
            for other in boxes[place + 1 :]:
                apart = right <= other[0] + 1 or other[2] <= left + 1 or bottom <= other[1] + 3 or other[3] <= top + 3
                assert apart, (told, other[4])


BOXES = """texts => texts.map(text => {
  const box = text.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom, text.textContent];
})"""


def test_controls_are_shown_apart(page: "Page") -> None:
    assert page.locator("#controls td", has_text="gold").count() == 3
    assert page.locator(".fig text", has_text="gold").count() == 0


def test_whoever_opens_it_is_warned_before_publishing(page: "Page") -> None:
    assert "Do not publish it" in page.inner_text(".warning")


def test_everything_works_by_keyboard(page: "Page") -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("#list .run summary").first.focus()
    page.keyboard.press("Enter")
    page.locator(".run .body").first.wait_for()
    page.keyboard.press("Space")
    assert not page.locator(".run").first.evaluate("run => run.open")


def test_tables_unfold_for_print(page: "Page") -> None:
    assert page.locator("details.more[open]").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.more:not([open])").count() == 0


@pytest.mark.parametrize(("name", "width", "scheme"), [("phone", 390, "light"), ("desktop", 1280, "light"), ("dark", 1280, "dark")])
def test_it_fits_a_phone_and_a_desk(browser: "Browser", report: Path, tmp_path: Path, name: str, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(report.as_uri())
    page.locator(".run summary").first.click()
    page.locator(".run .body").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    kept = Path(os.environ.get("REXBENCH_SCREENSHOTS", tmp_path))
    kept.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=kept / f"report-{name}.png", full_page=True)
    context.close()


def test_a_phone_gets_the_narrow_figures(browser: "Browser", report: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 860})
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator(".phone .fig").first.is_visible() and not page.locator(".desk .fig").first.is_visible()
    context.close()


CONTRAST = """numbers => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = colour => {
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].map(part => part / 255);
    const [r, g, b] = parts.map(part => part <= .04 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  return Math.min(...numbers.map(number => {
    const ground = getComputedStyle(number.previousElementSibling).fill;
    const [low, high] = [light(getComputedStyle(number).fill), light(ground)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  }));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_on_colour_can_be_read(browser: "Browser", report: Path, scheme: str) -> None:
    """4.5 to 1 is what WCAG asks of small text."""
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("rect[class^=o-] + text[class^=on-]").evaluate_all(CONTRAST) >= 4.5
    assert page.locator("rect[class^=h] + text[class^=on-h]").evaluate_all(CONTRAST) >= 4.5
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_scores_and_claims_are_drawn_and_a_scored_run_unfolds(
    browser: "Browser", tmp_path: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    campaign = write_scored_campaign(tmp_path / "camp", text=ATTACK)
    shown = make_report([campaign.folder]).page
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened = context.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.goto(shown.as_uri())
    for name in ("scores", "scored-tasks", "score-over-time", "claims"):
        assert opened.locator(f"#{name} svg:visible").count() >= 1, name
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    run = opened.locator("#list .run[data-task=attribution][data-outcome=below_gold]").first
    run.locator("summary").first.click()
    run.get_by_text("way to the ceiling").wait_for()
    assert "hidden" in run.inner_text() and not said
    context.close()
