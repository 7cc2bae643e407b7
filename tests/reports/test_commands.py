"""`report`, `compare` and `power` as a user meets them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from statsmodels.stats.multitest import multipletests

from tests.reports.made_up import plan_for, write_campaign, write_scored_campaign

REXBENCH = Path(sys.executable).parent / "rexbench"


def run(*arguments: str | Path, status: int = 0, columns: int = 80) -> str:
    command = [REXBENCH, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"COLUMNS": str(columns)})
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    plan = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs", "checkeval"), runs=2)
    return write_campaign(tmp_path_factory.mktemp("made-up") / "camp", plan).folder


def test_a_report_is_printed_in_80_columns_and_written(campaign: Path, tmp_path: Path) -> None:
    told = run("report", campaign, "--with-paper", "--out", tmp_path / "out")
    assert max(len(line) for line in told.splitlines() if str(tmp_path) not in line) <= 80
    assert "Final success" in told and "re-created" in told and "Of the 91 pairs" in told
    assert "Do not publish it" in told and "--without-patches" in told
    for name in ("report.html", "figures/headline.svg", "figures/by_task.svg", "tables/headline.csv", "tables/comparisons.tex"):
        assert (tmp_path / "out" / name).stat().st_size > 100


def test_a_report_for_machines_is_one_json_value(campaign: Path, tmp_path: Path) -> None:
    answer = json.loads(run("report", campaign, "--out", tmp_path / "out", "--json"))
    assert answer["runs"] == 36 and answer["tables"]["headline"][0]["agent"] == "claude-code"
    assert all(Path(path).is_file() for path in answer["files"])


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_names_and_numbers_are_whole_in_a_terminal_of_any_width(columns: int, tmp_path: Path) -> None:
    """At 60 columns every number was one digit and an ellipsis."""
    names = ("a-name-of-sixty-letters-which-a-campaign-may-well-give-to-it", "aider")
    campaign = write_campaign(tmp_path / "camp", plan_for(agents=names, tasks=("othello", "entity-tracking-multimodal"), runs=2))
    told = run("report", campaign.folder, "--out", tmp_path / "out", columns=columns)
    assert "…" not in told and "entity-tracking-multimodal" in told and "0.50" in told
    assert names[0] in told.replace("\n", "")
    table = told[told.index("Final success") : told.index("Mean over tasks")]
    assert max(map(len, table.splitlines())) <= columns


def test_two_agents_are_compared(campaign: Path) -> None:
    told = run("compare", campaign, "--a", "claude-code", "--b", "aider")
    assert "claude-code minus aider" in told and "95 % interval" in told and "all:" in told
    answer = json.loads(run("compare", campaign, "--a", "claude-code", "--b", "aider", "--json"))
    assert [row["hints"] for row in answer["comparisons"]] == ["none", "hints", "detailed", "all"]
    corrected = [row["p_tasks_holm"] for row in answer["comparisons"][:3]]
    assert corrected == pytest.approx(multipletests([row["p_tasks"] for row in answer["comparisons"][:3]], method="holm")[1])
    assert "Holm" in told and "p_tasks_holm" not in answer["comparisons"][3], "all levels together are one test"


def test_single_runs_are_compared_by_mcnemar(tmp_path: Path) -> None:
    plan = plan_for(agents=("claude-code", "aider"), tasks=("othello", "cogs"), hints=("none",), runs=1)
    folder = write_campaign(tmp_path / "camp", plan).folder
    assert "McNemar" in run("compare", folder, "--a", "claude-code", "--b", "aider")


def test_power_says_what_a_design_can_show() -> None:
    told = run("power", "--tasks", "12", "--runs", "5", "--difference", "0.15")
    assert "12 tasks x 5 runs" in told and "24 tasks" in told and "Model:" in told
    answer = json.loads(run("power", "--tasks", "6", "--runs", "2", "--difference", "0.2", "--json"))
    assert 0 <= answer["power_over_tasks"] <= 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["report", "no-such-folder"], "holds no campaign"),
        (["compare", "CAMPAIGN", "--a", "claude", "--b", "aider"], "There is no agent 'claude'"),
        (["compare", "CAMPAIGN", "--a", "aider", "--b", "aider"], "aider is both --a and --b"),
        (["report", "CAMPAIGN", "CAMPAIGN"], "is named twice"),
        (["report", "CAMPAIGN", "--out", "CAMPAIGN/campaign.json"], "cannot be written"),
        (["power", "--difference", "0.9"], "do not fit between 0 and 1"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(campaign: Path, arguments: list[str], told: str) -> None:
    message = run(*(part.replace("CAMPAIGN", str(campaign)) for part in arguments), status=2)
    assert told in message and len(message.strip().splitlines()) == 1


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scored_campaign(tmp_path_factory.mktemp("made-up") / "camp").folder


def test_scored_tasks_are_compared_on_scores_and_others_on_success(scored: Path) -> None:
    told = run("compare", scored, "--a", "claude-code", "--b", "aider")
    assert told.index("final success, paired by task") < told.index("score on scored tasks, paired by task")
    rows = json.loads(run("compare", scored, "--a", "claude-code", "--b", "aider", "--json"))["comparisons"]
    assert [(row["measure"], row["hints"]) for row in rows] == [
        (measure, hints) for measure in ("success", "score") for hints in ("none", "detailed", "all")
    ]
    assert all(row["tasks"] == 2 for row in rows), "each tier has two tasks, and none is counted in the other"


def test_a_report_for_machines_holds_scores_and_claims(scored: Path, tmp_path: Path) -> None:
    tables = json.loads(run("report", scored, "--out", tmp_path / "out", "--json"))["tables"]
    assert tables["scores"][0]["agent"] == "claude-code" and tables["claimed_intervals"] and tables["claims"]


def test_power_sets_scores_beside_success() -> None:
    told = run("power", "--scored")
    assert "If the tasks are scored" in told and "on success: 40 points or more" in told
    assert max(map(len, told.splitlines())) <= 80
    answer = json.loads(run("power", "--tasks", "12", "--runs", "5", "--scored", "--json"))
    assert answer["scores"]["detectable_difference"] < answer["detectable_difference"]
    assert "scores" not in json.loads(run("power", "--tasks", "6", "--runs", "2", "--json"))
