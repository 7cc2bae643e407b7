"""Tables: what they count, and how they are written."""

import csv
import io
import shutil
from pathlib import Path

import numpy as np
import pytest

from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import HANDED_IN, plan_runs
from rexbench.errors import RexbenchError
from rexbench.record.model import StepFault
from rexbench.reports.content import Content, make_content
from rexbench.reports.reading import read_campaigns
from rexbench.reports.results import results_of
from rexbench.reports.table import Column, Table, shown, to_csv, to_latex
from tests.reports.made_up import TASKS, make_run, plan_for, write_campaign, write_run

SMALL = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs", "checkeval"), runs=3)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    return make_content([write_campaign(tmp_path_factory.mktemp("made-up") / "camp", SMALL).folder], with_paper=True)


def test_every_agent_has_a_row_at_every_hint_level(content: Content) -> None:
    rows = content.tables[0].records()
    assert [(row["agent"], row["hints"]) for row in rows] == [
        (agent, hints) for agent in ("claude-code", "aider") for hints in ("none", "hints", "detailed")
    ]
    assert all(row["runs"] == 9 and 0 <= row["low"] <= row["success"] <= row["high"] <= 1 for row in rows)  # type: ignore[operator]


def test_the_headline_is_the_mean_over_tasks(content: Content) -> None:
    by_task = content.table("by_task")
    assert by_task
    for row, tasks in zip(content.tables[0].records(), by_task.rows, strict=True):
        assert row["success"] == pytest.approx(np.mean([float(str(cell)) for cell in tasks[2:]]), abs=1e-6)


def test_all_tables_are_made(content: Content) -> None:
    names = [table.name for table in content.tables]
    wanted = ["headline", "measures", "faults", "hints", "by_task", "flaky", "frontier", "failures", "comparisons"]
    assert [name for name in names if name in wanted] == wanted and {"beside_paper", "paper_pairs"} <= set(names)


def test_the_paper_stands_beside_with_a_plain_warning(content: Content) -> None:
    beside = content.table("beside_paper")
    assert beside and len(beside.rows) == 16
    assert "re-created" in beside.note and "not points" in beside.note and "2506.22598" in beside.note
    dearest = next(row for row in beside.records() if row["agent"] == "OpenHands + Claude 4 Sonnet")
    assert (dearest["usd_per_run"], dearest["agent_seconds_per_run"]) == (5.21, 372)
    assert all(row["usd_per_run"] for row in beside.records() if row["from"] == "here")


def test_failures_add_up_to_the_runs_that_failed(content: Content) -> None:
    failures = content.table("failures")
    assert failures
    counted = sum(int(str(row[3])) for row in failures.rows if row[0] == "all")
    assert counted == sum(entry.run.outcome != "success" for entry in content.reading.runs)


def test_faults_of_ours_are_left_out_and_shown_both_ways(tmp_path: Path) -> None:
    plan = plan_for(agents=("claude-code",), tasks=("othello", "cogs"), hints=("none",), runs=2)
    campaign = write_campaign(tmp_path / "camp", plan)
    lost = campaign.run_folder("claude-code/othello/none/2") / "run.json"
    lost.unlink()  # its attempt stays, and waits to be judged: no fault of anybody's
    reading = read_campaigns([campaign.folder])
    assert not reading.faults and "1 not judged yet" in reading.notes[0]
    told = StepFault(kind="evaluation", attempt=1, fault="no space left", where="", written_at="")
    campaign.keep_fault("claude-code/othello/none/2", told)
    table = make_content([campaign.folder]).table("faults")
    assert table
    record = table.records()[0]
    assert (record["runs"], record["faults"]) == (3, 1)
    assert float(str(record["success_with_faults_as_failures"])) <= float(str(record["success_without_faults"]))


def test_runs_that_were_not_started_are_told_and_not_counted(tmp_path: Path) -> None:
    plan = plan_for(agents=("claude-code",), tasks=("othello",), hints=("none",), runs=3)
    campaign = Campaign.create(tmp_path / "camp", plan)
    with pytest.raises(RexbenchError, match="no run has a verdict yet"):
        read_campaigns([campaign.folder])
    generator = np.random.default_rng(1)
    write_run(campaign, make_run(plan_runs(plan)[0], True, generator), generator)
    reading = read_campaigns([campaign.folder])
    assert "2 not started yet" in reading.notes[0] and not reading.faults


def test_the_same_agent_in_two_campaigns_stays_two_agents(tmp_path: Path) -> None:
    folders = [write_campaign(tmp_path / name, SMALL, seed=at).folder for at, name in enumerate(("first", "second"))]
    reading = read_campaigns(folders)
    assert reading.agents == ("claude-code (first)", "aider (first)", "claude-code (second)", "aider (second)")
    assert len(reading.runs) == 2 * 54


def test_campaigns_of_one_name_are_told_apart_and_none_counts_double(tmp_path: Path) -> None:
    plan = plan_for(agents=("aider",), tasks=("othello",), hints=("none",), runs=2)
    folders = [write_campaign(tmp_path / place / "camp", plan).folder for place in ("here", "there")]
    assert read_campaigns(folders).agents == ("aider (camp-1)", "aider (camp-2)")
    with pytest.raises(RexbenchError, match="named twice"):
        read_campaigns([folders[0], folders[0] / ".." / "camp"])


def test_agents_with_fewer_tasks_are_named_before_anybody_is_ranked(tmp_path: Path) -> None:
    campaign = write_campaign(tmp_path / "camp", SMALL)
    for path in campaign.folder.glob("runs/aider/othello/*/*/run.json"):
        path.unlink()
    assert any(note.startswith("Not on every task: aider.") for note in read_campaigns([campaign.folder]).notes)


def test_what_was_not_measured_is_not_zero(tmp_path: Path) -> None:
    plan = plan_for(agents=("mine",), tasks=("othello",), hints=("none",), runs=1)
    campaign = Campaign.create(tmp_path / "camp", plan)
    generator = np.random.default_rng(1)
    run = make_run(plan_runs(plan)[0], True, generator)
    step = run.step.model_copy(update={"agent": HANDED_IN, "cost_usd": None, "seconds": 0.0, "turns": 0})
    write_run(campaign, run.model_copy(update={"step": step}), generator)
    table = make_content([campaign.folder]).table("frontier")
    assert table
    assert table.records()[0]["agent_seconds_per_run"] is None and table.records()[0]["on_time_frontier"] is False


def test_agents_compete_on_the_frontier_within_a_hint_level(content: Content) -> None:
    table = content.table("frontier")
    assert table
    for level in ("none", "hints", "detailed"):
        rows = [row for row in table.records() if row["hints"] == level]
        best = max(float(str(row["success"])) for row in rows)
        assert any(row["on_cost_frontier"] for row in rows if row["success"] == best)
        assert min(rows, key=lambda row: float(str(row["usd_per_run"])))["on_cost_frontier"]


def test_one_run_of_one_agent_makes_a_report(tmp_path: Path) -> None:
    plan = plan_for(agents=("claude-code",), tasks=("othello",), hints=("none",), runs=1)
    content = make_content([write_campaign(tmp_path / "camp", plan).folder])
    assert content.table("comparisons") is None and content.tables[0].rows


def test_controls_stand_apart_from_agents(tmp_path: Path) -> None:
    """gold once had rank 1, gave Holm's correction two agents more, and was on every frontier."""
    agents = ("claude-code", "aider")
    with_controls = write_campaign(tmp_path / "with", plan_for(agents=(*agents, "gold", "nop"), tasks=SMALL.tasks, runs=3))
    content = make_content([with_controls.folder], with_paper=True)
    for table in content.tables:
        assert (table.name == "controls") == any({"gold", "nop"} & {str(cell) for cell in row} for row in table.rows), table.name
    comparisons, controls = content.table("comparisons"), content.table("controls")
    assert comparisons and len(comparisons.rows) == 1
    assert controls and [(row[0], row[3]) for row in controls.rows] == [("gold", 1.0)] * 3 + [("nop", 0.0)] * 3
    assert "The controls are as they ought to be." in content.findings
    for path in with_controls.folder.glob("runs/gold/*/*/*/run.json"):
        shutil.rmtree(path.parent)
    for path in with_controls.folder.glob("runs/nop/*/*/*/run.json"):
        shutil.rmtree(path.parent)
    without = make_content([with_controls.folder], with_paper=True)
    assert without.table("headline") == content.table("headline") and without.table("frontier") == content.table("frontier")


def test_a_control_that_does_not_do_what_it_must_is_named(tmp_path: Path) -> None:
    campaign = write_campaign(
        tmp_path / "camp", plan_for(agents=("aider", "gold"), tasks=("othello", "cogs"), hints=("none",), runs=2)
    )
    run = next(run for run in campaign.runs() if run.agent == "gold" and run.task == "cogs")
    broken = run.model_copy(update={"outcome": "wrong_result"})
    (campaign.run_folder(run.id) / "run.json").write_text(broken.model_dump_json())
    assert any("Not as they ought to be: gold on cogs." in told for told in make_content([campaign.folder]).findings)


def test_a_campaign_of_controls_alone_makes_a_report(tmp_path: Path) -> None:
    plan = plan_for(agents=("gold", "nop"), tasks=("othello", "cogs"), hints=("none",), runs=1)
    content = make_content([write_campaign(tmp_path / "camp", plan).folder], with_paper=True)
    assert [table.name for table in content.tables] == ["beside_paper", "paper_pairs", "controls"]
    assert len(content.tables[0].rows) == 14 and content.reading.told == "2 controls, 2 tasks"
    assert not content.warning, "gold's patch is in no report"


def test_an_agent_that_only_bears_a_controls_name_is_an_agent(tmp_path: Path) -> None:
    plan = plan_for(agents=("aider",), tasks=("othello",), hints=("none",), runs=1)
    spec = plan.agents[0].model_copy(update={"name": "nop"})
    campaign = write_campaign(tmp_path / "camp", plan.model_copy(update={"agents": (spec,)}))
    assert read_campaigns([campaign.folder]).competing == ("nop",)


def test_a_part_of_a_reading_holds_only_what_was_asked_for(tmp_path: Path) -> None:
    reading = read_campaigns([write_campaign(tmp_path / "camp", SMALL).folder])
    part = reading.part(agents=["aider"], tasks=["cogs", "othello"])
    assert part.agents == ("aider",) and part.tasks == ("othello", "cogs")
    assert {(entry.agent, entry.run.task) for entry in part.runs} == {("aider", "othello"), ("aider", "cogs")}
    assert results_of(part).runs.sum() == len(part.runs) == 18


def test_hardness_is_told_from_the_sizes_that_are_handed_in(tmp_path: Path) -> None:
    plan = plan_for(agents=("aider", "claude-code"), tasks=TASKS[:5], hints=("none",), runs=3)
    folder = write_campaign(tmp_path / "camp", plan).folder
    asked: list[str] = []

    def size(task: str) -> tuple[int, int]:
        asked.append(task)
        return 10 + 7 * len(asked), len(asked) % 3

    assert make_content([folder]).table("difficulty") is None
    table = make_content([folder], gold_size=size).table("difficulty")
    assert table and len(table.rows) == 2 and asked == list(TASKS[:5])


def test_csv_holds_what_the_table_holds(content: Content) -> None:
    for table in content.tables:
        rows = list(csv.DictReader(io.StringIO(to_csv(table))))
        assert len(rows) == len(table.rows)
        assert list(rows[0]) == [column.field for column in table.columns] if rows else True


def test_a_small_p_is_not_rounded_to_none() -> None:
    table = Table("t", "Title", (Column("p", "p"),), ((3.2e-9,),))
    assert table.records() == [{"p": 3.2e-9}] and to_csv(table) == "p\n3.2e-09\n"


def test_fields_of_a_table_are_told_apart(content: Content) -> None:
    for table in content.tables:
        fields = [column.field for column in table.columns]
        assert len(set(fields)) == len(fields), table.name


def test_text_of_agents_is_harmless_in_spreadsheets_and_latex() -> None:
    table = Table("t", "Title", (Column("agent"),), (("=cmd|'/c calc'!A1",), (r"\input{/etc/passwd} 100% #1 a_b",)))
    assert "\n'=cmd" in to_csv(table)
    latex = to_latex(table)
    assert r"\textbackslash{}input\{/etc/passwd\} 100\% \#1 a\_b" in latex


@pytest.mark.parametrize(
    ("cell", "kind", "expected"),
    [
        (0.416, "rate", "0.42"),
        (-0.0, "signed", "+0.00"),
        (0.0001, "p", "<0.001"),
        (float("nan"), "rate", "-"),
        (True, "text", "yes"),
    ],
)
def test_cells_are_written_for_people(cell: float, kind: str, expected: str) -> None:
    assert shown(cell, kind) == expected  # type: ignore[arg-type]
