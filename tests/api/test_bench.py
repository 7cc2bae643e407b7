"""A bench's verbs as somebody who writes Python meets them."""

from pathlib import Path

import pytest

import rexbench as rx
from rexbench.api.bench import HeldOut
from rexbench.errors import RexbenchError, UnusablePatch
from rexbench.task.scaffold import new_task

SEED = HeldOut(seed=5)


@pytest.mark.parametrize("given", ["bytes", "text", "file", "name of a file", "folder"])
def test_a_patch_may_be_given_in_any_form(bench: rx.Bench, toy: rx.Task, tmp_path: Path, given: str) -> None:
    gold = toy.vault.gold
    file, work = tmp_path / "fix.patch", tmp_path / "work"
    file.write_bytes(gold)
    if given == "folder":
        bench.workspace("toy", work)
        (work / "run.sh").write_text("exit 3\n")
    forms: dict[str, bytes | str | Path] = {
        "bytes": gold,
        "text": gold.decode(),
        "file": file,
        "name of a file": str(file),
        "folder": work,
    }
    verdict = bench.evaluate("toy", forms[given], SEED)
    assert verdict.outcome == ("execution_failed" if given == "folder" else "success")
    assert verdict.execution_success is (given != "folder")
    assert given == "folder" or {metric.name for metric in verdict.metrics} == {"groups", "mean_of_medians"}


def test_what_is_no_patch_is_told_in_one_sentence(bench: rx.Bench, toy: rx.Task, tmp_path: Path) -> None:
    with pytest.raises(UnusablePatch, match="neither a folder nor a patch file"):
        bench.evaluate("toy", "no-such.patch")
    (tmp_path / "strange").mkdir()
    with pytest.raises(UnusablePatch, match="no workspace of toy"):
        bench.evaluate("toy", tmp_path / "strange")


def test_a_relative_workspace_is_made_where_one_is(
    bench: rx.Bench, toy: rx.Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = bench.workspace("toy", "work", "detailed")
    assert made == tmp_path / "work" and (made / "run.sh").is_file()


def plan(**changes: object) -> rx.Plan:
    return rx.Plan.model_validate({"agents": (rx.Agent("gold"), rx.Agent("nop")), "tasks": ("toy",)} | changes)


@pytest.mark.parametrize("jobs", [None, 2])
def test_a_campaign_is_run_and_resumed(bench: rx.Bench, toy: rx.Task, tmp_path: Path, jobs: int | None) -> None:
    events: list[rx.Event] = []
    executor = rx.Local(jobs) if jobs else rx.Inline()
    made = bench.run(plan(), tmp_path / "campaign", SEED, executor=executor, on_event=events.append)
    assert made.complete and {run.agent: run.outcome for run in made.runs()} == {"gold": "success", "nop": "empty_patch"}
    assert events and str(events[-1]).startswith("[2/2]")
    (made.folder / "runs" / "gold" / "toy" / "none" / "1" / "run.json").unlink()
    assert len(bench.campaign(made.folder).runs()) == 1
    again = bench.resume(made.folder, executor=rx.Local(jobs) if jobs else rx.Inline())
    assert again.complete and len(again.runs()) == 2


def test_the_records_are_rows(bench: rx.Bench, toy: rx.Task, tmp_path: Path) -> None:
    made = bench.run(plan(runs=2), tmp_path / "campaign", SEED)
    rows = made.frame()
    assert [row["success"] for row in sorted(rows, key=lambda row: row["id"])] == [True, True, False, False]
    frame = made.frame("pandas")
    assert list(frame.columns) == list(rows[0]) and frame.groupby("agent").success.mean().to_dict() == {"gold": 1.0, "nop": 0.0}


def test_a_library_that_is_missing_is_named_with_its_remedy(bench: rx.Bench, toy: rx.Task, tmp_path: Path) -> None:
    made = bench.run(plan(), tmp_path / "campaign", SEED)
    with pytest.raises(RexbenchError, match="pip install polars"):
        made.frame("polars")


OWN = """
from rexbench.agent.protocol import Brief, Launch, Said


class Noting:
    name = "noting"
    wires = ("openai-chat",)
    program = None

    def launch(self, brief: Brief) -> Launch:
        return Launch(["bash", "-c", "echo seen > NOTE.md"], {})

    def read_log(self, output):
        return Said(finished=True)
"""


@pytest.mark.parametrize("jobs", [None, 2])
def test_an_own_agent_is_a_class(
    home: Path, toy: rx.Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int | None
) -> None:
    (tmp_path / "own_agent.py").write_text(OWN)
    (tmp_path / "script.yaml").write_text("- finish: Done.\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    from own_agent import Noting  # type: ignore[import-not-found]

    bench = rx.Bench(home=home, tasks=toy.folder.parent)  # made now: its workers see the environment as it is here
    agent = rx.Agent(Noting if jobs is None else "own_agent:Noting", model=f"scripted:{tmp_path / 'script.yaml'}")
    made = bench.run(plan(agents=(agent,)), tmp_path / "campaign", SEED, executor=rx.Local(jobs) if jobs else rx.Inline())
    assert made.complete, made.progress
    (run,) = made.runs()
    assert run.agent == "Noting" and run.outcome == "bad_artifact"
    assert b"NOTE.md" in (made.folder / "runs" / run.id / "attempt-1" / "patch.diff").read_bytes()


def test_an_own_suite_is_a_folder_or_an_installed_package(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "own_offering"
    described = tmp_path / "site" / "own_offering-1.0.dist-info"
    for folder in (package, described, tmp_path / "mine"):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    new_task(package / "theirs")
    new_task(tmp_path / "mine" / "own")
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: own_offering\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[rexbench.tasks]\nlab = own_offering\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    bench = rx.Bench(home=home, tasks=tmp_path / "mine")
    assert [task.id for task in bench.tasks()] == ["own"]
    for name in ("own", "lab/theirs", tmp_path / "mine" / "own"):
        task = bench.task(name)
        assert bench.evaluate(name, task.vault.gold, SEED).outcome == "success"
    made = bench.run(plan(tasks=("own", "lab/theirs")), tmp_path / "campaign", SEED, executor=rx.Local(2))
    assert {run.id for run in made.runs() if run.outcome == "success"} == {"gold/own/none/1", "gold/theirs/none/1"}
    with pytest.raises(RexbenchError, match="installed: lab"):
        bench.task("labs/theirs")


def test_a_report_is_written(bench: rx.Bench, toy: rx.Task, tmp_path: Path) -> None:
    made = bench.run(plan(), tmp_path / "campaign", SEED)
    rx.report([made], tmp_path / "report", suite=bench.suite)
    assert "gold" in next((tmp_path / "report").glob("*.html")).read_text()
