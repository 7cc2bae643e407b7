# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: structural models of eight variables, put together from laws drawn at random, complicated by causes, and shown through a laboratory's troubles.

A stratum says how many complications of which sort a world has; which ones, where, and with which constants is drawn. For the laboratory each world keeps a
store of readings for every condition on its menu, so that truth holds readings and answers and no law.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray
CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
VARIABLES = 8
ARCHIVE = 120
"""Units of the observational sample."""
CONTROLS, SINGLES, PAIRS = 320, 24, 12
"""Units in store for the control, for each condition on one variable, for each condition on two."""
BATCHES = 40
QUERIES = 12
DRAWS = 6000
DOSES = (-2, -1, 1, 2)
STEPS = {-2: -2.2, -1: -1.2, 1: 1.2, 2: 2.2}
"""Distance of a dose from the mean of the variable, in its standard deviations."""
WORLDS_PER_STRATUM = 4

CAUSES = ("confounding", "feedback", "interaction", "limits")
TROUBLES = ("batches", "weak", "off_target", "blur", "crosstalk", "wild", "archive", "tilt", "gain", "misdose", "shock")
APART = (
    {"blur", "crosstalk", "tilt", "gain", "wild"},
    {"weak", "misdose"},
    {"weak", "crosstalk"},
    {"weak", "tilt"},
    {"weak", "gain"},
    {"batches", "gain"},
)
"""Of each of these at most one is in a world: what a variable shows while it is set would not tell them apart."""
STRATA: dict[int, tuple[tuple[str, ...], int, int]] = {
    1: ((), 0, 3),
    **{2 + at: ((name,), 0, 2) for at, name in enumerate(CAUSES)},
    **{6 + at: ((name,), 1, 1) for at, name in enumerate(("weak", "off_target", "blur", "crosstalk", "tilt", "gain", "misdose"))},
    13: ((), 2, 1),
    14: ((), 2, 2),
    15: ((), 2, 3),
}
"""Complications that a stratum always has, and how many causes and troubles are drawn."""


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


LAWS: dict[str, tuple[Callable[..., Array], tuple[tuple[float, float], ...]]] = {
    "linear": (lambda x: x, ()),
    "saturating": (lambda x, m, s: np.tanh((x - m) / s), ((-0.7, 0.7), (0.4, 1.2))),
    "hinge": (lambda x, k: np.maximum(x - k, 0), ((-0.8, 0.8),)),
    "ceiling": (lambda x, k: np.minimum(x - k, 0), ((-0.8, 0.8),)),
    "quadratic": (lambda x, m: (x - m) ** 2, ((-0.8, 0.8),)),
    "step": (lambda x, k: _sigmoid((x - k) / 0.15), ((-0.9, 0.9),)),
    "bump": (lambda x, m, w: np.exp(-0.5 * ((x - m) / w) ** 2), ((-0.9, 0.9), (0.5, 1.1))),
}
CHANCES = (0.16, 0.18, 0.13, 0.13, 0.12, 0.14, 0.14)
TOGETHER: dict[str, tuple[Callable[..., Array], tuple[tuple[float, float], ...]]] = {
    "product": (lambda x, y: x * y, ()),
    "gate": (lambda x, y, k: x * _sigmoid((y - k) / 0.15), ((-0.7, 0.7),)),
    "limiting": (lambda x, y, k: np.minimum(x, y - k), ((-0.7, 0.7),)),
    "either": (lambda x, y, k: np.maximum(x, y - k), ((-0.7, 0.7),)),
}
_GRID = np.random.default_rng(7).normal(size=(400, 2)) * 1.4


@dataclass(frozen=True)
class Term:
    """Part of the equation of one variable."""

    child: int
    parents: tuple[int, ...]
    law: str
    constants: tuple[float, ...]
    size: float
    centre: float

    def value(self, states: Array) -> Array:
        law = (LAWS if len(self.parents) == 1 else TOGETHER)[self.law][0]
        return self.size * (law(*(states[:, i] for i in self.parents), *self.constants) - self.centre)


@dataclass
class World:
    """One structural model and the laboratory around it."""

    terms: list[Term] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    noise: Array = field(default_factory=lambda: np.ones(VARIABLES))
    base: Array = field(default_factory=lambda: np.zeros(VARIABLES))
    """Where variables without causes rest; the others get a mean from their causes."""
    tails: float = 0.0
    """Degrees of freedom of the noise; 0 is normal."""
    loads: Array = field(default_factory=lambda: np.zeros((VARIABLES, 0)))
    cyclic: bool = False
    strength: Array = field(default_factory=lambda: np.ones(VARIABLES))
    ignoring: Array = field(default_factory=lambda: np.zeros(VARIABLES))
    off_target: Array = field(default_factory=lambda: np.zeros((VARIABLES, VARIABLES)))
    blur: Array = field(default_factory=lambda: np.zeros(VARIABLES))
    leaks: Array = field(default_factory=lambda: np.zeros((VARIABLES, VARIABLES)))
    even: Array = field(default_factory=lambda: np.zeros((VARIABLES, VARIABLES)))
    """Side effects that do not know the sign of a dose."""
    shock: Array = field(default_factory=lambda: np.zeros(VARIABLES))
    """What being treated at all does."""
    reach: Array = field(default_factory=lambda: np.ones((2, VARIABLES)))
    """How far a dose goes of what it should, below and above the mean."""
    tilt: Array = field(default_factory=lambda: np.zeros(VARIABLES))
    gain: float = 0.0
    bends: Array = field(default_factory=lambda: np.full(VARIABLES, np.nan))
    slopes: Array = field(default_factory=lambda: np.ones(VARIABLES))
    sides: Array = field(default_factory=lambda: np.ones(VARIABLES))
    wild: float = 0.0
    batch: float = 0.0
    selection: Array | None = None


def _signed(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high) * (1 if rng.random() < 0.5 else -1))


def _term(rng: np.random.Generator, child: int, parents: tuple[int, ...], law: str, spread: float) -> Term:
    """A term of random constants that varies by about `spread` when its parents do by 1.4."""
    function, ranges = (LAWS if len(parents) == 1 else TOGETHER)[law]
    constants = tuple(float(rng.uniform(*bounds)) for bounds in ranges)
    values = function(*_GRID[:, : len(parents)].T, *constants)
    return Term(child, parents, law, constants, _signed(rng, spread, spread) / float(values.std()), float(values.mean()))


def _core(rng: np.random.Generator) -> World:
    world = World(order=[int(i) for i in rng.permutation(VARIABLES)], noise=rng.uniform(0.25, 0.5, VARIABLES))
    for at, child in enumerate(world.order):
        if at < 2 or (at == 2 and rng.random() < 0.5):
            world.noise[child], world.base[child] = rng.uniform(0.8, 1.1), rng.normal() * 0.3
            continue
        count = int(rng.choice([1, 2, 3], p=[0.3, 0.45, 0.25]))
        parents = rng.choice(world.order[:at], size=min(count, at), replace=False)
        shares = rng.dirichlet(np.full(len(parents), 3.0)) * rng.uniform(0.9, 1.4)
        for parent, share in zip(parents, shares, strict=True):
            world.terms.append(_term(rng, child, (int(parent),), str(rng.choice(list(LAWS), p=CHANCES)), float(np.sqrt(share))))
    return world


def _complicate(rng: np.random.Generator, world: World, names: list[str]) -> None:
    order = world.order
    if "interaction" in names:
        for child in rng.permutation(order[3:])[: int(rng.integers(2, 4))]:
            others = order[: order.index(int(child))]
            pair = tuple(int(i) for i in rng.choice(others, size=2, replace=False))
            world.terms = [term for term in world.terms if term.child != child or term.parents[0] not in pair or rng.random() < 0.5]
            world.terms.append(_term(rng, int(child), pair, str(rng.choice(list(TOGETHER))), float(rng.uniform(0.8, 1.1))))
    if "feedback" in names:
        world.cyclic = True
        for late in rng.permutation(range(4, VARIABLES))[: int(rng.integers(1, 3))]:
            child, cause = order[int(late)], order[int(rng.integers(0, late - 1))]
            world.terms = [term for term in world.terms if (term.child, term.parents) != (child, (cause,))]
            for a, b, law in ((child, cause, "linear"), (cause, child, str(rng.choice(["linear", "saturating"])))):
                world.terms.append(_term(rng, a, (b,), law, float(rng.uniform(0.6, 1.0))))
    if "confounding" in names:
        world.loads = np.zeros((VARIABLES, 2))
        for hidden in range(2):
            struck = rng.choice(VARIABLES, size=int(rng.integers(3, 6)), replace=False)
            world.loads[struck, hidden] = [_signed(rng, 0.5, 0.95) for _ in struck]
    if "batches" in names:
        world.batch = float(rng.uniform(0.5, 1.1))
    if "weak" in names:
        for i in rng.choice(VARIABLES, size=int(rng.integers(4, 7)), replace=False):
            if rng.random() < 0.5:
                world.strength[i] = rng.uniform(0.35, 0.75)
            else:
                world.ignoring[i] = rng.uniform(0.25, 0.6)
    if "off_target" in names:
        linked = {(i, term.child) for term in world.terms for i in term.parents}
        free = [(i, j) for i in range(VARIABLES) for j in range(VARIABLES) if i != j and (i, j) not in linked]
        for at in rng.choice(len(free), size=int(rng.integers(3, 6)), replace=False):
            (world.off_target if rng.random() < 0.5 else world.even)[free[int(at)]] = _signed(rng, 0.35, 0.8)
    if "blur" in names:
        struck = rng.choice(VARIABLES, size=int(rng.integers(4, 7)), replace=False)
        world.blur[struck] = rng.uniform(0.4, 0.9, len(struck))
    if "crosstalk" in names:
        sequence = rng.permutation(VARIABLES)
        for _ in range(int(rng.integers(3, 6))):
            source, shown = np.sort(rng.choice(VARIABLES, size=2, replace=False))
            world.leaks[sequence[shown], sequence[source]] = _signed(rng, 0.3, 0.7)
    if "wild" in names:
        world.wild, world.tails = float(rng.uniform(0.05, 0.1)), 3.0
    _trouble(rng, world, names)


def _trouble(rng: np.random.Generator, world: World, names: list[str]) -> None:
    """Limits of states, and what instruments and treatments do to all of a unit at once."""
    if "limits" in names:
        for i in rng.permutation(world.order[2:])[: int(rng.integers(3, 6))]:
            world.bends[i], world.slopes[i] = rng.uniform(-0.2, 0.7), rng.uniform(0.12, 0.35)
            world.sides[i] = rng.choice([-1, 1])
    if "tilt" in names:
        world.tilt = np.array([_signed(rng, 0.25, 0.8) for _ in range(VARIABLES)])
    if "gain" in names:
        world.gain = float(rng.uniform(0.2, 0.4))
    if "misdose" in names:
        for i in rng.choice(VARIABLES, size=int(rng.integers(5, 8)), replace=False):
            world.reach[:, i] = rng.uniform(0.45, 1.35, 2)
    if "shock" in names:
        struck = rng.choice(VARIABLES, size=int(rng.integers(3, 6)), replace=False)
        world.shock[struck] = [_signed(rng, 0.5, 1.1) for _ in struck]
    if "archive" in names:
        world.selection = np.zeros(VARIABLES)
        world.selection[rng.choice(VARIABLES, size=3, replace=False)] = [_signed(rng, 0.6, 1.2) for _ in range(3)]


def _disturbances(world: World, count: int, rng: np.random.Generator) -> Array:
    """Noise of `count` units, antithetic in pairs, so that means are sharp."""
    half = (count + 1) // 2
    plain = rng.normal(size=(half, VARIABLES))
    if world.tails:
        plain = plain * np.sqrt(world.tails / rng.chisquare(world.tails, size=(half, VARIABLES))) / np.sqrt(3.0) * 1.2
        plain = np.clip(plain, -6, 6)
    half_noise = plain * world.noise + rng.normal(size=(half, world.loads.shape[1])) @ world.loads.T
    return np.concatenate([half_noise, -half_noise])[:count]


def _bent(world: World, totals: Array, child: int) -> Array:
    """A variable that has a limit goes on more slowly beyond it."""
    if np.isnan(world.bends[child]):
        return totals
    beyond = np.maximum(world.sides[child] * totals - world.bends[child], 0)
    return totals - world.sides[child] * (1 - world.slopes[child]) * beyond


def solve(world: World, noise: Array, held: Array, pushed: Array, strength: Array | None = None) -> Array:
    """States at equilibrium. `held` has NaN where a variable is free; `strength` (units, variables) is how far a held variable gives in."""
    states = np.zeros_like(noise)
    by_child = [[term for term in world.terms if term.child == child] for child in range(VARIABLES)]
    fixed = ~np.isnan(held)
    share = fixed * (1.0 if strength is None else strength)
    wanted = np.nan_to_num(held)
    for _ in range(60 if world.cyclic else 1):
        before = states.copy()
        for child in world.order:
            free = (
                world.base[child]
                + noise[:, child]
                + pushed[:, child]
                + sum((term.value(states) for term in by_child[child]), np.zeros(len(noise)))
            )
            free = _bent(world, free, child)
            states[:, child] = np.clip((1 - share[:, child]) * free + share[:, child] * wanted[:, child], -40, 40)
        if np.abs(states - before).max() < 1e-7:
            break
    return states


def _menu() -> tuple[Array, Array, Array]:
    """Doses that are set, doses that are pushed (conditions, variables), units in store, for every condition but the control."""
    held, pushed, stock = [], [], []
    for kind in (held, pushed):
        for i in range(VARIABLES):
            for dose in DOSES:
                row = np.zeros(VARIABLES, dtype=np.int8)
                row[i] = dose
                kind.append(row)
                (pushed if kind is held else held).append(np.zeros(VARIABLES, dtype=np.int8))
                stock.append(SINGLES)
    for i in range(VARIABLES):
        for j in range(i + 1, VARIABLES):
            for strength in (1, 2):
                for a, b in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
                    row = np.zeros(VARIABLES, dtype=np.int8)
                    row[[i, j]] = strength * a, strength * b
                    held.append(row)
                    pushed.append(np.zeros(VARIABLES, dtype=np.int8))
                    stock.append(PAIRS)
    return np.array(held), np.array(pushed), np.array(stock)


def _step(doses: Array) -> Array:
    return np.select([doses == dose for dose in DOSES], [STEPS[dose] for dose in DOSES], 0.0)


def _read(world: World, states: Array, mean: Array, spread: Array, rng: np.random.Generator) -> Array:
    """What the instruments show of the states, batches aside."""
    if world.gain:
        states = mean + (states - mean) * np.exp(world.gain * rng.normal(size=(len(states), 1)))
    if world.tilt.any():
        states = states + rng.normal(size=(len(states), 1)) * world.tilt * spread
    shown = states + states @ world.leaks.T + rng.normal(size=states.shape) * world.blur * spread
    struck = rng.random(states.shape) < world.wild
    return shown + struck * rng.choice([-1, 1], size=states.shape) * rng.uniform(4, 12, size=states.shape) * spread


def _stocked(world: World, mean: Array, spread: Array, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Doses set and pushed, units in store, and the readings of all units in the order of the menu, controls first."""
    held, pushed, stock = _menu()
    rows = np.concatenate([np.full(CONTROLS, -1), np.repeat(np.arange(len(stock)), stock)])
    doses = np.where(rows[:, None] >= 0, held[rows], 0)
    pushes = np.where(rows[:, None] >= 0, pushed[rows], 0)
    reach = np.where(doses + pushes < 0, world.reach[0], world.reach[1])
    wanted = np.where(doses != 0, mean + reach * _step(doses) * spread, np.nan)
    steps = _step(doses + pushes)
    strays = (steps @ world.off_target + np.abs(steps) @ world.even + (rows[:, None] >= 0) * world.shock) * spread
    obeys = np.where(rng.random(wanted.shape) < world.ignoring, 0.0, world.strength)
    states = solve(
        world,
        _disturbances(world, len(rows), rng)[rng.permutation(len(rows))],
        wanted,
        obeys * reach * _step(pushes) * spread + strays,
        obeys,
    )
    return held, pushed, stock, _read(world, states, mean, spread, rng)


def _queries(world: World, mean: Array, spread: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Interventions on two or three variables, partly set and partly pushed."""
    held = np.full((QUERIES, VARIABLES), np.nan)
    pushed = np.zeros((QUERIES, VARIABLES))
    for at in range(QUERIES):
        targets = rng.choice(world.order[:-1], size=2 + at % 2, replace=False)
        for place, i in enumerate(targets):
            if at % 4 == 3 and place == 0:
                pushed[at, i] = np.round(_signed(rng, 1.0, 2.2) * spread[i], 2)
            else:
                held[at, i] = np.round(mean[i] + _signed(rng, 1.0, 3.0) * spread[i], 2)
    return held, pushed


def _effects(world: World, held: Array, pushed: Array, draws: int, rng: np.random.Generator) -> Array:
    """Differences of means between a disturbed and an undisturbed population."""
    noise = _disturbances(world, draws, rng)
    still = solve(world, noise, np.full(noise.shape, np.nan), np.zeros(noise.shape)).mean(0)
    everyone = np.tile(noise, (QUERIES, 1))
    states = solve(world, everyone, np.repeat(held, draws, 0), np.repeat(pushed, draws, 0)).reshape(QUERIES, draws, VARIABLES)
    return states.mean(1) - still


def _sound(world: World, held: Array, effects: Array, mean: Array, spread: Array, rng: np.random.Generator) -> bool:
    """Whether something happens in a world, nothing explodes, and feedback comes to rest."""
    relative = np.where(np.isnan(held), effects / spread, 0.0)
    if (
        not 0.35 < np.sqrt((relative**2).mean()) < 1.6
        or np.abs(relative).max() > 7
        or (np.sqrt((relative**2).mean(1)) < 0.12).any()
    ):
        return False
    if world.cyclic:
        extreme = mean + rng.choice([-2.8, 2.8], size=(200, VARIABLES)) * spread
        extreme[rng.random(extreme.shape) < 0.8] = np.nan
        noise = _disturbances(world, 200, rng)
        states = solve(world, noise, extreme, np.zeros(noise.shape))
        totals = (
            world.base
            + noise
            + sum((np.eye(VARIABLES)[term.child] * term.value(states)[:, None] for term in world.terms), np.zeros(noise.shape))
        )
        totals = np.stack([_bent(world, totals[:, child], child) for child in range(VARIABLES)], 1)
        return bool((np.abs(np.where(np.isnan(extreme), totals - states, 0)) < 1e-3).all())
    return True


def make_world(stratum: int, rng: np.random.Generator) -> tuple[dict[str, Array], dict[str, Array]]:
    """What is shown and what is kept of one world."""
    while True:
        fixed, causes, troubles = STRATA[stratum]
        names = [*fixed, *rng.permutation(CAUSES)[:causes].tolist(), *rng.permutation(TROUBLES)[:troubles].tolist()]
        if len(set(names)) < len(names) or any(len(group & set(names)) > 1 for group in APART):
            continue
        world = _core(rng)
        _complicate(rng, world, names)
        natural = solve(world, noise := _disturbances(world, 2000, rng), np.full(noise.shape, np.nan), np.zeros(noise.shape))
        mean, spread = natural.mean(0), natural.std(0)
        if spread.max() > 4:
            continue
        mean, spread = mean.round(2), spread.round(2)
        held, pushed = _queries(world, mean, spread, rng)
        if _sound(world, held, _effects(world, held, pushed, 200, rng), mean, spread, rng):
            break
    effects = _effects(world, held, pushed, DRAWS, rng)
    pool = solve(
        world,
        noise := _disturbances(world, 4 * ARCHIVE, rng)[rng.permutation(4 * ARCHIVE)],
        np.full(noise.shape, np.nan),
        np.zeros(noise.shape),
    )
    if world.selection is not None:
        merit = ((pool - mean) / spread) @ world.selection
        pool = pool[merit > np.quantile(merit, 0.6)]
    archive = _read(world, pool[:ARCHIVE], mean, spread, rng)
    doses, pushes, stock, readings = _stocked(world, mean, spread, rng)
    shown = {
        "archive": archive.round(3), "set_levels": mean[:, None] + _step(np.array(DOSES)) * spread[:, None], "push_levels": _step(np.array(DOSES)) * spread[:, None],
        "query_set": held, "query_push": pushed,
    }  # fmt: skip
    kept = {
        "stratum": np.array(stratum), "effects": effects, "scored": np.isnan(held).astype(np.int8), "spread": spread, "doses": doses, "pushes": pushes, "stock": stock,
        "readings": np.clip(readings * 1000, -32767, 32767).round().astype(np.int16),
        "batches": (rng.normal(size=(BATCHES, VARIABLES)) * world.batch * spread).round(3),
    }  # fmt: skip
    return shown, kept


def make(seed: int, data: Path, truth: Path) -> None:
    strata = [stratum for stratum in STRATA for _ in range(WORLDS_PER_STRATUM)]
    for at, pick in enumerate(np.random.default_rng([61, seed]).permutation(len(strata))):
        shown, kept = make_world(strata[pick], np.random.default_rng([62, seed, int(pick)]))
        np.savez_compressed(data / f"world_{at:02d}.npz", **shown)
        np.savez_compressed(truth / f"world_{at:02d}.npz", **kept)
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
