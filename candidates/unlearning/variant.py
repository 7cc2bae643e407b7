# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: small models that were trained by composed recipes, what remains of their training, and the same model without some examples.

A stratum says from which families of ingredients how many are drawn. Members of families are dealt from shuffled decks, so that each
comes about equally often, in other company each time; constants are drawn. The truth is a real retraining.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

Array = np.ndarray
INPUTS, OUTPUTS, PROBES = 4, 3, 24
EACH = 4
"""Worlds of a stratum."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "optimiser": ("momentum", "nesterov", "adam", "adagrad", "normalised"),
    "schedule": ("drop", "exponential", "cosine", "warmup", "inverse"),
    "penalty": ("decay", "decoupled", "anchor", "radius"),
    "statistics": ("standard", "balance", "smoothing"),
    "steps": ("clip", "average", "tail", "threshold"),
    "record": ("labels", "units", "copies", "absent"),
    "groups": ("cyclic", "federated", "arrival", "succession"),
    "files": ("coarse", "unstamped", "few", "wild", "late", "running"),
}
PLANS: tuple[tuple[str, ...], ...] = (
    ("optimiser", "schedule"),
    ("schedule", "schedule"),
    ("penalty", "penalty"),
    ("statistics", "steps"),
    ("schedule", "record"),
    ("groups", "record"),
    ("optimiser", "steps", "steps"),
    ("schedule", "penalty", "files"),
    ("optimiser", "penalty", "record"),
    ("schedule", "statistics", "statistics"),
    ("schedule", "statistics", "record", "files"),
    ("optimiser", "penalty", "penalty", "steps"),
    ("groups", "schedule", "penalty"),
    ("optimiser", "statistics", "record", "files"),
    ("optimiser", "schedule", "schedule", "penalty", "statistics", "steps"),
)
"""Families of ingredients by stratum."""

APART: tuple[tuple[str, str], ...] = tuple(("balance", other) for other in ("coarse", "few", "late", "running", "units")) + tuple(
    ("units", other) for other in ("smoothing", "federated")
)
"""Pairs that never meet: together they leave too little to tell who had which label."""


@dataclass
class Recipe:
    """How a model is trained: everything but the examples."""

    kind: str
    """`squared` or `softmax`."""
    steps: int
    rate: float
    start: Array
    """(features, outputs): the weights before the first step."""
    optimiser: str = "plain"
    momentum: float = 0.0
    forgetting: float = 0.0
    """Decay of Adam's mean of squares."""
    schedule: tuple[tuple[str, float, float], ...] = ()
    """Factors of the rate: name and two constants of each."""
    decay: float = 0.0
    decoupled: float = 0.0
    anchor: float = 0.0
    radius: float = np.inf
    standard: bool = False
    balance: float = 0.0
    """Power of the inverse frequency of its class by which an example is weighed."""
    smoothing: float = 0.0
    clip: float = np.inf
    average: float = 0.0
    """Decay of the running mean of weights that is kept in place of the weights."""
    tail: int = 0
    """How many of the last steps' weights are averaged in the end; 0: none."""
    threshold: float = -np.inf
    """Training loss at which training ends."""
    groups: int = 1
    grouping: str = ""
    """How groups take part: `cyclic` minibatches, `federated` rounds, `arrival` of the second one at a step, `succession` of the first by the second."""
    local: int = 0
    """Local steps of a federated round."""
    turn: int = 0
    """First step in which the second group takes part."""


@dataclass
class Examples:
    """Inputs with a one in the last column, targets, and the group of each."""

    x: Array
    y: Array
    group: Array

    def part(self, keep: Array) -> "Examples":
        return Examples(self.x[keep], self.y[keep], self.group[keep])

    def __add__(self, other: "Examples") -> "Examples":
        return Examples(*(np.concatenate(pair) for pair in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass
class Run:
    """What a training leaves."""

    weights: Array
    """(steps + 1, features, outputs): what would be saved after each step."""
    raw: Array
    """The same without running means."""
    final: Array
    centre: Array
    spread: Array
    steadiness: float = 1.0
    """How clear the decisions were: distance to a tie of what ended the training, relative."""

    def scaled(self, x: Array) -> Array:
        return (x - self.centre) / self.spread


def outputs(kind: str, x: Array, weights: Array) -> Array:
    """Predictions, (n, outputs): probabilities of softmax, values of squared."""
    scores = x @ weights
    if kind == "squared":
        return scores
    scores = np.exp(scores - scores.max(1, keepdims=True))
    return scores / scores.sum(1, keepdims=True)


def losses(kind: str, x: Array, y: Array, weights: Array) -> Array:
    """Loss of each example: cross entropy, or half the sum of squares."""
    guess = outputs(kind, x, weights)
    return 0.5 * ((guess - y) ** 2).sum(1) if kind == "squared" else -np.log((guess * y).sum(1) + 1e-30)


def rate_at(recipe: Recipe, step: int) -> float:
    """Learning rate of a step, counted from 0."""
    rate = recipe.rate
    for name, first, second in recipe.schedule:
        if name == "drop":
            rate *= second if step >= first else 1.0
        elif name == "exponential":
            rate *= float(np.exp(-step / first))
        elif name == "cosine":
            rate *= second + (1 - second) * 0.5 * (1 + float(np.cos(np.pi * step / recipe.steps)))
        elif name == "warmup":
            rate *= min(1.0, (step + 1) / first)
        elif name == "inverse":
            rate *= 1 / (1 + step / first)
    return rate


def train(recipe: Recipe, examples: Examples) -> Run:
    """Train from the start on the examples; whatever the recipe computes from them is computed here."""
    x, y = examples.x, examples.y
    centre, spread = np.zeros(x.shape[1]), np.ones(x.shape[1])
    if recipe.standard:
        centre[:-1], spread[:-1] = x[:, :-1].mean(0), x[:, :-1].std(0)
    x = (x - centre) / spread
    share = y.mean(0)
    weight = ((1 / (OUTPUTS * np.maximum(share, 1e-9))) ** recipe.balance)[y.argmax(1)] if recipe.balance else np.ones(len(x))
    goal = (1 - recipe.smoothing) * y + recipe.smoothing / OUTPUTS

    def gradient(weights: Array, chosen: Array) -> Array:
        error = (outputs(recipe.kind, x[chosen], weights) - goal[chosen]) * weight[chosen, None]
        slope = x[chosen].T @ error / len(chosen)
        slope = slope + recipe.decay * weights + recipe.anchor * (weights - recipe.start)
        size = np.sqrt((slope**2).sum())
        if recipe.optimiser == "normalised":
            slope = slope / np.sqrt(size)
        return slope * min(1.0, recipe.clip / (size + 1e-30))

    groups = [np.flatnonzero(examples.group == group) for group in range(recipe.groups)]
    weights, velocity, square = recipe.start.copy(), np.zeros_like(recipe.start), np.zeros_like(recipe.start)
    mean = weights.copy()
    saved, raw = [mean], [weights]
    steadiness = 1.0
    for step in range(recipe.steps):
        rate = rate_at(recipe, step)
        if recipe.grouping == "federated":
            moved = np.zeros_like(weights)
            for group in groups:
                local = weights
                for _ in range(recipe.local):
                    local = local - rate * gradient(local, group)
                moved += len(group) / len(x) * (local - weights)
            change = moved
        else:
            if recipe.grouping == "cyclic":
                chosen = groups[step % recipe.groups]
            elif recipe.grouping and step < recipe.turn:
                chosen = groups[0]
            elif recipe.grouping == "succession":
                chosen = groups[1]
            else:
                chosen = np.arange(len(x))
            slope = gradient(weights, chosen)
            if recipe.optimiser == "adam":
                velocity = 0.9 * velocity + 0.1 * slope
                square = recipe.forgetting * square + (1 - recipe.forgetting) * slope**2
                fair = np.sqrt(square / (1 - recipe.forgetting ** (step + 1))) + 1e-8
                change = -rate * velocity / (1 - 0.9 ** (step + 1)) / fair
            elif recipe.optimiser == "adagrad":
                square = square + slope**2
                change = -rate * slope / (np.sqrt(square) + 1e-8)
            else:
                velocity = recipe.momentum * velocity + slope
                change = -rate * (slope + recipe.momentum * velocity if recipe.optimiser == "nesterov" else velocity)
        weights = (1 - rate * recipe.decoupled) * weights + change
        weights = weights * min(1.0, recipe.radius / np.sqrt((weights**2).sum()))
        mean = recipe.average * mean + (1 - recipe.average) * weights
        saved.append(mean)
        raw.append(weights)
        if np.isfinite(recipe.threshold):
            loss = losses(recipe.kind, x, y, weights).mean()
            steadiness = min(steadiness, abs(loss / recipe.threshold - 1))
            if loss < recipe.threshold:
                break
    final = np.mean(raw[-recipe.tail :], 0) if recipe.tail else saved[-1]
    return Run(np.array(saved), np.array(raw), final, centre, spread, steadiness)


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _log_between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


@dataclass
class Population:
    """Where examples come from: correlated, skewed inputs; targets that no linear model fits."""

    mix: Array
    place: Array
    scale: Array
    teacher: Array
    bend: Array
    noise: float

    @staticmethod
    def drawn(rng: np.random.Generator, kind: str) -> "Population":
        mix = np.eye(INPUTS) + rng.normal(0, 0.35, (INPUTS, INPUTS))
        return Population(
            mix,
            rng.normal(0, 0.5, INPUTS),
            np.exp(rng.normal(0, 0.3, INPUTS)),
            rng.normal(0, 1.2 if kind == "softmax" else 0.7, (INPUTS + 1, OUTPUTS)),
            rng.normal(0, 0.35, (INPUTS, OUTPUTS)),
            _between(rng, 0.2, 0.5),
        )

    def examples(self, rng: np.random.Generator, kind: str, count: int) -> Examples:
        hidden = rng.normal(size=(count, INPUTS))
        hidden[:, :2] = np.exp(0.5 * hidden[:, :2]) - 1.13
        x = np.round(self.place + self.scale * (hidden @ self.mix.T), 3)
        x = np.column_stack([x, np.ones(count)])
        scores = np.column_stack([hidden, np.ones(count)]) @ self.teacher + (hidden**2 - 1) @ self.bend
        if kind == "squared":
            y = np.round(scores + rng.normal(0, self.noise, scores.shape), 3)
        else:
            y = np.eye(OUTPUTS)[(scores + rng.gumbel(size=scores.shape)).argmax(1)]
        return Examples(x + 0.0, y + 0.0, np.zeros(count, int))


def _season(rng: np.random.Generator, recipe: Recipe, name: str) -> Recipe:
    """A recipe with one ingredient more."""
    steps = recipe.steps
    if name in ("momentum", "nesterov"):
        beta = _between(rng, 0.6, 0.92)
        # A long memory makes steps larger; part of that is taken back, as people do.
        return replace(recipe, optimiser=name, momentum=beta, rate=recipe.rate * (1 - beta) ** 0.7)
    if name == "adam":
        return replace(recipe, optimiser=name, forgetting=_between(rng, 0.9, 0.99), rate=_between(rng, 0.02, 0.06))
    if name == "adagrad":
        return replace(recipe, optimiser=name, rate=_between(rng, 0.1, 0.25))
    if name == "normalised":
        return replace(recipe, optimiser=name, rate=recipe.rate * 0.5)
    constants = {
        "drop": (float(round(steps * _between(rng, 0.2, 0.55))), _between(rng, 0.1, 0.4)),
        "exponential": (steps * _between(rng, 0.25, 0.6), 0.0),
        "cosine": (0.0, _between(rng, 0.0, 0.1)),
        "warmup": (float(round(steps * _between(rng, 0.3, 0.7))), 0.0),
        "inverse": (steps * _between(rng, 0.1, 0.35), 0.0),
    }
    if name in constants:
        return replace(recipe, schedule=(*recipe.schedule, (name, *constants[name])))
    if name in ("decay", "decoupled", "anchor"):
        return replace(recipe, **{name: _log_between(rng, 0.04, 0.2) * (0.5 if recipe.kind == "softmax" else 1)})
    if name == "standard":
        return replace(recipe, standard=True)
    if name == "balance":
        return replace(recipe, balance=1.0)
    if name == "smoothing":
        return replace(recipe, smoothing=_between(rng, 0.1, 0.3))
    return recipe


def _plain_recipe(rng: np.random.Generator, kind: str, examples: Examples, standard: bool) -> Recipe:
    """Full batches of gradient descent at a rate that the examples can bear, too short to converge."""
    x = examples.x.copy()
    if standard:
        x[:, :-1] = (x[:, :-1] - x[:, :-1].mean(0)) / x[:, :-1].std(0)
    stiff = np.linalg.eigvalsh(x.T @ x / len(x))[-1] * (1.0 if kind == "squared" else 0.4)
    start = np.round(rng.normal(0, _between(rng, 0.3, 0.6), (x.shape[1], OUTPUTS)), 3)
    rate = float(f"{_between(rng, 0.4, 0.8) / stiff:.3g}")
    return Recipe(kind, int(rng.integers(42, 71)), rate, start)


def _settle(rng: np.random.Generator, recipe: Recipe, names: list[str], examples: Examples) -> Recipe:
    """Set what is relative to how the training goes: limits and ends. A dry run tells."""
    dry = train(recipe, examples)
    sizes = np.sqrt((dry.raw**2).sum((1, 2)))
    if "radius" in names:
        recipe = replace(recipe, radius=float(f"{sizes.max() * _between(rng, 0.6, 0.85):.3g}"))
    if "clip" in names:
        pace = np.sqrt((np.diff(dry.raw, axis=0) ** 2).sum((1, 2)))
        recipe = replace(recipe, clip=float(f"{_between(rng, 0.25, 0.6) * pace.max() / recipe.rate * (1 - recipe.momentum):.3g}"))
    if "average" in names:
        recipe = replace(recipe, average=_between(rng, 0.8, 0.95))
    if "tail" in names:
        recipe = replace(recipe, tail=int(recipe.steps * _between(rng, 0.3, 0.7)))
    if "threshold" in names:
        x = dry.scaled(examples.x)
        course = [losses(recipe.kind, x, examples.y, weights).mean() for weights in dry.raw]
        at = int(recipe.steps * _between(rng, 0.4, 0.75))
        recipe = replace(recipe, threshold=float(course[at] + course[at + 1]) / 2, steps=2 * recipe.steps)
    return recipe


def _quantised(values: Array, quantum: float) -> Array:
    return np.round(np.round(values / quantum) * quantum, 9) + 0.0


def _exchange(rng: np.random.Generator, y: Array) -> Array:
    """Order of rows in which two or three pairs of different targets are exchanged."""
    order = np.arange(len(y))
    free = list(rng.permutation(len(y)))
    for _ in range(int(rng.integers(2, 4))):
        first = free.pop()
        other = next((at for at in free if np.abs(y[at] - y[first]).max() > 0.3), None)
        if other is None:
            continue
        free.remove(other)
        order[[first, other]] = other, first
    return order


def _copies(rng: np.random.Generator, count: int, names: list[str]) -> Array:
    """How often each forgotten example was in the training set."""
    copies = np.ones(count, int)
    if "copies" in names:
        copies[rng.permutation(count)[: round(count * _between(rng, 0.25, 0.45))]] = rng.integers(2, 4)
    if "absent" in names:
        copies[rng.permutation(count)[: round(count * _between(rng, 0.25, 0.45))]] = 0
    return copies


def _log(
    rng: np.random.Generator, run: Run, recipe: Recipe, everything: Examples, forget: Examples, copies: Array, names: list[str]
) -> Array:
    """(entries, 3): step, mean loss of all training examples, mean loss of those to be forgotten."""
    course = np.array([
        (
            losses(recipe.kind, run.scaled(everything.x), everything.y, weights).mean(),
            np.average(losses(recipe.kind, run.scaled(forget.x), forget.y, weights), weights=copies),
        )
        for weights in run.raw
    ])
    if "running" in names:
        keep = _between(rng, 0.6, 0.9)
        for step in range(1, len(course)):
            course[step] = keep * course[step - 1] + (1 - keep) * course[step]
    at = np.arange(0, len(course), 1 if recipe.local else 2)
    return np.column_stack([at, np.round(course[at], 4)])


def _sample(rng: np.random.Generator, kind: str, retained: Examples, sample: Examples) -> dict[str, Array]:
    """What is left of other examples: a sample that was never trained on, or the retained inputs without their labels."""
    if kind == "squared":
        return {"sample_x": sample.x[:, :-1], "sample_y": sample.y, "sample_group": np.full(len(sample.x), -1)}
    order = rng.permutation(len(retained.x))
    return {
        "sample_x": retained.x[order, :-1],
        "sample_y": np.full((len(order), OUTPUTS), -1.0),
        "sample_group": retained.group[order],
    }


def _saved(rng: np.random.Generator, run: Run, names: list[str]) -> dict[str, Array]:
    """Checkpoints as they are found."""
    last = len(run.weights) - 1
    count = 8 if "few" in names else int(rng.integers(14, 19))
    first = round(0.12 * last) if "late" in names else 0
    steps = np.sort(np.concatenate([[first, last], rng.permutation(np.arange(first + 1, last))[: count - 2]]))
    quantum = 0.005 if "coarse" in names else 0.0005
    kept = run.weights[steps].copy()
    if "wild" in names:
        at = rng.permutation(np.arange(1, count - 1))[: int(rng.integers(1, 3))]
        kept[at] = kept[at] + rng.normal(0, 0.3, kept[at].shape)
    if "unstamped" in names:
        steps[rng.permutation(np.arange(1, count - 1))[: (count - 2) // 2]] = -1
    return {"steps": steps, "checkpoints": _quantised(kept, quantum), "final": _quantised(run.final, quantum)}


def _draw(rng: np.random.Generator, names: list[str], kind: str) -> tuple | None:
    """(record, truth, secrets) of one world; None where the world would be of no use."""
    population = Population.drawn(rng, kind)
    grouping = next((name for name in names if name in FAMILIES["groups"]), "")
    groups = 3 if grouping == "cyclic" else 2 if grouping else 1
    count, gone, shown = int(rng.integers(50, 76)), int(rng.integers(12, 19)), int(rng.integers(34, 43))
    pool = population.examples(rng, kind, count + gone + shown)
    pool.group = rng.integers(0, groups, len(pool.x))
    lean = pool.x @ rng.normal(size=pool.x.shape[1]) + 1.5 * pool.y @ rng.normal(size=OUTPUTS)
    order = np.argsort(-(lean / lean.std() + rng.gumbel(size=len(lean)) * 0.6))
    forget, rest = pool.part(rng.permutation(order[:gone])), rng.permutation(order[gone:])
    retained, sample = pool.part(rest[:count]), pool.part(rest[count:])
    copies = _copies(rng, gone, names)
    everything = retained + forget.part(np.repeat(np.arange(gone), copies))
    recipe = _plain_recipe(rng, kind, everything, "standard" in names)
    if groups > 1:
        recipe = replace(recipe, groups=groups, grouping=grouping, turn=round(recipe.steps * _between(rng, 0.25, 0.55)))
    if grouping == "federated":
        recipe = replace(recipe, local=int(rng.integers(3, 7)), steps=recipe.steps // 3)
    for name in names:
        recipe = _season(rng, recipe, name)
    recipe = _settle(rng, recipe, names, everything)
    run, wanted = train(recipe, everything), train(recipe, retained)
    probes = population.examples(rng, kind, PROBES).x
    before = outputs(kind, run.scaled(probes), run.final)
    after = outputs(kind, wanted.scaled(probes), wanted.final)
    size = float(np.sqrt(np.mean((after - before) ** 2)))
    if "balance" in names and min(retained.y.mean(0).min(), everything.y.mean(0).min()) < 0.15:
        return None
    if size < (0.04 if kind == "softmax" else 0.15) or min(run.steadiness, wanted.steadiness) < 1e-4 or min(len(run.raw), len(wanted.raw)) < 14:
        return None
    logged = _log(rng, run, recipe, everything, forget, copies, names)
    x, y = forget.x[:, :-1].copy(), forget.y
    if "units" in names:
        for column in rng.permutation(INPUTS)[: int(rng.integers(1, 3))]:
            x[:, column] = np.round(x[:, column] * _log_between(rng, 0.3, 3.0) * rng.choice([-1, 1]) + rng.normal(0, 1.0), 3)
    if "labels" in names:
        y = y[_exchange(rng, y)]
    record = {
        "kind": np.array(int(kind == "softmax")),
        "planned": np.array(recipe.steps),
        "sizes": np.bincount(everything.group, minlength=groups),
        "log": logged,
        "centre": np.round(run.centre[:-1], 4) + 0.0,
        "spread": np.round(run.spread[:-1], 4),
        "forget_x": x + 0.0,
        "forget_y": y,
        "forget_group": forget.group,
        **_sample(rng, kind, retained, sample),
        "probe_x": probes[:, :-1],
        **_saved(rng, run, names),
    }
    truth = {
        "outputs": np.round(after, 5),
        "before": np.round(before, 5),
        "retained_x": retained.x[:, :-1],
        "retained_y": retained.y,
        "retained_group": retained.group,
        "weights": np.round(wanted.final, 5),
    }
    hidden = {"recipe": recipe, "copies": copies, "forget": forget, "run": run, "names": names}
    return record, truth, hidden


@dataclass
class Decks:
    """Where kinds and members of families are dealt from: shuffled, used up, shuffled again."""

    rng: np.random.Generator
    open: dict[str, Iterator[int]] = field(default_factory=dict)

    def _endless(self, size: int) -> Iterator[int]:
        while True:
            yield from (int(at) for at in self.rng.permutation(size))

    def one(self, name: str, members: tuple[str, ...]) -> str:
        """The next card of a deck."""
        return members[next(self.open.setdefault(name, self._endless(len(members))))]


def ingredients(decks: Decks, stratum: int) -> list[str]:
    """One member of each family of a stratum, no member twice, nothing that is kept apart."""
    names: list[str] = []
    for family in PLANS[stratum - 1]:
        name = decks.one(f"{family} of {stratum}", FAMILIES[family])
        while name in names or any(name in pair and set(pair) & set(names) for pair in APART):
            name = decks.one(f"{family} of {stratum}", FAMILIES[family])
        names.append(name)
    return names


def worlds(seed: int) -> Iterator[tuple[int, list[str], tuple]]:
    """(stratum, ingredients, (record, truth, secrets)) of every world, in a drawn order."""
    rng = np.random.default_rng([20152020, seed])
    decks = Decks(rng)
    wanted = [(stratum, ingredients(decks, stratum), decks.one(f"kinds of {stratum}", ("squared", "softmax")))
              for stratum in range(1, len(PLANS) + 1) for _ in range(EACH)]
    for at in rng.permutation(len(wanted)):
        stratum, names, kind = wanted[at]
        if "units" in names:
            kind = "squared"
        elif {"balance", "smoothing", "federated"} & set(names):
            kind = "softmax"
        world = None
        while world is None:
            world = _draw(rng, names, kind)
        yield stratum, names, world


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 60 worlds, four per stratum, in a drawn order."""
    for number, (stratum, _, (record, answer, _)) in enumerate(worlds(seed)):
        np.savez(data / f"world_{number:02d}.npz", **{name: np.ascontiguousarray(array) for name, array in record.items()})
        answer = {**answer, "stratum": np.array(stratum)}
        np.savez(truth / f"world_{number:02d}.npz", **{name: np.ascontiguousarray(array) for name, array in answer.items()})
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
