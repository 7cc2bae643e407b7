"""Whether the viewer keeps up: ten thousand runs, five thousand turns, a campaign that goes on.

    .venv/bin/python bench/viewer.py

Bars, in Chromium on two cores: a campaign of 10,000 runs opens in under 1 s and filters in under 100 ms; a trajectory of 5,000
turns scrolls without being loaded whole; a running campaign is at most 2 s behind; the server takes under 300 MB. The server is the
command as a user runs it, in a process of its own. Opening is from the address to all runs in the page; the first time, when
records are still unread, is told apart. Needs Chromium (`make browser`).
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from made_up_home import write_long_trajectory
from playwright.sync_api import Page, sync_playwright

from rexbench.campaign.folder import Campaign
from tests.browser import CHROMIUM, FLAGS
from tests.reports.made_up import AGENTS, TASKS, plan_for, write_campaign

RUNS, TURNS = 10_000, 5_000
LONG = f"{AGENTS[0]}/{TASKS[0]}/none/1"
FILTERS = (
    ("agent", AGENTS[3]),
    ("task", TASKS[6]),
    ("outcome", "success"),
    ("order", "usd"),
    ("agent", ""),
    ("task", ""),
    ("outcome", ""),
)
FILTER = """([key, value]) => {
  const field = document.querySelector(`#filters [data-key=${key}]`);
  const began = performance.now();
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.getElementById("list").getBoundingClientRect();
  return performance.now() - began;
}"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="rexbench-bench-") as folder:
        print(f"making {RUNS:,} runs ...", flush=True)
        campaign = write_campaign(Path(folder) / "camp", plan_for(agents=(*AGENTS, "codex"), runs=31))
        extra = len(campaign.names()) - RUNS
        trajectory = write_long_trajectory(campaign, LONG, TURNS)
        print(f"{RUNS + extra:,} runs on disk; the trajectory of {TURNS:,} turns has {trajectory.stat().st_size / 1e6:.1f} MB")
        with served(campaign) as (entrance, process), sync_playwright() as engine:
            browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            opens(page, entrance, RUNS + extra)
            filters(page)
            scrolls(page, entrance)
            follows(page, entrance, campaign)
            memory = int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[0]) / 1024
            tell("memory of the server, at most", memory, "MB", 300)
            browser.close()


@contextmanager
def served(campaign: Campaign) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    program = str(Path(sys.executable).parent / "rexbench")
    command = [program, "view", str(campaign.folder), "--no-browser"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        entrance = process.stdout.readline().split()[1]
        print(f"{'from the command to the address':45} {time.perf_counter() - began:8.2f} s")
        try:
            yield entrance, process
        finally:
            process.terminate()


def opens(page: Page, entrance: str, runs: int) -> None:
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        page.goto(entrance)
        page.locator(f"#shown:text-is('{runs:,} runs')").wait_for()
        taken.append(time.perf_counter() - began)
    print(f"{'opened for the first time, records unread':45} {taken[0]:8.2f} s")
    tell("opened, median of the next four", statistics.median(taken[1:]), "s", 1)


def filters(page: Page) -> None:
    taken = [page.evaluate(FILTER, list(choice)) for choice in FILTERS for _ in range(3)]
    tell("filtered and drawn, slowest of 21", max(taken), "ms", 100)


def scrolls(page: Page, entrance: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/turns/" in request.url else None)
    began = time.perf_counter()
    page.goto(entrance.partition("?")[0] + f"run/camp/{LONG}")
    page.locator("#turn-1").wait_for()
    tell("first turns of 5,000 shown after", time.perf_counter() - began, "s", 1)
    for _ in range(50):
        page.mouse.wheel(0, 2000)
        page.wait_for_timeout(20)
    began = time.perf_counter()
    page.fill(".jump input", "4900")
    page.keyboard.press("Enter")
    page.locator("#turn-4900").wait_for()
    tell("turn 4,900 shown after", time.perf_counter() - began, "s", 1)
    loaded = sum(int(to) - int(at) for url in asked for at, to in re.findall(r"from=(\d+)&to=(\d+)", url))
    tell("turns loaded of 5,000", loaded, "", TURNS / 2)


def follows(page: Page, entrance: str, campaign: Campaign) -> None:
    """How long after its record is written a verdict is seen."""
    names = campaign.names()[:6]
    kept = {name: (campaign.run_folder(name) / "run.json").read_bytes() for name in names}
    for name in names:
        (campaign.run_folder(name) / "run.json").unlink()
    page.goto("about:blank")
    with served(campaign) as (anew, _):
        page.goto(anew)
        page.locator("#shown:has-text('runs')").wait_for()
        total = page.evaluate("document.querySelector('.standing dd')?.textContent ?? ''") or ""
        done = int(re.sub(r"\D", "", total.partition(" of ")[0]) or 0)
        behind = []
        for name, record in kept.items():
            (campaign.run_folder(name) / "run.json").write_bytes(record)
            began, done = time.perf_counter(), done + 1
            page.locator(f".standing dd:has-text('{done:,} of ')").wait_for()
            behind.append(time.perf_counter() - began)
    tell("behind a running campaign, at most", max(behind), "s", 2)


def tell(what: str, value: float, unit: str, bar: float) -> None:
    print(f"{what:45} {value:8.2f} {unit:2} bar: {bar:g}   {'kept' if value < bar else 'MISSED'}", flush=True)


if __name__ == "__main__":
    main()
