"""Tables: what they count, and how they are written."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import HANDED_IN, plan_runs
from rexbench.errors import RexbenchError
from rexbench.record.model import StepFault
from rexbench.report.content import Content, make_content
from rexbench.report.reading import read_campaigns
from rexbench.report.table import Column, Table, shown, to_csv, to_latex
from tests.report.made_up import make_run, plan_for, write_campaign, write_run

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
    wanted = ["headline", "measures", "by_task", "hints", "comparisons", "frontier", "failures", "flaky", "faults"]
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
    assert counted == sum(outcome != "success" for outcome in content.results.outcome)


def test_faults_of_ours_are_left_out_and_shown_both_ways(tmp_path: Path) -> None:
    plan = plan_for(agents=("claude-code",), tasks=("othello", "cogs"), hints=("none",), runs=2)
    campaign = write_campaign(tmp_path / "camp", plan)
    lost = campaign.run_folder("claude-code/othello/none/2") / "run.json"
    lost.unlink()  # its attempt stays, and waits to be judged: no fault of anybody's
    reading = read_campaigns([campaign.folder])
    assert not reading.faults and "1 not judged yet" in reading.notes[0]
    told = StepFault(kind="evaluation", attempt=1, fault="no space left", where="", written_at="")
    campaign.keep_fault("claude-code/othello/none/2", told)
    table = make_content([campaign.folder], with_paper=False).table("faults")
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
    table = make_content([campaign.folder], with_paper=False).table("frontier")
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
    content = make_content([write_campaign(tmp_path / "camp", plan).folder], with_paper=False)
    assert content.table("comparisons") is None and content.tables[0].rows


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
