# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: two-variable dynamical systems put together from pieces, then complicated, then measured.

A core is drawn piece by piece from one of three grammars (two densities, a position and a velocity, two concentrations). A stratum
says how many complications of which sort are laid over it and how it is measured; which one, on which term of the equations, and with which
constants is drawn. The figure is a mean over strata, and every stratum holds one world of each grammar, so that verdicts are comparable.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray
Range = tuple[float, float]
Piece = tuple[Callable[..., Array], tuple[Range, ...]]

STEP = 0.05
SPAN, LONG = 10.0, 40.0
RUNS, NEW_RUNS = 6, 5
STRATA = 15
KINDS = ("densities", "motion", "concentrations")

_SOFT = 1e-9
RESPONSES: dict[str, Piece] = {
    "mass": (lambda x, y, a: a * x, ((0.5, 1.2),)),
    "holling2": (lambda x, y, a, h: a * x / (h + x), ((1.2, 2.4), (0.6, 1.8))),
    "holling3": (lambda x, y, a, h: a * x * x / (h * h + x * x), ((1.0, 2.0), (0.6, 1.5))),
    "ivlev": (lambda x, y, a, h: a * (1 - np.exp(-x / h)), ((1.0, 2.0), (0.6, 1.5))),
    "interference": (lambda x, y, a, h, c: a * x / (h + x + c * y), ((1.5, 2.6), (0.5, 1.2), (0.3, 0.9))),
}
GRAMMAR: dict[str, dict[str, dict[str, Piece]]] = {
    "densities": {
        "grow": {
            "exponential": (lambda x, y, r: r * x, ((0.7, 1.5),)),
            "logistic": (lambda x, y, r, k: r * x * (1 - x / k), ((0.8, 1.8), (3.0, 6.0))),
            "gompertz": (lambda x, y, r, k: r * x * np.log(k / (x + _SOFT)), ((0.3, 0.7), (3.0, 7.0))),
            "theta": (lambda x, y, r, k: r * x * (1 - (x / k) ** 2), ((0.7, 1.4), (2.5, 5.0))),
            "immigration": (lambda x, y, r, k, i: r * x * (1 - x / k) + i, ((0.8, 1.6), (3.0, 6.0), (0.1, 0.4))),
            "allee": (lambda x, y, r, k, a: r * x * x / (a + x) * (1 - x / k), ((1.2, 2.2), (3.0, 6.0), (0.2, 0.6))),
        },
        "eat": {name: (lambda x, y, *p, f=f: f(x, y, *p) * y, ranges) for name, (f, ranges) in RESPONSES.items()},
        "feed": {"yield": (lambda x, y, e: e, ((0.5, 1.0),))},
        "die": {
            "linear": (lambda x, y, m: m * y, ((0.4, 0.9),)),
            "crowded": (lambda x, y, m, q: m * y + q * y * y, ((0.3, 0.6), (0.1, 0.3))),
            "capped": (lambda x, y, m, s: m * y / (s + y), ((0.8, 1.8), (0.8, 2.0))),
        },
    },
    "motion": {
        "spring": {
            "linear": (lambda x, v, k: k * x, ((1.0, 3.0),)),
            "cubic": (lambda x, v, k, b: k * x + b * x**3, ((0.5, 1.5), (0.3, 1.0))),
            "sine": (lambda x, v, k: k * np.sin(x), ((1.0, 3.0),)),
            "soft": (lambda x, v, k, s: k * s * np.tanh(x / s), ((1.5, 4.0), (0.4, 1.0))),
            "stop": (lambda x, v, k, b, g: k * x + b * np.maximum(x - g, 0), ((0.6, 1.2), (3.0, 7.0), (0.4, 1.0))),
            "toda": (lambda x, v, k, s: k * (np.exp(s * x) - 1) / s, ((1.0, 2.5), (0.4, 1.0))),
            "gap": (lambda x, v, k, g: k * (x - np.clip(x, -g, g)), ((2.0, 5.0), (0.2, 0.6))),
            "fading": (lambda x, v, k, s: k * x / (1 + (x / s) ** 2), ((2.0, 5.0), (0.6, 1.4))),
            "well": (lambda x, v, k, b: b * x**3 - k * x, ((0.5, 1.2), (0.4, 1.0))),
        },
        "damp": {
            "linear": (lambda x, v, c: c * v, ((0.05, 0.4),)),
            "drag": (lambda x, v, c: c * v * np.abs(v), ((0.08, 0.4),)),
            "dry": (lambda x, v, c: c * np.tanh(v / 0.15), ((0.1, 0.5),)),
            "eddy": (lambda x, v, c, s: c * v / (1 + (v / s) ** 2), ((0.2, 0.8), (0.5, 1.2))),
            "lateral": (lambda x, v, c: c * x * x * v, ((0.1, 0.5),)),
            "vanderpol": (lambda x, v, c, s: c * ((x / s) ** 2 - 1) * v, ((0.3, 1.2), (0.7, 1.5))),
            "rayleigh": (lambda x, v, c, s: c * ((v / s) ** 2 - 1) * v, ((0.3, 1.0), (0.7, 1.5))),
        },
        "push": {"none": (lambda x, v: 0 * x, ()), "constant": (lambda x, v, b: b + 0 * x, ((-0.6, 0.6),))},
    },
    "concentrations": {
        "make1": {
            "repressed": (lambda x, y, b, h, n: b / (1 + (y / h) ** n), ((1.5, 4.0), (0.4, 1.2), (1.5, 4.0))),
            "activated": (lambda x, y, b, h, n: b - b / (1 + (y / h) ** n), ((1.5, 4.0), (0.4, 1.2), (1.5, 4.0))),
            "supplied": (lambda x, y, c: c + 0 * x, ((0.6, 1.8),)),
            "autocatalytic": (
                lambda x, y, b, h, k: (0.1 + b * x * x / (h * h + x * x)) / (1 + y / k),
                ((2.0, 5.0), (0.5, 1.2), (0.4, 1.2)),
            ),
        },
        "lose1": {
            "linear": (lambda x, y, d: d * x, ((0.5, 1.3),)),
            "driven": (lambda x, y, d: d * x * y, ((0.4, 1.0),)),
            "saturating": (lambda x, y, d, k: d * x / (k + x), ((1.0, 2.5), (0.3, 1.2))),
        },
        "make2": {
            "linear": (lambda x, y, c: c * x, ((0.5, 1.5),)),
            "catalysed": (lambda x, y, c, h: c * x * y / (h + y), ((0.8, 2.0), (0.5, 1.5))),
            "activated": (lambda x, y, b, h, n: b - b / (1 + (x / h) ** n), ((1.5, 4.0), (0.4, 1.2), (1.5, 4.0))),
            "repressed": (lambda x, y, b, h, n: b / (1 + (x / h) ** n), ((1.5, 4.0), (0.4, 1.2), (1.5, 4.0))),
        },
        "lose2": {
            "linear": (lambda x, y, d: d * y, ((0.5, 1.3),)),
            "driven": (lambda x, y, d: d * x * y, ((0.4, 1.0),)),
            "saturating": (lambda x, y, d, k: d * y / (k + y), ((1.0, 2.5), (0.3, 1.2))),
        },
    },
}
STARTS: dict[str, Range] = {"densities": (0.4, 2.5), "motion": (-1.8, 1.8), "concentrations": (0.1, 3.0)}

SITES: dict[str, dict[str, tuple[int, ...]]] = {
    "densities": {"forcing": (0, 1, 3), "time": (0, 1, 3), "switch": (0, 1, 2, 3), "condition": (0, 1, 3), "delay": (2,), "hidden": (0, 2)},
    "motion": {"forcing": (0, 2), "time": (0, 1), "switch": (0, 1), "condition": (0, 1), "delay": (0, 1), "hidden": (2,)},
    "concentrations": {
        "forcing": (0, 2, 3), "time": (0, 1, 2, 3), "switch": (0, 1, 2, 3), "condition": (0, 1, 2, 3), "delay": (0, 2), "hidden": (0, 2),
    },
}  # fmt: skip
"""Which terms of the equations a complication may act on, as positions in the order of the grammar's slots."""
MODULATORS = ("forcing", "time", "switch", "condition", "delay", "hidden")


@dataclass
class World:
    """One system and how it is observed."""

    kind: str
    pieces: dict[str, str]
    constants: dict[str, tuple[float, ...]]
    modulators: list[dict[str, float | str]] = field(default_factory=list)
    sensor: dict[str, float | str] | None = None
    noise: float = 0.02
    samples: int = 60
    gap: bool = False
    outliers: float = 0.0
    kicks: bool = False
    span: float = SPAN


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _signed(rng: np.random.Generator, low: float, high: float) -> float:
    return _between(rng, low, high) * (1 if rng.random() < 0.5 else -1)


def _core(rng: np.random.Generator, kind: str) -> World:
    slots = GRAMMAR[kind]
    pieces = {slot: str(rng.choice(list(choices))) for slot, choices in slots.items()}
    constants = {slot: tuple(_between(rng, *bounds) for bounds in slots[slot][name][1]) for slot, name in pieces.items()}
    return World(kind, pieces, constants)


def _modulator(rng: np.random.Generator, kind: str, name: str, quantiles: Array) -> dict[str, float | str]:
    made: dict[str, float | str] = {"name": name, "site": int(rng.choice(SITES[kind][name]))}
    if name == "forcing":
        made |= {
            "shape": str(rng.choice(["wave", "pulses"])),
            "size": _between(rng, 0.4, 0.8),
            "rate": _between(rng, 1.0, 3.5),
            "phase": _between(rng, 0, 2 * np.pi),
        }
    elif name == "time":
        made |= {"shape": str(rng.choice(["drift", "jump"])), "moment": _between(rng, 2.5, 6.0)}
        made["size"] = _between(rng, 0.6, 1.5) if rng.random() < 0.5 else -_between(rng, 0.4, 0.7)
    elif name == "switch":
        variable = int(rng.integers(2))
        made |= {"variable": variable, "level": _between(rng, *quantiles[variable])}
        made["size"] = _between(rng, 0.7, 1.8) if rng.random() < 0.5 else -_between(rng, 0.4, 0.7)
    elif name == "condition":
        made["size"] = _signed(rng, 0.4, 0.9)
    elif name == "delay":
        made["lag"] = _between(rng, 0.4, 1.5)
    else:
        made |= {
            "source": int(rng.integers(2)),
            "size": _between(rng, 0.5, 1.2),
            "lag": _between(rng, 0.8, 3.0),
            "start": _between(rng, 0.0, 1.5),
        }
    return made


def _sensor(rng: np.random.Generator) -> dict[str, float | str]:
    name = str(rng.choice(["saturating", "mixing", "shifted"]))
    if name == "saturating":
        return {"name": name, "a": _between(rng, 0.08, 0.25), "b": _between(rng, 0.08, 0.25)}
    size = (0.1, 0.3) if name == "mixing" else (0.15, 0.5)
    return {"name": name, "a": _signed(rng, *size), "b": _signed(rng, *size)}


def observe(world: World, states: Array) -> Array:
    """What the instrument shows of the states, without noise."""
    if world.sensor is None:
        return states
    a, b = float(world.sensor["a"]), float(world.sensor["b"])
    x, y = states[..., 0], states[..., 1]
    if world.sensor["name"] == "saturating":
        return np.stack([x / (1 + a * np.abs(x)), y / (1 + b * np.abs(y))], -1)
    return np.stack([x + a * y, y + b * x] if world.sensor["name"] == "mixing" else [x + a, y + b], -1)


def _terms(world: World, x: Array, y: Array) -> list[Array]:
    slots = GRAMMAR[world.kind]
    values = [slots[slot][name][0](x, y, *world.constants[slot]) for slot, name in world.pieces.items()]
    if world.kind == "densities":
        values[2] = values[2] * values[1]
    return values


def _field(world: World, t: float, state: Array, past: Callable[[float], Array], condition: Array) -> Array:
    """Time derivative of (x, y, hidden) for each run."""
    x, y, z = state[:, 0], state[:, 1], state[:, 2]
    if world.kind != "motion":
        x, y = np.maximum(x, 0), np.maximum(y, 0)
    values = _terms(world, x, y)
    hidden = np.zeros_like(z)
    for made in world.modulators:
        name, site, size = made["name"], int(made["site"]), float(made.get("size", 0))
        additive = world.kind == "motion" and site == 2
        if name == "delay":
            before = past(t - float(made["lag"]))
            values[site] = _terms(world, before[:, 0], before[:, 1])[site]
        elif name == "hidden":
            hidden = ((x, y)[int(made["source"])] - z) / float(made["lag"])
            values[site] = values[site] - size * z if additive else values[site] * np.exp(-size * z)
        else:
            if name == "forcing":
                wave = np.cos(float(made["rate"]) * t + float(made["phase"]))
                factor = size * (wave if made["shape"] == "wave" else np.tanh(5 * wave)) + 0 * x
            elif name == "time":
                factor = (
                    size * (t / SPAN if made["shape"] == "drift" else 1 / (1 + np.exp(-(t - float(made["moment"])) / 0.2))) + 0 * x
                )
            elif name == "switch":
                factor = size / (1 + np.exp(-np.clip(((x, y)[int(made["variable"])] - float(made["level"])) / 0.1, -40, 40)))
            else:
                factor = np.exp(size * condition) - 1
            values[site] = values[site] + factor if additive else values[site] * (1 + factor)
    if world.kind == "motion":
        return np.stack([y, values[2] - values[0] - values[1], hidden], -1)
    return np.stack([values[0] - values[1], values[2] - values[3], hidden], -1)


def simulate(world: World, starts: Array, condition: Array, span: float, kicks: Array | None = None) -> Array:
    """States (runs, steps + 1, 2) on the grid of `STEP`; `kicks` (runs, steps + 1, 2) are added to the state when its step is reached."""
    steps = round(span / STEP)
    begin = next((float(made["start"]) for made in world.modulators if made["name"] == "hidden"), 0.0)
    state = np.column_stack([starts, np.full(len(starts), begin)])
    path, slopes = np.empty((steps + 1, *state.shape)), np.zeros((steps + 1, *state.shape))
    path[0] = state
    for k in range(steps):

        def past(t: float, k: int = k) -> Array:
            if t <= 0:
                return path[0]
            i = min(int(t / STEP), k - 1)
            s = t / STEP - i
            a, b = path[i], path[i + 1]
            return a + s * (b - a) + s * (1 - s) * ((1 - s) * (STEP * slopes[i] - b + a) - s * (STEP * slopes[i + 1] - b + a))

        t = k * STEP
        slopes[k] = first = _field(world, t, state, past, condition)
        second = _field(world, t + STEP / 2, state + STEP / 2 * first, past, condition)
        third = _field(world, t + STEP / 2, state + STEP / 2 * second, past, condition)
        fourth = _field(world, t + STEP, state + STEP * third, past, condition)
        state = np.clip(np.nan_to_num(state + STEP / 6 * (first + 2 * second + 2 * third + fourth), nan=99.0), -99, 99)
        if kicks is not None:
            state[:, :2] += kicks[:, k + 1]
        path[k + 1] = state
    return path[:, :, :2].swapaxes(0, 1)


def _plan(rng: np.random.Generator, stratum: int, world: World, quantiles: Array) -> World:
    """Lay the complications of a stratum over a core."""

    def some(count: int, among: tuple[str, ...] = MODULATORS) -> list[dict[str, float | str]]:
        names = [str(name) for name in rng.permutation(list(among))[:count]]
        return [_modulator(rng, world.kind, name, quantiles) for name in names]

    single = {5: "condition", 6: "forcing", 7: "time", 8: "switch", 9: "delay", 10: "hidden"}
    world.noise = {1: 0.01, 2: 0.12, 4: 0.01, 14: 0.03}.get(stratum, 0.02)
    if stratum == 2:
        world.samples, world.gap = 40, True
    elif stratum == 4:
        world.span = LONG
    elif stratum in single:
        world.modulators = some(1, (single[stratum],))
    elif stratum >= 12:
        deepest = 2 if rng.random() < 0.5 else 3
        world.modulators = some({12: 2, 13: 1, 14: 1, 15: deepest}[stratum])
        if len({int(made["site"]) for made in world.modulators}) < len(world.modulators):
            return _plan(rng, stratum, world, quantiles)
    if stratum in (11, 13) or (stratum == 15 and len(world.modulators) == 2):
        world.sensor = _sensor(rng)
    if stratum in (3, 14):
        world.kicks = rng.random() < 0.5
        world.outliers = 0.0 if world.kicks else 0.12
    return world


def _kicks(rng: np.random.Generator, world: World, clean: Array) -> Array:
    """One sudden change of state in most runs, at a moment and of a size that the record does not mention."""
    sizes = np.zeros_like(clean)
    spread = clean.std((0, 1))
    for run in range(len(clean)):
        if rng.random() < 0.85:
            at = int(rng.integers(25, 75)) * 2
            change = np.array([_signed(rng, 0.6, 1.2), _signed(rng, 0.6, 1.2)]) * spread
            sizes[run, at] = change if world.kind == "motion" else np.maximum(change, 0.15 - clean[run, at])
    return sizes


def _draw(rng: np.random.Generator, stratum: int, kind: str) -> tuple[World, dict[str, Array], Array]:
    """A world with what is recorded of it and how its new runs go on; worlds in which nothing happens are drawn again."""
    while True:
        with np.errstate(all="ignore"):
            world = _core(rng, kind)
            starts = rng.uniform(*STARTS[kind], (RUNS + NEW_RUNS, 2))
            condition = np.r_[rng.uniform(-1, 1, RUNS), rng.uniform(-1.3, 1.3, NEW_RUNS)]
            plain = simulate(world, starts, condition, SPAN)
            if not _lively(plain, kind):
                continue
            world = _plan(rng, stratum, world, np.quantile(plain, [0.35, 0.65], (0, 1)).T)
            clean = simulate(world, starts, condition, world.span)
            if not _lively(clean, kind) or (world.span > SPAN and clean[RUNS:, -400:].std(1).mean() < 0.3 * clean.std()):
                continue
            if world.modulators and not all(_matters(world, made, starts, condition, clean) for made in world.modulators):
                continue
            kicks = _kicks(rng, world, clean[:RUNS]) if world.kicks else None
            recorded = simulate(world, starts[:RUNS], condition[:RUNS], SPAN, kicks) if world.kicks else clean[:RUNS]
            if np.abs(recorded).max() < 12:
                break
    return world, _record(rng, world, recorded, observe(world, starts), condition), observe(world, clean[RUNS:])


def _lively(paths: Array, kind: str) -> bool:
    bound = 6 if kind == "motion" else 10
    late = paths[:, 40:]
    return bool(np.abs(paths).max() < bound and late.std((0, 1)).min() > 0.15 and late.std(1).mean() > 0.12)


def _matters(world: World, made: dict[str, float | str], starts: Array, condition: Array, clean: Array) -> bool:
    """Whether the new runs would go visibly otherwise without this one complication."""
    without = World(world.kind, world.pieces, world.constants, [other for other in world.modulators if other is not made])
    other = simulate(without, starts[RUNS:], condition[RUNS:], world.span)
    return bool(np.sqrt(np.mean((other - clean[RUNS:]) ** 2, (0, 1)) / clean[RUNS:].var((0, 1))).mean() > 0.3)


def _record(rng: np.random.Generator, world: World, states: Array, starts: Array, condition: Array) -> dict[str, Array]:
    shown = observe(world, states)
    spread = shown.std((0, 1))
    ticks, values = np.empty((RUNS, world.samples)), np.empty((RUNS, world.samples, 2))
    for run in range(RUNS):
        allowed = np.arange(1, 101)
        if world.gap:
            hole = int(rng.integers(15, 70))
            allowed = allowed[(allowed < hole) | (allowed >= hole + 20)]
        chosen = np.r_[0, np.sort(rng.choice(allowed, world.samples - 1, replace=False))]
        noise = rng.normal(0, world.noise, (world.samples, 2))
        wild = rng.random((world.samples, 1)) < world.outliers
        noise = np.where(wild, rng.normal(0, 1.0, noise.shape), noise) * spread
        noise[0] = 0
        ticks[run], values[run] = chosen / 10, shown[run, chosen * 2] + noise
    times = np.linspace(world.span / 50, world.span, 50)
    return {
        "t": ticks,
        "x": values,
        "condition": condition[:RUNS],
        "new_start": starts[RUNS:],
        "new_condition": condition[RUNS:],
        "new_t": times,
    }


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 45 worlds, three per stratum, in a drawn order."""
    rng = np.random.default_rng([20160412, seed])
    kinds = {4: ("densities", "motion", "motion")}
    wanted = [(stratum, kind) for stratum in range(1, STRATA + 1) for kind in kinds.get(stratum, KINDS)]
    for number, at in enumerate(rng.permutation(len(wanted))):
        stratum, kind = wanted[at]
        world, record, forecast = _draw(rng, stratum, kind)
        every = round(world.span / 50 / STEP)
        np.savez(
            data / f"world_{number:02d}.npz",
            quantities=np.array(kind),
            **{name: part.astype(np.float64) for name, part in record.items()},
        )
        np.savez(
            truth / f"world_{number:02d}.npz",
            x=forecast[:, every::every],
            stratum=np.array(stratum),
            floor=np.array(0.1 * world.noise),
        )
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
