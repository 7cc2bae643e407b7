"""Tasks as folders of Harbor, judged on the host, and jobs of Harbor as campaigns; with Harbor itself where this Python has it."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import RexbenchError
from rexbench.interop.harbor.folders import export_folders
from rexbench.interop.harbor.jobs import read_job
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from tests.cli.test_cli import run

with_harbor = pytest.mark.skipif(find_spec("harbor") is None, reason="Harbor needs Python 3.12")
BASE = "python:3.11-slim-bookworm"


def write_trial(job: Path, name: str, **changes: Any) -> Path:
    """A trial as Harbor leaves it, as far as we look at it."""
    trial = job / name
    (trial / "agent").mkdir(parents=True)
    result = {
        "task_name": "rexbench/toy--hints",
        "agent_info": {"name": "claude-code", "version": "2", "model_info": {"name": "sonnet 4.5", "provider": "anthropic"}},
        "agent_result": {"n_input_tokens": 900, "n_output_tokens": 80, "n_cache_tokens": 500, "cost_usd": 0.25},
        "verifier_result": {"rewards": {"reward": 1.0}},
    }
    (trial / "result.json").write_text(json.dumps(result | changes))
    steps = [{"step_id": 1, "source": "user", "message": "Go."}, {"step_id": 2, "source": "agent", "message": "Gone."}]
    (trial / "agent" / "trajectory.json").write_text(json.dumps({"schema_version": "ATIF-v1.6", "steps": steps}))
    return trial


def test_a_folder_holds_what_an_agent_may_see_and_gold_for_the_oracle_alone(toy: Task, bench: Bench, tmp_path: Path) -> None:
    new_task(bench.suite.folder / "world", scored=True)
    tasks = [toy, bench.task("world")]
    for folder, task in zip(export_folders(tasks, ["none"], tmp_path / "out", None, BASE), tasks, strict=True):
        kept = bench.workspace(task, tmp_path / task.id)
        shown = folder / "environment" / "workspace"
        files = {str(path.relative_to(shown)): path.read_bytes() for path in shown.rglob("*") if path.is_file()}
        assert files == {
            name: path.read_bytes()
            for path in kept.rglob("*")
            if path.is_file() and not (name := str(path.relative_to(kept))).startswith(".git/")
        }
        known = b"".join(files.values())
        gold = [
            line[1:] for line in task.vault.gold.splitlines() if line.startswith(b"+") and len(line) > 25 and line[1:] not in known
        ]
        assert gold
        hidden = [*gold, (task.folder / "judge.py").read_bytes()[-200:], (task.folder / "variant.py").read_bytes()[-200:]]
        for path in folder.rglob("*"):
            if path.is_file() and path.parent.name != "solution":
                assert not [line for line in hidden if line in path.read_bytes()], path
        assert (folder / "solution" / "gold.patch").read_bytes() == task.vault.gold


def test_a_folder_that_is_in_use_is_refused(toy: Task, tmp_path: Path) -> None:
    (tmp_path / "note").touch()
    with pytest.raises(RexbenchError, match="not an empty folder"):
        export_folders([toy], ["none"], tmp_path, None, BASE)


def test_the_trials_of_a_job_are_judged_with_what_is_told_of_them(toy: Task, bench: Bench, tmp_path: Path) -> None:
    job = tmp_path / "job"
    solved = write_trial(job, "toy__a")
    (solved / "verifier").mkdir()
    (solved / "verifier" / "patch.diff").write_bytes(toy.vault.gold)
    collected = write_trial(job, "toy__b")
    bench.workspace(toy, collected / "artifacts" / "workspace", "hints")
    (collected / "artifacts" / "workspace" / "run.sh").write_text("exit 3\n")
    told = json.loads(run("import", "harbor", str(job), "--out", str(tmp_path / "judged"), "--variant-seed", "7", "--json"))
    runs = {one["id"]: one for one in told["runs"]}
    name = "claude-code-sonnet-4.5/toy/hints"
    assert {key: one["outcome"] for key, one in runs.items()} == {f"{name}/1": "success", f"{name}/2": "execution_failed"}
    step = runs[f"{name}/1"]["step"]
    assert (step["model"], step["tokens"], step["cost_usd"]) == (
        "anthropic/sonnet 4.5",
        {"input": 900, "output": 80, "cached": 500},
        0.25,
    )
    attempt = tmp_path / "judged" / "runs" / name / "1" / "attempt-1"
    assert json.loads((attempt / "trajectory.json").read_bytes())["steps"][1]["message"] == "Gone."


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"task_name": "elsewhere/other"}, "'other', which this suite does not have"),
        ({"task_name": "x/../../etc"}, "'etc', which this suite does not have"),
        ({"task_name": "Not A Task"}, "no task of rexbench"),
        ({"task_name": "rexbench/toy--much"}, "no hint level 'much'"),
        ({}, "neither a patch"),
    ],
)
def test_a_trial_that_cannot_be_judged_is_one_sentence(
    toy: Task, bench: Bench, tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    write_trial(tmp_path / "job", "trial", **changes)
    with pytest.raises(RexbenchError, match=told):
        read_job(tmp_path / "job", bench)


def test_a_job_that_leads_elsewhere_is_not_followed(toy: Task, bench: Bench, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "patch.diff").write_text("of the host")
    trial = write_trial(tmp_path / "job", "trial")
    (trial / "verifier").symlink_to(secret)
    with pytest.raises(RexbenchError, match="a link"):
        read_job(tmp_path / "job", bench)
    with pytest.raises(RexbenchError, match="holds no trial"):
        read_job(secret, bench)


@with_harbor
@pytest.mark.timeout(600)
def test_harbor_takes_the_folders_and_its_oracle_has_one_and_its_nop_nothing(toy: Task, bench: Bench, tmp_path: Path) -> None:
    new_task(bench.suite.folder / "world", scored=True)
    export_folders([toy, bench.task("world")], ["hints"], tmp_path / "out", None, BASE)
    rewards = run_trials("plain", tmp_path / "out", tmp_path / "job", "oracle", "nop")
    assert rewards == {
        (f"{task}--hints", agent): value for task in ("toy", "world") for agent, value in (("oracle", 1), ("nop", 0))
    }
    found = {one.id: one.patch for one in read_job(tmp_path / "job", bench)}
    assert set(found) == {f"{agent}/{task}/hints/1" for task in ("toy", "world") for agent in ("oracle", "nop")}
    assert bench.evaluate("toy", found["oracle/toy/hints/1"]).outcome == "success"


def run_trials(kind: str, tasks: Path, job: Path, *agents: str) -> dict[tuple[str, str], float]:
    """The rewards that Harbor gives, by task and agent."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.interop.harbor_trials", kind, str(tasks), str(job), *agents],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {(name, agent): float(reward) for name, agent, reward in (line.split() for line in done.stdout.splitlines())}
