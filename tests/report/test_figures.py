"""Figures: all there, the same bytes for the same numbers, and no state left behind."""

import subprocess
import sys
from pathlib import Path

from rexbench.campaign.folder import Campaign
from rexbench.report.content import make_content
from rexbench.report.drawing import Numbers
from rexbench.report.figures import write_figures
from tests.report.made_up import plan_for, write_campaign

SMALL = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs"), runs=2)
NAMES = {"headline", "hints", "by_task", "failures", "frontier"}


def numbers_of(campaign: Campaign) -> Numbers:
    """What the report hands to drawing."""
    handed: list[Numbers] = []
    make_content([campaign.folder], with_paper=False, draw=handed.append)
    return handed[0]


def test_the_same_numbers_give_the_same_files(tmp_path: Path) -> None:
    numbers = numbers_of(write_campaign(tmp_path / "camp", SMALL))
    first, second = (write_figures(numbers, tmp_path / name) for name in ("first", "second"))
    assert {path.stem for path in first} == NAMES and {path.suffix for path in first} == {".svg", ".pdf"}
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(first, second, strict=True))


def test_nothing_that_was_never_measured_is_drawn(tmp_path: Path) -> None:
    plan = plan_for(agents=("nop",), tasks=("othello",), hints=("none",), runs=1)
    campaign = write_campaign(tmp_path / "camp", plan)
    record = campaign.folder / "runs" / "nop" / "othello" / "none" / "1" / "run.json"
    run = campaign.runs()[0]
    free = run.step.model_copy(update={"cost_usd": None, "seconds": 0.0})
    record.write_text(run.model_copy(update={"step": free}).model_dump_json())
    written = write_figures(numbers_of(campaign), tmp_path / "figures")
    assert {path.stem for path in written} == {"headline", "by_task", "failures"}


def test_no_global_plotting_state_is_touched() -> None:
    program = "import sys, rexbench.report.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
