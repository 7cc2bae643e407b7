"""The report in a real browser: no error, no request, folding, filtering, phone and desktop.

Screenshots are kept under the folder that REXBENCH_SCREENSHOTS names, else under pytest's own.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rexbench.report.content import make_content
from rexbench.report.html import render
from tests.report.made_up import plan_for, write_campaign
from tests.report.test_html import ATTACK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run"
AGENTS = ("claude-code", "openhands-claude-sonnet", "aider")
TASKS = ("othello", "cogs", "explain-then-translate", "entity-tracking-multimodal")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    if not CHROMIUM:
        pytest.skip("no chromium is installed (apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (it is in the group dev)")
    with playwright.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield started
        started.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    campaign = write_campaign(folder / "camp", plan_for(agents=AGENTS, tasks=TASKS, runs=3), text=ATTACK)
    (folder / "report.html").write_text(render(make_content([campaign.folder], with_paper=True)))
    return folder / "report.html"


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
    return page.locator(".run:not([hidden])").count()


def test_a_run_unfolds_with_its_patch_metrics_and_trajectory_as_text(page: "Page") -> None:
    page.select_option("select[data-key=o]", "success")
    run = page.locator(".run:not([hidden])").first
    run.locator("summary").click()
    run.locator(".body").wait_for()
    assert run.locator("pre .add").count() >= 2 and run.locator("pre .del").count() >= 1
    assert run.locator("td", has_text="accuracy").count() == 1 and run.locator(".gauge").count() == 1
    assert "<script>" in run.locator("pre.diff").inner_text() and run.locator(".step").count() == 3
    assert page.locator("img").count() == 0


def test_runs_are_filtered_by_agent_task_hints_and_outcome(page: "Page") -> None:
    assert visible(page) == 108
    page.select_option("select[data-key=a]", label="aider")
    assert visible(page) == 36 and page.inner_text("#shown") == "36 of 108 runs"
    page.select_option("select[data-key=t]", label="cogs")
    page.select_option("select[data-key=h]", label="hints")
    assert visible(page) == 3
    page.select_option("select[data-key=o]", label="success")
    solved = visible(page)
    page.select_option("select[data-key=o]", label="all")
    assert solved == page.locator(".run:not([hidden]) .o-success").count()


def test_a_cell_of_the_heat_map_leads_to_its_runs(page: "Page") -> None:
    page.locator(".heat a").first.click()
    assert visible(page) == 3 and page.url.endswith("#runs")


def test_everything_works_by_keyboard(page: "Page") -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator(".run summary").first.focus()
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


def test_the_scale_stands_under_what_it_measures(page: "Page") -> None:
    track = page.locator(".bar .track").first.bounding_box()
    labels = [label.bounding_box() for label in page.locator(".scale span").all()]
    assert track and len(labels) == 5
    for part, label in enumerate(labels):
        assert label and label["x"] + label["width"] / 2 == pytest.approx(track["x"] + track["width"] * part / 4, abs=1.5)


CONTRAST = """cells => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = colour => {
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].map(part => part / 255);
    const [r, g, b] = parts.map(part => part <= .04 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  return Math.min(...cells.filter(cell => cell.textContent.trim()).map(cell => {
    const style = getComputedStyle(cell), [low, high] = [light(style.color), light(style.backgroundColor)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  }));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_on_colour_can_be_read(browser: "Browser", report: Path, scheme: str) -> None:
    """4.5 to 1 is what WCAG asks of small text."""
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator(".stack .part").evaluate_all(CONTRAST) >= 4.5
    assert page.locator(".heat .cell").evaluate_all(CONTRAST) >= 4.5
    context.close()
