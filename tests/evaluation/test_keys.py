"""An execution's key stands for all that determines it, and a reference is made once."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.digest import digest_value
from rexbench.environment import build
from rexbench.evaluation import execute as executing
from rexbench.evaluation.evaluate import live_gold
from rexbench.evaluation.execute import Trial, execution_inputs, program_digest
from rexbench.record.model import Execution, Inputs
from rexbench.task.folder import Task
from rexbench.task.variants import make_variant
from tests.evaluation.made import execution


def key(trial: Trial, bench: Bench) -> str:
    return digest_value(execution_inputs(trial, bench).model_dump())


@pytest.mark.parametrize("name", Inputs.model_fields)
def test_every_input_is_in_the_key(name: str) -> None:
    inputs = execution().inputs
    other = inputs.model_copy(update={name: 99 if name.endswith("seed") else "other"})
    assert digest_value(inputs.model_dump()) != digest_value(other.model_dump())


def test_what_a_trial_is_made_of_is_told(toy: Task, bench: Bench) -> None:
    trial = Trial(toy, toy.vault.gold, 7)
    inputs = execution_inputs(trial, bench)
    assert inputs.environment_digest == bench.environments.describe("base").digest
    assert (inputs.program, inputs.machine, inputs.sandbox) == (program_digest(), bench.machine(toy), "bubblewrap")
    changed = [
        replace(trial, seed=8),
        replace(trial, role="reference"),
        replace(trial, training_seed=1),
        replace(trial, patch=b"x"),
    ]
    assert len({key(one, bench) for one in (trial, *changed)}) == 5


def test_other_packages_make_another_key(toy: Task, home: Path, tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(Trial(toy, b"", 7), Bench(home=home, tasks=tasks))
    pins = build.pins
    monkeypatch.setattr(build, "pins", lambda name: pins(name) + "six==1.16.0\n")
    assert key(Trial(toy, b"", 7), Bench(home=home, tasks=tasks)) != before


def test_a_mended_reader_makes_another_key(toy: Task, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(Trial(toy, b"", 7), bench)
    monkeypatch.setattr(executing, "program_digest", lambda: "mended")
    assert key(Trial(toy, b"", 7), bench) != before


def test_whoever_asks_for_a_reference_while_it_is_made_waits_for_it(
    toy: Task, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one has looked and found nothing when the first begins; then it must wait, look again and find."""
    trial = Trial(toy, toy.vault.gold, 7, "reference")
    inputs = execution_inputs(trial, bench)
    made = digest_value(inputs.model_dump())
    looked, found = threading.Event(), list[Execution]()
    second = Bench(home=bench.home.folder, tasks=bench.suite.folder)
    find = second.store.find_execution

    def looking(wanted: str) -> Execution | None:
        result = find(wanted)
        looked.set()
        return result

    monkeypatch.setattr(second.store, "find_execution", looking)
    waiting = threading.Thread(target=lambda: found.append(live_gold(toy, 7, second)))
    with bench.home.lock(made[:32]):
        waiting.start()
        assert looked.wait(60)
        executing._execute(trial, inputs, made, bench)
    waiting.join(60)
    assert [one.key for one in found] == [made]
    assert not (bench.home / "superseded").exists(), "it was made twice"


def test_no_name_of_held_out_data_can_be_computed_without_the_homes_secret(toy: Task, bench: Bench) -> None:
    """The path shows in the sandbox's mount table; with names that follow from the seed alone, seeds could be tried out."""
    other = Bench(home=bench.home.folder.with_name("other"), tasks=bench.suite.folder)
    names = [make_variant(toy, 7, one.home).data.parent.name for one in (bench, other)]
    assert names[0] != names[1]
    other.home.secret()
    (other.home / "secret").write_text(bench.home.secret().hex())
    assert make_variant(toy, 7, other.home).data.parent.name == names[0], "and by nothing but the secret"
