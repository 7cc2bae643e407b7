"""The documentation site in a real browser, from a server on loopback and nothing else: search, phone and desk, light and dark."""

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Literal

import pytest

from tests.docs.test_site import ON_SITE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
Scheme = Literal["light", "dark"]
PHONE, DESK = (390, 844), (1280, 900)


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *told: object) -> None:
        return None


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: "Browser", address: str) -> Iterator[Opened]:
    """Opens the site; afterwards nothing was asked of another host, and the page logged no error."""
    contexts, elsewhere, errors = [], [], []

    def show(size: tuple[int, int] = DESK, scheme: Scheme = "light") -> "Page":
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda asked: None if asked.url.startswith((address, "data:", "blob:")) else elsewhere.append(asked.url))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/index.html")
        return page

    yield show
    for context in contexts:
        context.close()
    assert not elsewhere
    assert not errors


def serious(page: "Page") -> list[str]:
    """What axe finds on a page that keeps people out, and whether the page is wider than the screen."""
    from axe_playwright_python.sync_playwright import Axe

    found = [
        one
        for one in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [f"{page.url}: {one['id']}: {one['nodes'][0]['target']}" for one in found] + ([f"{page.url}: too wide"] if wide else [])


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_search_finds_a_page_by_a_word_of_its_text(size: tuple[int, int], scheme: Scheme, opened: Opened) -> None:
    page = opened(size, scheme)
    if size == PHONE:
        page.locator(".md-header__button[for=__search]").click()
    page.get_by_role("textbox", name="Search").press_sequentially("hierarchical bootstrap")
    found = page.locator(".md-search-result__link[href*='statistics.html']").first
    found.wait_for()
    assert not serious(page)
    found.click()
    page.wait_for_url("**/statistics.html*")
    page.get_by_role("heading", level=1, name="Statistics").wait_for()


@pytest.mark.parametrize("name", ["index.html", "reference.html"])
def test_nobody_is_kept_out_of_a_page_on_a_desk_in_the_light(name: str, opened: Opened, address: str) -> None:
    page = opened(DESK, "light")
    page.goto(f"{address}/{name}")
    assert not serious(page)


def test_nobody_is_kept_out_of_any_page_on_a_phone_in_the_dark(opened: Opened, address: str) -> None:
    page = opened(PHONE, "dark")
    found = []
    for name in ON_SITE.values():
        page.goto(f"{address}/{name}")
        found += serious(page)
    assert not found


def test_a_table_that_scrolls_is_reached_by_keyboard(opened: Opened, address: str) -> None:
    page = opened(PHONE)
    page.goto(f"{address}/statistics.html")
    box = page.locator(".md-typeset__scrollwrap[tabindex='0']").first
    box.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_light_and_dark_follow_the_system_and_can_be_chosen(opened: Opened) -> None:
    page = opened(DESK, "dark")
    page.locator("body[data-md-color-scheme=slate]").wait_for()
    page.get_by_title("Light").click()
    page.locator("body[data-md-color-scheme=default]").wait_for()
