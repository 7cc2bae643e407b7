# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: activations of a stream of tokens, written by sparse features and then changed on their way to the place where they are read.

Features fire in events and are put together from units (single, signed, rare, nested, exclusive, correlated, paired, circular). Their sum then
passes some of seven stages, always in this order: contexts and dense noise are added, an earlier token is copied in, the whole is scaled per
token, rotated by position, bent channel by channel, read with noise, and partly lost. A stratum says how many stages a world has; which
ones, and with which constants, is drawn. The figure is a mean over strata. So that verdicts are comparable, kinds are dealt from
shuffled decks: each comes about equally often, in other company each time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray

SEQUENCES, LENGTH = 32, 40
TOKENS = SEQUENCES * LENGTH
STRATA, WORLDS = 14, 4
STAGES = ("gain", "turn", "copy", "bend", "context", "dense", "loss")
SINGLE = {3: "gain", 4: "turn", 5: "copy", 6: "bend", 7: "context", 8: "dense", 9: "loss"}
DEEP = {11: 2, 12: 2, 13: 3, 14: 3}
LEAST, MOST = 0.004, 0.3
"""Bounds of a feature's floor."""


@dataclass
class World:
    """One model's features and what happens to them."""

    codes: Array
    """(tokens, codes): the truth that is scored."""
    groups: Array
    """(codes,): which codes belong to one feature."""
    directions: Array
    noise: float
    stages: dict[str, dict[str, Array | float | int | str]] = field(default_factory=dict)


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def events(rng: np.random.Generator, rate: float, duration: float) -> Array:
    """(tokens,) number of the event that each token is in, or -1; events last `duration` tokens on average and end with their sequence."""
    found = np.full((SEQUENCES, LENGTH), -1)
    count = 0
    for sequence in found:
        left = 0 if duration == 1 or rng.random() > rate else int(rng.geometric(1 / duration))
        for at in range(LENGTH):
            if left == 0 and rng.random() < rate / (duration * (1 - rate) if duration > 1 else 1):
                left, count = int(rng.geometric(1 / duration)), count + 1
            if left:
                sequence[at], left = count, left - 1
    return found.ravel()


def _magnitudes(rng: np.random.Generator, which: Array) -> Array:
    """One magnitude per event, with some wavering from token to token; zero outside of events."""
    scale, tail, least = np.exp(rng.uniform(np.log(0.6), np.log(1.6))), _between(rng, 0.2, 0.6), _between(rng, 0.2, 0.5)
    size = scale * (least + (1 - least) * rng.lognormal(0, tail, which.max() + 2))
    return np.where(which >= 0, size[which] * rng.lognormal(0, 0.05, len(which)), 0.0)


def _chosen(rng: np.random.Generator, which: Array, share: float) -> Array:
    """The events with some left out."""
    return np.where((rng.random(which.max() + 2) < share)[which], which, -1)


def _unit(rng: np.random.Generator, kind: str, duration: float) -> list[Array]:
    """Features of one unit, each (tokens, 1 or 2)."""
    rate = _between(rng, 0.05, 0.12)
    if kind == "single":
        return [_magnitudes(rng, events(rng, rate, duration))[:, None]]
    if kind == "rare":
        return [_magnitudes(rng, events(rng, _between(rng, 0.014, 0.025), duration))[:, None]]
    if kind in ("signed", "circle"):
        which = events(rng, rate, duration)
        size, angle = _magnitudes(rng, which), rng.uniform(0, 2 * np.pi, which.max() + 2)[which]
        if kind == "signed":
            return [(size * np.where(angle < np.pi, 1, -1))[:, None]]
        return [np.column_stack([size * np.cos(angle), size * np.sin(angle)])]
    which = events(rng, rate + 0.07, duration)
    if kind == "nested":
        inner = [_chosen(rng, which, _between(rng, 0.3, 0.5)) for _ in range(int(rng.integers(1, 3)))]
        return [_magnitudes(rng, part)[:, None] for part in [which, *inner]]
    if kind == "exclusive":
        owner = rng.integers(3, size=which.max() + 2)[which]
        return [_magnitudes(rng, np.where(owner == k, which, -1))[:, None] for k in range(3)]
    if kind == "correlated":
        return [_magnitudes(rng, _chosen(rng, which, 0.65))[:, None] for _ in range(3)]
    sort = rng.choice(3, size=which.max() + 2, p=[0.3, 0.3, 0.4])[which]
    one, two = (_magnitudes(rng, np.where(sort != k, which, -1)) for k in (0, 1))
    return [one[:, None], two[:, None], (one * two)[:, None]]


UNITS = ("single", "signed", "rare", "nested", "exclusive", "correlated", "paired", "circle")


@dataclass
class Decks:
    """Where each kind of thing is drawn from: shuffled, used up, shuffled again."""

    rng: np.random.Generator
    open: dict[str, Iterator[int]] = field(default_factory=dict)

    def _endless(self, size: int) -> Iterator[int]:
        while True:
            yield from (int(at) for at in self.rng.permutation(size))

    def one(self, name: str, members: tuple[str, ...]) -> str:
        """The next card of a deck."""
        return members[next(self.open.setdefault(name, self._endless(len(members))))]

    def several(self, name: str, members: tuple[str, ...], count: int) -> list[str]:
        """The next cards that differ; one that repeats is passed over."""
        found: list[str] = []
        while len(found) < count:
            card = self.one(name, members)
            if card not in found:
                found.append(card)
        return found


def _directions(rng: np.random.Generator, count: int, size: int) -> Array:
    """Random unit vectors, no two of them close to each other."""
    found: list[Array] = []
    while len(found) < count:
        tries = rng.normal(size=(40, size))
        tries /= np.linalg.norm(tries, axis=1, keepdims=True)
        worst = np.abs(tries @ np.array(found).T).max(1) if found else np.zeros(40)
        good = np.flatnonzero(worst < 0.55)
        found.append(tries[good[0] if len(good) else int(np.argmin(worst))])
    return np.array(found)


def _features(rng: np.random.Generator, decks: Decks, plain: float, persistent: bool, noise: float) -> World:
    size = int(rng.integers(16, 21))
    wanted = round(size * _between(rng, 1.35, 1.7))
    duration = _between(rng, 3.0, 6.0) if persistent else 1.0
    parts: list[Array] = []
    while sum(part.shape[1] for part in parts) < wanted:
        kind = "single" if rng.random() < plain else decks.one("units", UNITS)
        parts += [part for part in _unit(rng, kind, duration) if (np.abs(part).sum(1) > 0).sum() >= 12]
    codes = np.concatenate(parts, 1)
    groups = np.repeat(np.arange(len(parts)), [part.shape[1] for part in parts])
    return World(codes, groups, _directions(rng, codes.shape[1], size), noise)


def _stage(rng: np.random.Generator, decks: Decks, name: str, size: int) -> dict[str, Array | float | int | str]:
    if name == "gain":
        return {"kind": decks.one("gain", ("norm", "free")), "spread": _between(rng, 0.35, 0.7)}
    if name == "turn":
        planes = np.linalg.qr(rng.normal(size=(size, size)))[0].T[: 2 * int(rng.integers(2, 5))]
        rates = rng.permutation(np.linspace(0.12, 1.3, 12))[: len(planes) // 2] + rng.uniform(-0.03, 0.03, len(planes) // 2)
        return {"planes": planes, "rates": rates}
    if name == "copy":
        matrix = np.linalg.qr(rng.normal(size=(size, size)))[0] * _between(rng, 0.55, 0.9)
        return {"lag": int(rng.integers(1, 5)), "matrix": matrix}
    if name == "bend":
        kind = decks.one("bend", ("asinh", "leak", "root", "square"))
        return {
            "kind": kind,
            "a": _between(rng, *{"asinh": (0.12, 0.4), "leak": (0.15, 0.45), "root": (0.45, 0.7), "square": (0.8, 2.5)}[kind]),
        }
    if name == "context":
        count = int(rng.integers(3, 7))
        which = np.empty((SEQUENCES, LENGTH), int)
        stay = 1 - 1 / _between(rng, 5.0, 20.0)
        for sequence in which:
            now = int(rng.integers(count))
            for at in range(LENGTH):
                now = now if rng.random() < stay else int(rng.integers(count))
                sequence[at] = now
        return {"which": which.ravel(), "offsets": rng.normal(0, _between(rng, 0.3, 0.6), (count, size))}
    if name == "dense":
        rank = int(rng.integers(2, 5))
        return {"spread": _between(rng, 0.7, 1.5), "planes": np.linalg.qr(rng.normal(size=(size, size)))[0][:rank]}
    return {"kind": decks.one("loss", ("zeros", "spikes")), "share": _between(rng, 0.12, 0.25)}


def bend(kind: str, a: float, y: Array) -> Array:
    """The curve that each channel passes."""
    if kind == "asinh":
        return a * np.arcsinh(y / a)
    if kind == "leak":
        return np.where(y > 0, y, a * y)
    return np.sign(y) * np.abs(y) ** a if kind == "root" else y + a * y * np.abs(y)


def rotated(x: Array, planes: Array, rates: Array, position: Array) -> Array:
    """Each pair of rows of `planes` spans a plane in which tokens are turned by rate times position."""
    x = x.copy()
    for k, rate in enumerate(rates):
        u, v = planes[2 * k], planes[2 * k + 1]
        a, b = x @ u, x @ v
        c, s = np.cos(rate * position), np.sin(rate * position)
        x += np.outer(a * c - b * s - a, u) + np.outer(a * s + b * c - b, v)
    return x


def _offset(rng: np.random.Generator, world: World) -> Array:
    """A constant part that every token carries; it lies in all the planes that turn."""
    size = world.directions.shape[1]
    offset = rng.normal(0, (2.0 if "gain" in world.stages else 1.2) / np.sqrt(size), size)
    planes = world.stages.get("turn", {}).get("planes")
    for k in range(0 if planes is None else len(planes) // 2):
        pair = planes[2 * k : 2 * k + 2]
        angle = rng.uniform(0, 2 * np.pi)
        offset += (_between(rng, 0.5, 0.9) * np.array([np.cos(angle), np.sin(angle)]) - pair @ offset) @ pair
    return offset


def read(rng: np.random.Generator, world: World) -> tuple[Array, Array]:
    """What is read of a world (tokens, channels), and the floor of each feature."""
    made, size = world.stages, world.directions.shape[1]
    position = np.tile(np.arange(LENGTH), SEQUENCES)
    y = world.codes @ world.directions
    if "copy" in made:
        lag = int(made["copy"]["lag"])
        shifted = np.zeros((SEQUENCES, LENGTH, size))
        shifted[:, lag:] = y.reshape(SEQUENCES, LENGTH, size)[:, :-lag]
        y = y + shifted.reshape(-1, size) @ made["copy"]["matrix"]
    y = y + _offset(rng, world)
    if "context" in made:
        y = y + made["context"]["offsets"][made["context"]["which"]]
    free = world.directions
    if "dense" in made:
        free = np.concatenate([world.directions, made["dense"]["planes"]])
        y = y + rng.normal(0, made["dense"]["spread"], (TOKENS, len(made["dense"]["planes"]))) @ made["dense"]["planes"]
    scale = np.ones(TOKENS)
    if "gain" in made:
        norms = np.linalg.norm(y, axis=1)
        scale = norms.mean() / norms if made["gain"]["kind"] == "norm" else rng.lognormal(0, made["gain"]["spread"], TOKENS)
    turn = (lambda v: rotated(v, made["turn"]["planes"], made["turn"]["rates"], position)) if "turn" in made else (lambda v: v)
    y = turn(y * scale[:, None])
    slope = np.ones_like(y)
    if "bend" in made:

        def curve(v: Array) -> Array:
            return bend(str(made["bend"]["kind"]), float(made["bend"]["a"]), v)

        slope = np.minimum((curve(y + 1e-4) - curve(y - 1e-4)) / 2e-4, 3.0)
        y = curve(y)
    noise = rng.normal(0, world.noise, y.shape)
    x, kept = y + noise, np.ones_like(y)
    if "loss" in made:
        share = made["loss"]["share"]
        if made["loss"]["kind"] == "zeros":
            kept = (rng.random(x.shape) > share).astype(float)
            # Not the product: its zeros would keep the sign of what was lost.
            x = np.where(kept > 0, x, 0.0)
        else:
            kept = (rng.random(x.shape) > share / 3).astype(float)
            x = np.where(kept > 0, x, x + rng.normal(0, 2.0, x.shape))
    seen = np.stack([turn(np.tile(row, (TOKENS, 1))) for row in free], 1) * scale[:, None, None]
    return x, _floors(world, seen * (slope * kept)[:, None], noise * kept)


def _floors(world: World, seen: Array, noise: Array) -> Array:
    """Error of each feature when everything but its magnitudes is known, also when it fires: least squares with the noise that there was."""
    count = world.codes.shape[1]
    error = np.zeros_like(world.codes)
    for token in range(TOKENS):
        active = np.flatnonzero(np.r_[world.codes[token] != 0, np.ones(seen.shape[1] - count, bool)])
        design = seen[token, active]
        solved = np.linalg.solve(design @ design.T + 1e-3 * world.noise**2 * np.eye(len(active)), design @ noise[token])
        own = active < count
        error[token, active[own]] = solved[own]
    centred = world.codes - world.codes.mean(0)
    parts = [world.groups == group for group in range(world.groups[-1] + 1)]
    return np.clip([(error[:, part] ** 2).sum() / (centred[:, part] ** 2).sum() for part in parts], LEAST, MOST)


def draw(rng: np.random.Generator, decks: Decks, stratum: int) -> World:
    """A world of a stratum."""
    noisy = stratum == 10 or (stratum in DEEP and decks.one("noise", ("low", "low", "high")) == "high")
    world = _features(
        rng, decks, {1: 1.0, 2: 0.0}.get(stratum, 0.5), noisy, _between(rng, 0.25, 0.35) if noisy else _between(rng, 0.06, 0.12)
    )
    names = [SINGLE[stratum]] if stratum in SINGLE else decks.several("stages", STAGES, DEEP.get(stratum, 0))
    world.stages = {name: _stage(rng, decks, name, world.directions.shape[1]) for name in names}
    return world


def make(seed: int, data: Path, truth: Path) -> None:
    """Write four worlds per stratum in a drawn order."""
    rng = np.random.default_rng([20230915, seed])
    decks = Decks(rng)
    worlds = [(stratum, draw(rng, decks, stratum)) for stratum in range(1, STRATA + 1) for _ in range(WORLDS)]
    for number, chosen in enumerate(rng.permutation(len(worlds))):
        stratum, world = worlds[chosen]
        x, floors = read(rng, world)
        np.savez(
            data / f"world_{number:02d}.npz",
            x=x.astype(np.float32),
            sequence=np.repeat(np.arange(SEQUENCES), LENGTH).astype(np.int16),
            position=np.tile(np.arange(LENGTH), SEQUENCES).astype(np.int16),
        )
        np.savez_compressed(
            truth / f"world_{number:02d}.npz",
            codes=world.codes.astype(np.float32),
            groups=world.groups.astype(np.int16),
            floor=floors,
            stratum=np.array(stratum),
        )
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
