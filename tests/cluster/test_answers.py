"""What a node's answer means for a campaign; no cluster needed."""

import time
from typing import Any

import pytest

import rexbench
from rexbench.campaign.executors.probe import Answer
from rexbench.cli.cluster.probing import judge_answer
from rexbench.cli.doctor import Fact
from tests.conftest import CONFIGURED


def told(wants_gpu: bool = False, **changes: Any) -> dict[str, Fact]:
    now = time.time()
    sound = {
        "node": "n1",
        "version": rexbench.__version__,
        "python": "3.11",
        "token": "t",
        "clock": now,
        "lock_holds": True,
        "home_fault": "",
        "environments": {"base": True},
        "sandbox_fault": "",
        "machine": "m",
        "cores": 1,
        "memory_gb": 8,
        "gpus": [],
        "gpu_fault": "",
        "visible_gpus": None,
    }
    facts = judge_answer(Answer.model_validate(sound | changes), "t", now - 1, now + 1, wants_gpu, CONFIGURED)
    return {fact.what: fact for fact in facts}


def test_a_sound_node_misses_nothing() -> None:
    assert "missing" not in {fact.state for fact in told().values()}


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("shared folder", {"token": "another"}),
        ("locks", {"lock_holds": False}),
        ("records", {"home_fault": "No space left on device"}),
        ("rexbench", {"version": "0.0.1"}),
        ("sandbox", {"sandbox_fault": "bwrap is not installed"}),
        ("clock", {"clock": 0.0}),
        ("GPU", {"wants_gpu": True}),
        ("GPU", {"gpus": ["NVIDIA L4"], "gpu_fault": "a command in it ended with 1"}),
    ],
)
def test_what_is_missing_is_named_alone(what: str, changes: dict[str, Any]) -> None:
    assert [fact.what for fact in told(**changes).values() if fact.state == "missing"] == [what]


def test_a_sandbox_that_could_not_be_tried_is_not_called_sound() -> None:
    assert told(sandbox_fault=None, environments={"base": False})["sandbox"].state == "note"


def test_a_gpu_that_a_step_can_use_is_named() -> None:
    assert told(wants_gpu=True, gpus=["NVIDIA L4"], visible_gpus="0")["GPU"].told == "NVIDIA L4; CUDA_VISIBLE_DEVICES=0"
