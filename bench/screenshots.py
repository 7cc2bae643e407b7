"""Pictures of every page that a person sees, on a desk and on a phone, light and dark, to be looked at.

    .venv/bin/python bench/screenshots.py FOLDER

Needs Chromium (`make browser`). The campaigns are made up.
"""

import argparse
import tempfile
from pathlib import Path

from made_up_home import LONG_RUN, make_home
from playwright.sync_api import Browser, Page, sync_playwright

from rexbench.api.bench import Bench
from rexbench.reports.write import make_report
from rexbench.viewer.serve import Serving, list_campaigns, serving
from tests.browser import CHROMIUM, FLAGS
from tests.service.conftest import Up
from tests.service.scene import EVERY, lively_service

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
BESIDE = "?task=cogs&hints=hints&first=summer-agents/claude-code&second=summer-agents/aider-sonnet"
PAGES = {
    "home": "",
    "campaign": "c/summer-agents",
    "under-way": "c/under-way",
    "scored": "c/scored-worlds",
    "run": f"run/summer-agents/{LONG_RUN}",
    "scored-run": "run/scored-worlds/claude-code/attribution/none/1",
    "beside": f"beside{BESIDE}",
    "two-runs": f"beside?run=summer-agents/{LONG_RUN}&run=summer-agents/aider-sonnet/cogs/hints/1",
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path)
    into = asked.parse_args().folder
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rexbench-pictures-") as folder, sync_playwright() as engine:
        Path(folder, "service").mkdir()
        folders = make_home(Path(folder))
        report = make_report(folders[:1]).page
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        with serving(list_campaigns(folders), "token", 0) as viewer:
            for size in SIZES:
                for scheme in ("light", "dark"):
                    take(browser, viewer, report, size, scheme, into)
        with lively_service(Path(folder, "service"), Bench().environments.ensure("base").folder.parent) as service:
            for size in SIZES:
                for scheme in ("light", "dark"):
                    take_service(browser, service, size, scheme, into)
        browser.close()


def take_service(browser: Browser, service: Up, size: str, scheme: str, into: Path) -> None:
    """The service's pages, each as somebody sees it."""
    width, height = SIZES[size]
    for name, (path, who) in EVERY.items():
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{service.address}/sign-in")
        if who:
            page.fill("input[name=account_token]", service.tokens[who])
            page.keyboard.press("Enter")
            page.wait_for_url(f"{service.address}/")
        page.goto(service.address + path)
        page.screenshot(path=into / f"service-{name}-{size}-{scheme}.png", full_page=True)
        context.close()


def take(browser: Browser, viewer: Serving, report: Path, size: str, scheme: str, into: Path) -> None:
    """Every page at one size in one scheme."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(viewer.entrance)
    for name, path in PAGES.items():
        page.goto(viewer.address + path)
        settle(page)
        page.screenshot(path=into / f"{name}-{size}-{scheme}.png")
        page.evaluate("document.querySelector('#runs, .trajectory, details.run')?.scrollIntoView()")
        settle(page)
        page.screenshot(path=into / f"{name}-below-{size}-{scheme}.png")
    page.goto(report.as_uri())
    page.screenshot(path=into / f"report-{size}-{scheme}.png")
    context.close()


def settle(page: Page) -> None:
    """Until nothing more is asked for, but for the looks of a page that is live."""
    page.wait_for_timeout(700)


if __name__ == "__main__":
    main()
