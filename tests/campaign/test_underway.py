"""What a conductor tells others of what it is at, and what is believed of it."""

import json
from pathlib import Path

import pytest

from rexbench.agent.settings import Agent
from rexbench.api.bench import Bench
from rexbench.campaign.conduct import Event, Progress
from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.plan import Plan
from rexbench.campaign.undertaking import Step
from rexbench.campaign.underway import read_under_way, shown_to_others
from rexbench.task.folder import Task

STEP = Step("folder", "aider/cogs/none/1", "agent")


def test_others_see_what_is_under_way_until_the_end(tmp_path: Path) -> None:
    heard: list[Event] = []
    with shown_to_others(tmp_path, heard.append) as tell:
        assert read_under_way(tmp_path) is None
        tell(Event(Progress(9, running=[UnderWay(STEP.label, "node-1")], queued=4, given_up={"x": "no disk"})))
        found = read_under_way(tmp_path)
        assert found and [(step.label, step.where) for step in found.steps] == [("aider/cogs/none/1 agent", "node-1")]
        assert found.queued == 4 and found.given_up == {"x": "no disk"}
        tell(Event(Progress(9), Ended(STEP)))
        assert read_under_way(tmp_path) == found, "between a step's end and the next nothing is told"
    assert read_under_way(tmp_path) is None and len(heard) == 2 and list(tmp_path.iterdir()) == []


def test_it_is_gone_after_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), shown_to_others(tmp_path, lambda event: None) as tell:
        tell(Event(Progress(1)))
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_whoever_could_not_conduct_leaves_anothers_alone(tmp_path: Path) -> None:
    with shown_to_others(tmp_path, lambda event: None) as tell:
        tell(Event(Progress(1)))
        with shown_to_others(tmp_path, lambda event: None):
            pass
        assert read_under_way(tmp_path)


@pytest.mark.parametrize(
    "change", [{"owner": "1_1"}, {"owner": "x"}, {"owner": "999999999_gone1"}, {"queued": "many"}, {"more": 1}]
)
def test_what_a_dead_process_left_or_nobody_wrote_is_not_believed(tmp_path: Path, change: dict[str, object]) -> None:
    with shown_to_others(tmp_path, lambda event: None) as tell:
        tell(Event(Progress(1)))
        path = tmp_path / "underway.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
        assert read_under_way(tmp_path) is None


def test_a_conductor_on_another_host_is_believed(tmp_path: Path) -> None:
    with shown_to_others(tmp_path, lambda event: None) as tell:
        tell(Event(Progress(1)))
        path = tmp_path / "underway.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"host": "login-2", "owner": "1_1"}))
        assert read_under_way(tmp_path)


def test_a_real_campaign_says_what_it_is_at(toy: Task, bench: Bench, tmp_path: Path) -> None:
    seen: list[str] = []

    def look(event: Event) -> None:
        found = read_under_way(tmp_path / "camp")
        seen.extend(step.label for step in (found.steps if found else ()))

    bench.run(Plan(agents=(Agent("nop"),), tasks=("toy",)), tmp_path / "camp", on_event=look)
    assert {"nop/toy/none/1 agent", "nop/toy/none/1 verdict"} <= set(seen)
    assert read_under_way(tmp_path / "camp") is None
