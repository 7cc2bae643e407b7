"""Figures: all there, the same bytes for the same numbers, names whole and apart, colours for all eyes."""

import itertools
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from rexbench.campaign.folder import Campaign
from rexbench.reports.content import Content, make_content
from rexbench.reports.figures.frontier import draw_frontier
from rexbench.reports.figures.names import Box, Plane, place_names
from rexbench.reports.figures.palette import DARK, LIGHT, OUTCOMES, Palette
from rexbench.reports.figures.rows import draw_by_task
from rexbench.reports.figures.svg import NARROW, WIDE, Drawn, text, width_of, wrapped
from rexbench.reports.table import Column, Table
from rexbench.reports.write import write_report
from tests.reports.made_up import plan_for, write_campaign

SMALL = plan_for(agents=("claude-code", "aider", "gold", "nop"), tasks=("othello", "cogs"), runs=2)
NAMES = {"headline", "hints", "by_task", "outcomes", "frontier"}
LONG = "a-name-that-is-as-long-as-names-may-be-in-a-campaign-64-letters"


def content_of(campaign: Campaign) -> Content:
    return make_content([campaign.folder])


def drawings(content: Content) -> dict[str, dict[int, Drawn]]:
    figures = [figure for section in content.sections for figure in section.figures]
    return {figure.name: {width: figure.draw(width) for width in (WIDE, NARROW)} for figure in figures}


def words(drawn: Drawn) -> list[str]:
    """Texts of a drawing, in order."""
    return [re.sub("<[^>]*>", "", found) for found in re.findall(r"<text[^>]*>(.*?)</text>", drawn.body)]


def test_the_same_numbers_give_the_same_files_of_well_formed_svg(tmp_path: Path) -> None:
    content = content_of(write_campaign(tmp_path / "camp", SMALL))
    first, second = (write_report(content, tmp_path / name / "report") for name in ("first", "second"))
    figures = [path for path in first if path.suffix == ".svg"]
    assert {path.stem for path in figures} == NAMES
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(first, second, strict=True))
    for path in figures:
        assert ElementTree.fromstring(path.read_text()).tag == "{http://www.w3.org/2000/svg}svg"


def test_nothing_that_was_never_measured_is_drawn(tmp_path: Path) -> None:
    plan = plan_for(agents=("mine",), tasks=("othello",), hints=("none",), runs=1)
    campaign = write_campaign(tmp_path / "camp", plan)
    run = campaign.runs()[0]
    free = run.step.model_copy(update={"cost_usd": None, "seconds": 0.0})
    (campaign.run_folder(run.id) / "run.json").write_text(run.model_copy(update={"step": free}).model_dump_json())
    assert set(drawings(content_of(campaign))) == {"headline", "by_task", "outcomes"}


def test_controls_are_drawn_nowhere_among_agents(tmp_path: Path) -> None:
    for widths in drawings(content_of(write_campaign(tmp_path / "camp", SMALL))).values():
        assert all("aider" in words(drawn) and not {"gold", "nop"} & set(words(drawn)) for drawn in widths.values())


@pytest.mark.parametrize("agents", [1, 2, 9, 40])
def test_every_name_on_the_frontier_is_whole_and_lies_on_nothing(agents: int) -> None:
    """Numbers stood for names and lay on each other, where agents cost and succeed alike."""
    generator = np.random.default_rng(agents)
    columns = (Column("agent"), Column("hints"), Column("$", key="usd_per_run"), Column("s", key="agent_seconds_per_run"))
    more = Column("success"), Column("c", key="on_cost_frontier"), Column("q", key="on_time_frontier")
    rows = [
        (
            f"agent-{at}" if at % 3 else f"{LONG[:-3]}-{at}",
            "none",
            float(np.round(generator.gamma(2, 0.2), 1) + 0.1),
            60.0,
            rate,
            True,
            False,
        )
        for at, rate in enumerate(np.round(generator.random(agents), 1).tolist())
    ]
    drawn = draw_frontier(Table("frontier", "", (*columns, *more), tuple(rows)), WIDE)
    together = "".join(words(drawn))
    assert all(str(row[0]) in together for row in rows)
    for plane in drawn.body.split("<g ")[1:]:
        boxes = [Box(x, y, width, 12) for x, y, width in _names(plane)]
        assert len(boxes) >= agents
        assert not [pair for pair in itertools.combinations(boxes, 2) if pair[0].meets(pair[1])]


def _names(plane: str) -> list[tuple[float, float, float]]:
    found = re.findall(r'<text class="halo[^"]*" x="([\d.-]+)" y="([\d.-]+)" dy=".35em" text-anchor="(\w+)">([^<]*)</text>', plane)
    return [(float(x) - (width_of(name) if anchor == "end" else 0), float(y) - 6, width_of(name)) for x, y, anchor, name in found]


def test_a_plane_without_room_for_a_name_says_so() -> None:
    assert place_names([(5, 5), (6, 6)], [(30, 12), (30, 12)], Plane(40, 14)) is None
    assert place_names([(5, 5)], [(10, 4)], Plane(100, 50)) is not None


@pytest.mark.parametrize("name", [LONG, "x" * 64, "one", "claude-code (my campaign of last week)", "αβγ-δεζ"])
def test_a_long_name_is_broken_and_never_cut(name: str) -> None:
    lines = wrapped(name, 90)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert all(width_of(line) <= 90 for line in lines)


def test_a_heat_map_of_many_tasks_grows_instead_of_shrinking() -> None:
    tasks = [f"task-number-{at}" for at in range(60)]
    columns = (Column("agent", "name"), Column("hints"), *(Column(task, "rate") for task in tasks))
    drawn = draw_by_task(Table("by_task", "", columns, (("mine", "none", *([0.5] * 60)),)), NARROW)
    assert drawn.width > 60 * 20 and set(tasks) <= set(words(drawn))


def test_whatever_is_drawn_as_text_stays_text() -> None:
    drawn = text(0, 0, "</text><script>x</script>\x1b[31m\x00")
    assert "<script>" not in drawn and "\x1b" not in drawn and "\x00" not in drawn
    ElementTree.fromstring(drawn)


SEEN_BY = {
    "all colours": np.eye(3),
    "no red": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "no green": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "no blue": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}
"""How light is seen, in linear RGB (Machado, Oliveira and Fernandes 2009, IEEE TVCG 15:1291, severity 1)."""


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_outcomes_are_told_apart_by_all_eyes(eyes: str) -> None:
    """A distance of 10 in CIELAB is seen at a glance; about 2 is where a difference begins."""
    seen = {name: _lab(SEEN_BY[eyes] @ _linear(colour)) for name, colour in OUTCOMES.items()}
    nearest = min(itertools.combinations(seen, 2), key=lambda pair: np.linalg.norm(seen[pair[0]] - seen[pair[1]]))
    assert np.linalg.norm(seen[nearest[0]] - seen[nearest[1]]) >= 10, nearest


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(colours: Palette) -> None:
    """4.5 to 1 is what WCAG asks of small text."""
    ground = _luminance(colours.paper)
    for name in ("ink", "soft", "accent", "good", "bad"):
        low, high = sorted((ground, _luminance(getattr(colours, name))))
        assert (high + 0.05) / (low + 0.05) >= 4.5, name


def _linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _luminance(colour: str) -> float:
    return float(_linear(colour) @ [0.2126, 0.7152, 0.0722])


def _lab(linear: np.ndarray) -> np.ndarray:
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
    scaled = to_xyz @ np.clip(linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    x, y, z = np.where(scaled > (6 / 29) ** 3, np.cbrt(scaled), scaled * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
