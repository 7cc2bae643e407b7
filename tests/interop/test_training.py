"""A task as an episode of a training loop: tools, a reward as everywhere, worlds that no verdict uses, nothing left behind."""

import os
from pathlib import Path

import pytest

import rexbench as rx
from rexbench.api.bench import Bench, HeldOut
from rexbench.errors import SystemFault
from rexbench.interop.training.episode import FIRST_TRAINING_SEED, training_seed
from rexbench.task.folder import Task
from rexbench.task.variants import held_out_seeds


def apply_gold(environment: rx.Environment, task: Task) -> None:
    environment.write("/var/tmp/gold.patch", task.vault.gold.decode())
    assert environment.shell("git apply /var/tmp/gold.patch").endswith("[status 0]")


def files_below(folder: Path) -> set[str]:
    """What is in a home, the environments aside."""
    return {
        str(Path(at, name))
        for at, folders, files in os.walk(folder)
        for name in (*folders, *files)
        if "environments" not in Path(at, name).relative_to(folder).parts
    }


def test_a_reward_is_what_evaluate_says_of_the_same_patch_and_seed(toy: Task, bench: Bench) -> None:
    with rx.Environment("toy", "hints", 5, bench=bench) as environment:
        apply_gold(environment, toy)
        reward = environment.reward()
    verdict = bench.evaluate("toy", reward.patch, HeldOut(seed=environment.seeds[0]))
    assert (reward.value, verdict.outcome) == (1.0, "success")
    assert reward.verdict.metrics == verdict.metrics


def test_an_episode_in_which_nothing_is_done_is_worth_nothing(toy: Task, bench: Bench) -> None:
    with rx.Environment(toy, bench=bench) as environment:
        reward = environment.reward()
    assert (reward.value, reward.verdict.outcome, reward.patch) == (0.0, "empty_patch", b"")


def test_tools_work_in_one_workspace_and_say_what_was_wrong(toy: Task, bench: Bench) -> None:
    with rx.Environment(toy, bench=bench) as environment:
        assert environment.prompt.endswith(toy.instructions("none"))
        assert environment.shell("pwd; exit 3") == "/workspace\n[status 3]"
        environment.write("deep/er/note.txt", "one two two")
        assert environment.shell("cat deep/er/note.txt > /tmp/note") == "[status 0]"
        assert environment.read("/tmp/note") == "one two two"
        assert "2 times" in environment.edit("deep/er/note.txt", "two", "three")
        assert environment.edit("deep/er/note.txt", "one", "four") == "deep/er/note.txt is edited."
        assert environment.read("deep/er/note.txt") == "four two two"
        assert environment.read("nowhere") == "nowhere: No such file or directory."
        assert environment.read("deep") == "deep: Is a directory."
        assert environment.write("/usr/mine", "x").startswith("/usr/mine: ")
        assert "too much wall" in environment.shell("sleep 60", seconds=0.5)
        assert b"four two two" in environment.patch()


def test_a_link_in_the_workspace_leads_nowhere_on_the_host(toy: Task, bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("of the host")
    with rx.Environment(toy, bench=bench) as environment:
        environment.shell(f"ln -s {tmp_path}/kept link; ln -s {tmp_path}/new other")
        assert environment.read("link") == "link: No such file or directory."
        environment.write("other", "planted")
    assert not (tmp_path / "new").exists()


def test_what_goes_out_and_in_cannot_be_led_astray(toy: Task, bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("of the host")
    with rx.Environment(toy, bench=bench) as environment:
        for planted in (f"ln -s {tmp_path}/kept", "mkdir -m 0 -p", "mkfifo"):
            environment.shell(f"cd /run/rexbench-room; {planted} in; {planted} out")
            environment.write("note", "mine")
            environment.shell(f"cd /run/rexbench-room; {planted} in; {planted} out")
            assert environment.read("note") == "mine"
    assert (tmp_path / "kept").read_text() == "of the host"


def test_the_room_on_the_disk_is_that_of_all_calls_together(toy: Task, bench: Bench) -> None:
    with rx.Environment(toy, bench=bench, limits=rx.Limits(disk_mb=40)) as environment:
        assert environment.shell("head -c 25M /dev/zero > one") == "[status 0]"
        assert "File size limit" in environment.shell("head -c 25M /dev/zero > two")


def test_no_seed_of_an_episode_can_be_drawn_for_a_verdict() -> None:
    drawn = [seed for at in range(50) for seed in held_out_seeds("toy", 20, bytes([at]) * 32)]
    trained = [training_seed("toy", seed) for seed in (None, *range(500))]
    assert max(drawn) < FIRST_TRAINING_SEED <= min(trained)
    assert len(set(trained)) > 490
    assert training_seed("toy", 3) == training_seed("toy", 3) != training_seed("other", 3)


def test_nothing_is_left_of_an_episode_and_the_secret_is_not_asked_for(toy: Task, bench: Bench, home: Path) -> None:
    with rx.Environment(toy, bench=bench):
        pass  # folders that a home always has are there from now on
    before = files_below(home)
    with rx.Environment(toy, bench=bench) as environment:
        apply_gold(environment, toy)
        environment.shell("sleep 1000 & disown; setsid sleep 1000 &")
        assert environment.reward().value == 1.0
    assert files_below(home) == before
    assert not (home / "secret").exists()


def test_a_fault_of_ours_is_no_reward(toy: Task, bench: Bench) -> None:
    judge = toy.folder / "judge.py"
    judge.write_text(judge.read_text() + "\n\ndef metrics(*folders):\n    raise RuntimeError('of ours')\n")
    with rx.Environment("toy", bench=bench) as environment:
        apply_gold(environment, toy)
        with pytest.raises(SystemFault, match="of ours"):
            environment.reward()
