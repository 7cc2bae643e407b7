"""Scores: from the unchanged repository to gold, on worlds whose truth nobody sees."""

import math
from pathlib import Path

import pytest

from rexbench.api.bench import Bench
from rexbench.errors import SystemFault
from rexbench.evaluation.calibrate import write_calibration
from rexbench.evaluation.evaluate import combine, live_base, live_gold
from rexbench.evaluation.execute import Trial
from rexbench.evaluation.score import accepted_from, on_scale, score
from rexbench.places import remove_tree
from rexbench.record.model import Evaluation
from rexbench.task.folder import Task
from rexbench.task.scaffold import new_task
from rexbench.task.schema import Calibration, Figure
from rexbench.task.variants import make_variant
from tests.evaluation.changing import patch_for
from tests.trials import evaluate, execute

SEEDS = (3, 44, 555, 6666)


@pytest.fixture
def scored(tasks: Path, bench: Bench) -> Task:
    new_task(tasks / "signals", scored=True)
    return bench.task("signals")


def figure(direction: str = "lower", scale: str = "log") -> Figure:
    return Figure.model_validate({"name": "error", "direction": direction, "scale": scale, "about": "x"})


@pytest.mark.parametrize(
    ("direction", "scale", "base", "gold", "halfway"),
    [
        ("higher", "linear", 0.2, 0.8, 0.5),
        ("lower", "linear", 9.0, 1.0, 5.0),
        ("lower", "log", 1.0, 0.01, 0.1),
        ("higher", "log", 1.0, 100.0, 10.0),
    ],
)
def test_base_is_0_gold_is_1_and_steps_are_equal_on_the_tasks_scale(
    direction: str, scale: str, base: float, gold: float, halfway: float
) -> None:
    told = figure(direction, scale)
    assert [score(told, value, base, gold) for value in (base, halfway, gold)] == pytest.approx([0, 0.5, 1])


def test_a_perfect_figure_on_a_logarithmic_scale_is_finite() -> None:
    assert math.isfinite(on_scale(figure(), 0.0)) and score(figure(), 0.0, 1.0, 0.1) > 1


def test_gold_that_is_no_better_than_base_gives_no_score() -> None:
    with pytest.raises(SystemFault, match="not better"):
        score(figure("higher", "linear"), 0.5, 0.5, 0.5)


def test_gold_has_1_on_every_world_and_succeeds(scored: Task, bench: Bench) -> None:
    for seed in SEEDS:
        made = evaluate(scored, scored.vault.gold, seed, bench)
        assert made.figure and made.outcome == "success"
        assert made.score == pytest.approx(1.0, abs=0.05)
        assert made.figure.base == live_base(scored, seed, bench).metrics["error"]
        assert made.figure.gold == live_gold(scored, seed, bench).metrics["error"]
        assert score(scored.spec.figure or figure(), made.figure.base, made.figure.base, made.figure.gold) == 0
        assert made.figure.ceiling and made.figure.share and 0 < made.figure.share < 1.2
        assert set(made.figure.strata) == {"quiet", "faulty", "broken"}


def test_nothing_handed_in_is_an_empty_patch_with_score_0(scored: Task, bench: Bench) -> None:
    made = evaluate(scored, b"", SEEDS[0], bench)
    assert (made.outcome, made.score, made.figure) == ("empty_patch", 0.0, None)


def test_one_idea_alone_is_below_gold_and_scores_between(scored: Task, bench: Bench) -> None:
    for name, patch in scored.vault.ideas.items():
        made = evaluate(scored, patch, SEEDS[0], bench)
        assert made.outcome == "below_gold" and made.score is not None and made.figure, name
        assert made.score < accepted_from(scored.spec) and made.score == made.figure.score, name


def test_whoever_searches_for_the_truth_scores_at_most_as_the_unchanged_repository(scored: Task, bench: Bench) -> None:
    attack = scored.vault.attacks["truth-search"]
    made = evaluate(scored, attack, SEEDS[0], bench)
    assert made.score is not None and made.score <= 1e-9
    variant = scored.folder / "variant.py"
    variant.write_text(variant.read_text().replace("(truth, ", '(data, "signals.csv", clean), (truth, '))
    in_sight = evaluate(bench.task(str(scored.folder)), attack, SEEDS[0], bench)
    assert in_sight.figure and made.figure and in_sight.figure.value != made.figure.value, "the attack takes what it can see"


def test_the_truth_is_in_no_path_of_a_sandbox_and_in_no_record(scored: Task, bench: Bench, home: Path) -> None:
    """Looked for by what it says, in whatever file: a row of the truth."""
    truth = make_variant(scored, SEEDS[0], bench.home).truth
    row = (truth / "signals.csv").read_text().splitlines()[1]
    search = f"grep -rlsF --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude=run.sh -- '{row}' / && exit 9\n"
    looked = execute(scored, patch_for(scored, bench, {"run.sh": f"{search}exit 7\n"}), SEEDS[0], bench)
    assert looked.status == 7, (bench.store.execution_folder(looked.key) / "stdout.log").read_text()
    remove_tree(bench.store.execution_folder(looked.key))
    evaluate(scored, scored.vault.gold, SEEDS[0], bench)
    records = [path for folder in ("executions", "evaluations") for path in (home / folder).rglob("*") if path.is_file()]
    assert len(records) > 5 and not [path for path in records if row.encode() in path.read_bytes()]


def test_what_was_asked_of_the_laboratory_is_on_record(tasks: Path, bench: Bench) -> None:
    new_task(tasks / "asking", laboratory=True)
    task = bench.task("asking")
    assert evaluate(task, task.vault.gold, SEEDS[0], bench).outcome == "success"
    ask = "from lab import Lab\nlab = Lab()\nprint([lab.ask({'signal': 'quiet-0', 'position': at}) for at in range(3)])\n"
    script = (task.repo / "run.sh").read_text() + "python ask.py\n"
    made = execute(task, patch_for(task, bench, {"ask.py": ask, "run.sh": script}), SEEDS[0], bench)
    assert made.ending == "ran", made.detail
    assert made.questions == 3
    assert len((bench.store.execution_folder(made.key) / "questions.jsonl").read_text().splitlines()) >= 3


def test_a_verdict_over_several_worlds_is_given_on_the_mean(scored: Task, bench: Bench) -> None:
    made = evaluate(scored, scored.vault.gold, SEEDS[0], bench)
    below, above = (_with_score(made, value) for value in (0.8, 1.3))
    both = combine("t", [below, above])
    assert both.outcome == "success" and both.score == pytest.approx(1.05)
    assert combine("t", [below, below]).outcome == "below_gold"
    lost = below.model_copy(update={"outcome": "timeout", "figure": None, "score": 0.0})
    assert combine("t", [above, lost]).outcome == "timeout" and combine("t", [above, lost]).score == pytest.approx(0.65)


def _with_score(made: Evaluation, value: float) -> Evaluation:
    assert made.figure
    figure = made.figure.model_copy(update={"score": value})
    outcome = "success" if value >= figure.accepted_from else "below_gold"
    return made.model_copy(update={"figure": figure, "score": value, "outcome": outcome})


def test_the_time_that_a_scored_task_allows_grows_only_with_a_slower_machine(scored: Task, bench: Bench) -> None:
    allowed = scored.spec.limits.seconds
    calibration = Calibration(
        variants=3, seeds=1, degrees_of_freedom=2, false_rejection=0.01, gold_seconds=10, gold_memory_mb=1, score_sd=0.01, gap=100
    )
    write_calibration(scored, calibration)
    task = bench.task("signals")
    assert task.spec.limits.seconds == allowed
    assert [Trial(task, b"", 1, gold_seconds=gold).cpu_seconds for gold in (0.0, 5.0, 10.0, 30.0)] == [
        allowed,
        allowed,
        allowed,
        3 * allowed,
    ]
