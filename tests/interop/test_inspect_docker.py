"""The benchmark in Inspect's own Docker sandbox. Runs where an engine and its Compose answer; `make test-docker` brings both."""

import subprocess
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from rexbench.api.bench import Bench, HeldOut
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from tests.conftest import CONFIGURED
from tests.interop.searching import CONTROL, LINES, SEARCHES, SEED, assert_only_the_control_was_found, control_line, hidden_lines
from tests.interop.test_inspect import applying, only, say, scripted

ENGINE = CONFIGURED.any_sandbox("docker")


def missing() -> str | None:
    """What keeps Inspect's Docker from working here."""
    told = ENGINE.missing()
    if told is None and subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
        return "the engine's client has no compose"
    return told


pytestmark = [pytest.mark.docker, pytest.mark.timeout(900), pytest.mark.skipif(missing() is not None, reason=f"{missing()}")]


def run(logs: Path, model: Model | str, tier: str = "replication", agent: Solver | None = None) -> EvalLog:
    options = {"sandbox": "docker", "variant_seed": SEED}
    (log,) = inspect_eval(f"rexbench/{tier}", model=model, solver=agent, task_args=options, log_dir=str(logs), display="none")
    return log


@solver
def searching(task: Task, bench: Bench, found: dict[str, str]) -> Solver:
    """An agent that looks for what nobody may find, and leaves everything as it is."""

    async def search(state: TaskState, generate: Generate) -> TaskState:
        await sandbox().write_file(LINES, hidden_lines(task, bench))
        await sandbox().write_file(CONTROL, control_line(task))
        for name, command in SEARCHES.items():
            found[name] = (await sandbox().exec(["bash", "-c", command])).stdout
        return state

    return search


@pytest.mark.parametrize("tier", ["replication", "frontier"])
def test_an_agent_in_inspects_docker_is_judged_as_by_evaluate(tier: str, home: Path, tasks: Path, tmp_path: Path) -> None:
    new_task(tasks / "one", scored=tier == "frontier")
    bench = Bench(home=home, tasks=tasks)
    claim = say("text_editor", command="create", path="/workspace/CLAIM.json", file_text='{"success": 0.9}')
    sample = only(run(tmp_path / "logs", scripted(claim, applying(bench.task("one").vault.gold)), tier))
    assert sample.error is None, sample.error
    (score,) = (sample.scores or {}).values()
    verdict = bench.evaluate("one", score.answer or "", HeldOut(seed=SEED))
    assert verdict.outcome == "success"
    assert isinstance(score.value, dict) and score.value["success"] == 1 and score.value.get("score") == verdict.score
    assert score.metadata and score.metadata["metrics"] == [metric.model_dump() for metric in verdict.metrics]
    assert score.metadata["evaluations"][0]["key"] == verdict.first.key
    assert score.metadata["claim"]["success"] == 0.9


def test_nothing_that_decides_is_in_the_container_and_what_is_left_alone_is_no_patch(
    toy: Task, bench: Bench, tmp_path: Path
) -> None:
    found: dict[str, str] = {}
    sample = only(run(tmp_path / "logs", "mockllm/model", agent=searching(toy, bench, found)))
    assert sample.error is None, sample.error
    assert_only_the_control_was_found(found)
    (score,) = (sample.scores or {}).values()
    assert score.answer == "" and score.metadata and score.metadata["outcome"] == "empty_patch"


@solver
def breaking_its_tools() -> Solver:
    async def break_them(state: TaskState, generate: Generate) -> TaskState:
        await sandbox().write_file("work.txt", "done\n")
        await sandbox().exec(["bash", "-c", "cp /bin/false /usr/local/bin/tar"])
        return state

    return break_them


def test_an_agent_that_breaks_what_carries_its_work_out_has_left_nothing(toy: Task, tmp_path: Path) -> None:
    sample = only(run(tmp_path / "logs", "mockllm/model", agent=breaking_its_tools()))
    assert sample.error is None, sample.error
    (score,) = (sample.scores or {}).values()
    assert score.answer == "" and score.metadata and score.metadata["outcome"] == "empty_patch"


def test_judging_goes_on_from_the_patch_when_the_container_is_gone(toy: Task, tmp_path: Path) -> None:
    judge = toy.folder / "judge.py"
    sound = judge.read_text()
    judge.write_text(sound + "\n\ndef metrics(*folders):\n    raise RuntimeError('of ours')\n")
    log = run(tmp_path / "logs", scripted(applying(toy.vault.gold)))
    assert only(log).error and not only(log).scores
    judge.write_text(sound)
    (again,) = eval_retry(log, log_dir=str(tmp_path / "again"), display="none")
    (score,) = (only(again).scores or {}).values()
    assert isinstance(score.value, dict) and score.value["success"] == 1
    assert [event for event in only(again).events if event.event == "model"] == []
