"""Scores and claims in a report: both tiers, and never a number over both."""

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from rexbench.reports.content import Content, make_content
from rexbench.reports.figures.svg import NARROW, WIDE
from rexbench.reports.reading import read_campaigns
from rexbench.reports.results import results_of
from rexbench.reports.run_details import read_run_files, run_detail
from rexbench.reports.table import Table
from rexbench.reports.terminal import print_report
from rexbench.reports.write import write_report
from tests.reports.made_up import plan_for, write_campaign, write_scored_campaign

SCORED = ("attribution", "lowbit")
ON_SCORES = {
    "scores",
    "scores_by_task",
    "scores_by_stratum",
    "score_over_time",
    "score_failures",
    "score_comparisons",
    "score_hints",
}
ON_CLAIMS = {"claims", "claimed_chances", "claimed_intervals", "claimed_scores"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scored_campaign(tmp_path_factory.mktemp("made-up") / "camp").folder


@pytest.fixture(scope="module")
def content(folder: Path) -> Content:
    return make_content([folder])


def table_of(content: Content, name: str) -> Table:
    table = content.table(name)
    assert table, name
    return table


def test_each_tier_has_its_own_tables_and_figures(content: Content) -> None:
    assert {table.name for table in content.tables} >= ON_SCORES | ON_CLAIMS
    tasks = {name: {column.name for column in table_of(content, name).columns[2:]} for name in ("by_task", "scores_by_task")}
    assert tasks == {"by_task": {"othello", "cogs"}, "scores_by_task": set(SCORED)}
    runs = {name: {row["runs"] for row in table_of(content, name).records()} for name in ("headline", "scores")}
    assert runs == {"headline": {6}, "scores": {6}}, "two tasks of a tier, three runs each"
    assert any("scored tasks have sections of their own" in caveat for caveat in content.caveats)


def test_a_campaign_without_scored_tasks_speaks_of_none(tmp_path: Path) -> None:
    plan = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs"), runs=2)
    content = make_content([write_campaign(tmp_path / "camp", plan).folder])
    assert not (ON_SCORES | ON_CLAIMS) & {table.name for table in content.tables} and not content.caveats


def test_a_campaign_of_scored_tasks_alone_speaks_of_no_success(tmp_path: Path) -> None:
    content = make_content([write_scored_campaign(tmp_path / "camp", tasks=SCORED).folder])
    assert {table.name for table in content.tables} >= ON_SCORES and content.table("headline") is None


def test_the_mean_score_is_the_mean_over_tasks_of_what_runs_scored(content: Content) -> None:
    scores = {(row["agent"], row["hints"]): row for row in table_of(content, "scores").records()}
    for row in table_of(content, "scores_by_task").rows:
        runs = [e.run for e in content.reading.runs if (e.agent, e.run.hints) == row[:2] and e.run.task in SCORED]
        means = [np.mean([run.score for run in runs if run.task == task]) for task in SCORED]
        assert list(row[2:]) == pytest.approx(means)
        assert scores[row[0], row[1]]["score"] == pytest.approx(np.mean(means))


def test_best_of_all_runs_is_the_mean_over_tasks_of_the_best(content: Content) -> None:
    for row in table_of(content, "scores").records():
        runs = [e.run for e in content.reading.runs if (e.agent, e.run.hints) == (row["agent"], row["hints"])]
        best = [max(run.score or 0.0 for run in runs if run.task == task) for task in SCORED]
        assert row["best@3"] == pytest.approx(np.mean(best))


def test_the_way_to_the_ceiling_is_told_of_tasks_that_have_one_and_counts_lost_runs_as_none(content: Content) -> None:
    for row in table_of(content, "scores").records():
        own = [e.run for e in content.reading.runs if (e.agent, e.run.hints) == (row["agent"], row["hints"])]
        shares = [
            (run.evaluations[0].figure and run.evaluations[0].figure.share) or 0.0 for run in own if run.task == "attribution"
        ]
        assert row["share_of_the_way_to_the_ceiling"] == pytest.approx(np.mean(shares))


def test_controls_are_in_no_table_on_scores_or_claims(content: Content) -> None:
    for name in ON_SCORES | ON_CLAIMS:
        assert not {"gold", "nop"} & {str(cell) for row in table_of(content, name).rows for cell in row}, name
    assert [row["score"] for row in table_of(content, "controls").records()] == [1.0, 1.0, 0.0, 0.0]


def test_score_over_time_rises_from_capture_to_capture_of_the_runs_that_have_them(content: Content) -> None:
    rows = [
        row for row in table_of(content, "score_over_time").records() if row["agent"] == "claude-code" and row["hints"] == "none"
    ]
    assert [row["minutes"] for row in rows] == ["5", "10", "end"] and {row["runs"] for row in rows} == {4}
    end = float(str(rows[-1]["score"]))
    assert [row["score"] for row in rows[:2]] == pytest.approx([0.3 * end, 0.7 * end])
    assert [row["usd_by_then"] for row in rows] == pytest.approx([0.5, 1.0, 1.2])


def test_a_claimed_interval_is_laid_beside_the_score_on_the_tasks_own_scale(content: Content) -> None:
    """A claim of 0.9 to 1.2 times the measured figure holds it on either scale, and turns round where less is better."""
    rows = table_of(content, "claimed_scores").records()
    assert {row["task"] for row in rows} == set(SCORED) and all(row["held"] for row in rows)
    for row in rows:
        low, high, measured = (float(str(row[key])) for key in ("claimed_low", "claimed_high", "measured"))
        if row["task"] == "lowbit":
            assert (low - measured, high - measured) == pytest.approx([math.log(k) / math.log(0.1 / 0.9) for k in (1.2, 0.9)])
        else:
            value = 0.2 + 0.6 * measured
            assert (low, high) == pytest.approx(
                sorted((0.9 * value - 0.2) / 0.6 if k else (1.2 * value - 0.2) / 0.6 for k in (0, 1))
            )


def test_a_claim_of_nothing_on_a_logarithmic_scale_stays_finite(tmp_path: Path) -> None:
    campaign = write_scored_campaign(tmp_path / "camp", agents=("aider",), tasks=("lowbit",), hints=("none",))
    run = next(run for run in campaign.runs() if run.evaluations[0].figure and run.claim)
    assert run.claim
    changed = run.model_copy(update={"claim": run.claim.model_copy(update={"figure": (0.0, 0.5)})})
    (campaign.run_folder(run.id) / "run.json").write_text(changed.model_dump_json())
    results = results_of(read_campaigns([campaign.folder]))
    assert np.nanmax(results.claimed_high) == 10.0


def test_missing_claims_are_counted_and_tiers_are_told_apart(content: Content) -> None:
    rows = table_of(content, "claims").records()
    for row in rows:
        runs = [e.run for e in content.reading.runs if (e.agent, e.run.hints) == (row["agent"], row["hints"])]
        runs = [run for run in runs if (run.task in SCORED) == (row["tier"] == "scored")]
        made = [run for run in runs if run.claim]
        assert (row["claims"], row["missing"]) == (len(made), len(runs) - len(made))
    assert {row["tier"] for row in rows} == {"replication", "scored"}


@pytest.mark.parametrize("columns", [60, 80])
def test_scores_and_claims_fit_a_terminal(content: Content, columns: int) -> None:
    out = io.StringIO()
    print_report(content, Console(file=out, width=columns))
    told = out.getvalue()
    for title in ("Scores", "Claimed chances of success", "Claimed intervals of figures"):
        part = told[told.index(f"\n{title}\n") :].split("\n\n")[0]
        assert max(map(len, part.splitlines())) <= columns, title


def test_everything_is_written_as_csv_latex_and_figures(content: Content, tmp_path: Path) -> None:
    written = {path.relative_to(tmp_path).as_posix() for path in write_report(content, tmp_path)}
    assert {f"tables/{name}.{kind}" for name in ON_SCORES | ON_CLAIMS for kind in ("csv", "tex")} <= written
    figures = {"scores", "scores_by_task", "score_over_time", "score_outcomes", "claimed_chances", "claimed_scores"}
    assert {f"figures/{name}.svg" for name in figures} <= written
    for figure in (figure for section in content.sections for figure in section.figures):
        assert all(drawn.width >= width for width in (WIDE, NARROW) if (drawn := figure.draw(width)))


def test_a_run_unfolds_to_its_figure_strata_guards_rows_and_claim(tmp_path: Path) -> None:
    campaign = write_scored_campaign(tmp_path / "camp", agents=("claude-code", "aider"), runs=6, text="<b>x</b>")
    entries = read_campaigns([campaign.folder]).runs
    details = [(e.run, run_detail(e, read_run_files(e, 10_000, True), tmp_path, True)) for e in entries if e.run.task in SCORED]
    figured = next(told for run, told in details if run.evaluations[0].figure and run.task == "attribution")
    names = [name for name, _ in figured["evaluations"][0]["figure"]]
    assert names == ["lds", "base", "gold", "ceiling", "score", "way to the ceiling", "score by stratum"]
    broken = next(told for run, told in details if run.evaluations[0].broken_guards)
    assert any("no longer works" in told for told in broken["evaluations"][0]["complaints"])
    assert any("98 of 100 rows" in told for told in broken["evaluations"][0]["complaints"])
    claims = {bool(run.claim): [name for name, _ in told["facts"]] for run, told in details}
    assert "claim" in claims[True] and "claim" not in claims[False]
    assert "<b>x</b>" not in (write_report(make_content([campaign.folder]), tmp_path / "out")[0]).read_text()
    json.dumps([told for _, told in details])
