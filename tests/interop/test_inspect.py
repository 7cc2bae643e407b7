"""The benchmark as tasks of Inspect, run by Inspect with its mock model: verdicts as everywhere, and nothing paid twice."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from rexbench.api.bench import Bench, HeldOut
from rexbench.errors import RexbenchError
from rexbench.interop.inspect.tasks import frontier, replication
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task


def say(tool: str, **arguments: str) -> ModelOutput:
    """A call of a tool; with usage, which Inspect would else count with a file from the network."""
    output = ModelOutput.for_tool_call("mockllm/model", tool, dict(arguments))
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def scripted(*answers: ModelOutput) -> Model:
    return get_model("mockllm/model", custom_outputs=[*answers, say("submit", answer="done")], memoize=False)


def applying(patch: bytes) -> ModelOutput:
    return say("bash", command=f"git apply - <<'END_OF_PATCH'\n{patch.decode()}END_OF_PATCH\n")


@solver
def leave_a_note() -> Solver:
    """An agent that asks no model."""

    async def leave(state: TaskState, generate: Generate) -> TaskState:
        await sandbox().write_file("NOTE.md", f"Seen in epoch {state.epoch}.\n")
        return state

    return leave


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., EvalLog]:
    def run(model: Model | str, tier: str = "replication", agent: Solver | None = None, **options: object) -> EvalLog:
        (log,) = inspect_eval(
            f"rexbench/{tier}", model=model, solver=agent, task_args=options, log_dir=str(tmp_path / "logs"), display="none"
        )
        return log

    return run


def only(log: EvalLog) -> EvalSample:
    assert log.samples and len(log.samples) == 1
    return log.samples[0]


def test_inspects_own_agent_solves_a_task_and_is_judged_as_by_evaluate(
    toy: Task, bench: Bench, run: Callable[..., EvalLog]
) -> None:
    model = scripted(
        say("text_editor", command="create", path="/workspace/CLAIM.json", file_text='{"success": 0.9}'), applying(toy.vault.gold)
    )
    sample = only(run(model, tasks="toy", hints="hints", variant_seed=7))
    assert sample.error is None, sample.error
    (score,) = (sample.scores or {}).values()
    verdict = bench.evaluate("toy", score.answer or "", HeldOut(seed=7))
    assert verdict.outcome == "success"
    assert score.value == {"success": 1, "execution_success": 1, "file_recall": verdict.first.file_recall}
    assert score.metadata and score.metadata["metrics"] == [metric.model_dump() for metric in verdict.metrics]
    assert score.metadata["claim"]["success"] == 0.9
    assert score.metadata["evaluations"][0]["key"] == verdict.first.key


def test_a_scored_task_has_its_score_and_a_replaced_agent_is_judged_too(
    home: Path, tasks: Path, run: Callable[..., EvalLog]
) -> None:
    new_task(tasks / "world", scored=True)
    bench = Bench(home=home, tasks=tasks)
    log = run("mockllm/model", "frontier", leave_a_note(), variant_seed=3)
    (score,) = (only(log).scores or {}).values()
    verdict = bench.evaluate("world", score.answer or "", HeldOut(seed=3))
    assert isinstance(score.value, dict)
    assert score.value["score"] == verdict.score == pytest.approx(0, abs=1e-9)
    assert (score.value["success"], score.metadata and score.metadata["outcome"]) == (0, verdict.outcome)


def test_a_fault_of_ours_is_an_error_of_the_sample_and_its_retry_repeats_no_step_of_the_agent(
    toy: Task, run: Callable[..., EvalLog], tmp_path: Path
) -> None:
    judge = toy.folder / "judge.py"
    sound = judge.read_text()
    judge.write_text(sound + "\n\ndef metrics(*folders):\n    raise RuntimeError('of ours')\n")
    log = run(scripted(applying(toy.vault.gold)), tasks="toy", variant_seed=7)
    assert log.status == "error"
    assert only(log).error and "of ours" in only(log).error.message
    assert not only(log).scores
    judge.write_text(sound)
    (again,) = eval_retry(log, log_dir=str(tmp_path / "again"), display="none")
    assert_judged_without_a_model(only(again))
    assert [message.text for message in only(again).messages] == [message.text for message in only(log).messages]


def assert_judged_without_a_model(sample: EvalSample) -> None:
    assert sample.error is None, sample.error
    (score,) = (sample.scores or {}).values()
    assert isinstance(score.value, dict) and score.value["success"] == 1
    assert [event for event in sample.events if event.event == "model"] == []


KILLED = """\
import sys
from rexbench.api.bench import Bench
from tests.interop.test_inspect import applying, inspect_eval, scripted
inspect_eval("rexbench/replication", model=scripted(applying(Bench().task("toy").vault.gold)), log_dir=sys.argv[1],
             task_args={"tasks": "toy", "variant_seed": 7}, display="none")
"""


def test_an_evaluation_that_is_killed_while_it_judges_goes_on_from_the_patch(toy: Task, home: Path, tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.touch()
    judge = toy.folder / "judge.py"
    waiting = f"import os, time\nwhile os.path.exists({str(held)!r}):\n    time.sleep(0.1)\n"
    judge.write_text(waiting + judge.read_text())
    logs = tmp_path / "logs"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(logs)], cwd=Path(__file__).parents[2])
    while not list(home.glob("inspect/*/*.json")):
        assert process.poll() is None
        time.sleep(0.1)
    process.kill()
    process.wait()
    held.unlink()
    (log,) = logs.iterdir()
    (again,) = eval_retry(str(log), log_dir=str(tmp_path / "again"), display="none")
    assert_judged_without_a_model(only(again))


def test_an_option_that_fits_nothing_is_one_sentence(toy: Task) -> None:
    with pytest.raises(RexbenchError, match="toy is no scored task; there are: none"):
        frontier(tasks="toy")
    with pytest.raises(RexbenchError, match="has no scored task"):
        frontier()
    with pytest.raises(RexbenchError, match="no hint level 'much'"):
        replication(hints="much")
    with pytest.raises(RexbenchError, match="no sandbox 'local' for Inspect"):
        replication(sandbox="local")
