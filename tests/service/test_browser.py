"""The service's pages in a real browser: signing in, handing in, keeping; by keyboard and eye, phone and desk, light and dark."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import watched_context
from tests.service.conftest import Up
from tests.service.handed_in import patches, write_archive
from tests.service.scene import EVERY, lively_service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser
PHONE, DESK = (390, 844), (1280, 900)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, environments: Path) -> Iterator[Up]:
    with lively_service(tmp_path_factory.mktemp("lively"), environments) as service:
        yield service


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: "Browser", up: Up) -> Iterator[Opened]:
    """Opens a page as somebody; at the end nothing was logged, and nothing was asked of anybody else."""
    contexts: list[BrowserContext] = []
    said: list[str] = []
    asked: list[str] = []

    def open_page(path: str, name: str = "", size: tuple[int, int] = DESK, scheme: str = "light") -> "Page":
        context = watched_context(browser, size, scheme, said, asked)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{up.address}/sign-in")
        if name:
            page.fill("input[name=account_token]", up.tokens[name])
            page.keyboard.press("Enter")
            page.wait_for_url(f"{up.address}/")
        page.goto(f"{up.address}{path}")
        return page

    yield open_page
    for context in contexts:
        assert all(page.title() != "owned" and page.locator("img").count() == 0 for page in context.pages)
        context.close()
    assert [told for told in said if "403 (Forbidden)" not in told] == []  # what a wrong token is answered, which the browser logs
    assert all(url.startswith(up.address) for url in asked)


def test_a_submitter_hands_in_by_the_page(opened: Opened, up: Up, tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "mine.zip", patches("typed", "toy", [b""]))
    page = opened("/submissions", "ann")
    page.set_input_files("input[type=file]", archive)
    page.click("text=Hand in to season spring")
    page.wait_for_url("**/submissions/*")
    for _ in range(200):
        if page.locator(".o-empty_patch").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    assert "only you and the keepers see it" in page.inner_text("main")


def test_a_keeper_gives_a_token_and_publishes(opened: Opened, up: Up) -> None:
    page = opened("/keeper", "kim")
    page.fill("form.row input[name=name]", "zoe")
    page.click("text=Give a token")
    page.locator("[role=status]", has_text="rex_").wait_for()
    page.click("[aria-label='Publish 4']")
    page.locator("[role=status]", has_text="Submission 4 is published").wait_for()
    page.click("[aria-label='Withdraw 4']")
    page.locator("[role=status]", has_text="Submission 4 is withdrawn").wait_for()


def test_a_season_that_is_over_shows_tiers_ties_and_its_seed(opened: Opened) -> None:
    page = opened("/?season=winter", "rea")
    assert page.locator("h2").all_inner_texts()[:2] == ["Replication hints: none; 1 task", "Scored tasks hints: none; 1 task"]
    assert page.locator("tbody tr td:first-child").all_inner_texts() == ["=1", "=1", "=1", "=1"]
    assert "--variant-seed" in page.inner_text("main")


def test_who_has_no_token_is_told_so(opened: Opened) -> None:
    page = opened("/sign-in")
    page.fill("input[name=account_token]", "rex_nobody")
    with page.expect_response("**/sign-in") as answer:
        page.click("main button")
    assert answer.value.status == 403 and "nobody's token" in page.inner_text("[role=alert]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", EVERY)
def test_every_page_is_fit_for_everybody(name: str, size: tuple[int, int], scheme: str, opened: Opened) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (it is in the group dev)").Axe()
    page = opened(*EVERY[name], size, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    found: list[dict[str, Any]] = axe.run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")] == []
