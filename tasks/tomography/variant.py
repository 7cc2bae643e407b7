# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: small objects put together from parts, and scans of them by scanners that are imperfect in composed ways.

An object is drawn from one of three families (pieces, smooth, grains). A stratum says from which families of trouble how many are
drawn. Families of objects and members of families of trouble are dealt from shuffled decks, so that each comes about equally often,
in other company each time; constants are drawn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

Array = np.ndarray
SIDE, VIEWS, BINS = 24, 36, 34
REACH = 10.0
EACH = 5
"""Worlds of a stratum."""
KINDS = ("pieces", "smooth", "grains")

FAMILIES: dict[str, tuple[str, ...]] = {
    "sampling": ("dose", "fewer", "narrower wedge", "narrow", "few", "wedge"),
    "geometry": ("centre", "step", "fan"),
    "motion": ("drift", "jump", "sway", "backlash", "jitter", "wobble"),
    "detector": ("gains", "regain", "stuck"),
    "views": ("lamp", "decay", "failed", "zingers"),
    "response": ("hardening", "deadtime", "dark", "scatter"),
    "memory": ("carry", "lag"),
}
PLANS: tuple[tuple[str, ...], ...] = (
    ("sampling",),
    ("geometry",),
    ("motion",),
    ("motion",),
    ("detector",),
    ("views",),
    ("response",),
    ("memory",),
    ("geometry", "motion"),
    ("motion", "response"),
    ("geometry", "detector", "sampling"),
    ("motion", "detector", "views"),
    ("geometry", "response", "memory"),
    ("motion", "views", "response"),
    ("geometry", "motion", "detector", "response"),
)
"""Families of trouble by stratum."""


@dataclass
class Scanner:
    """How a scan differs from what its record says."""

    nominal: Array
    bins: int = BINS
    photons: float = 4e4
    turned: Array = field(init=False)
    """What is to be added to the nominal angle of each view, in degrees."""
    shifted: Array = field(init=False)
    """How far the shadow is moved along the detector, in bins, by view."""
    fan: float = 0.0
    gains: Array = field(init=False)
    lamp: Array = field(init=False)
    soft: tuple[float, float] = (0.0, 1.0)
    deadtime: float = 0.0
    dark: float = 0.0
    scatter: tuple[float, float] = (0.0, 6.0)
    carry: float = 0.0
    """Share of a bin that is left over from the bin read before it."""
    lag: float = 0.0

    def __post_init__(self) -> None:
        views = len(self.nominal)
        self.turned, self.shifted, self.lamp = np.zeros(views), np.zeros(views), np.zeros(views)
        self.gains = np.zeros((views, self.bins))


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _signed(rng: np.random.Generator, low: float, high: float) -> float:
    return _between(rng, low, high) * (1 if rng.random() < 0.5 else -1)


def _fine_grid() -> tuple[Array, Array]:
    axis = (np.arange(3 * SIDE) - (3 * SIDE - 1) / 2) / 3
    return np.meshgrid(axis, axis)


def _ellipse(rng: np.random.Generator, reach: float, low: float, high: float, edge: float = 0.0, slim: float = 1.0) -> Array:
    """Inside of an ellipse that stays within reach of the centre; a soft edge where asked for."""
    x, y = _fine_grid()
    a, b = rng.uniform(low, high, 2) * (1, slim)
    far, way, turn = _between(rng, 0, max(reach - max(a, b), 0)), *rng.uniform(0, 2 * np.pi, 2)
    dx, dy = x - far * np.cos(way), y - far * np.sin(way)
    u, v = dx * np.cos(turn) + dy * np.sin(turn), dy * np.cos(turn) - dx * np.sin(turn)
    if edge:
        return np.exp(-((u / a) ** 2) - (v / b) ** 2)
    if rng.random() < 0.3:
        return ((np.abs(u) < 0.8 * a) & (np.abs(v) < 0.8 * b)).astype(float)
    return ((u / a) ** 2 + (v / b) ** 2 < 1).astype(float)


def _object(rng: np.random.Generator, kind: str) -> Array:
    """Attenuation per pixel, (24, 24), nothing farther than REACH from the centre."""
    x, y = _fine_grid()
    image = np.zeros_like(x)
    if kind == "pieces":
        image += _ellipse(rng, REACH, 7, 9.6, slim=_between(rng, 0.5, 0.9)) * 0.6
        for _ in range(int(rng.integers(4, 9))):
            inside = _ellipse(rng, 9, 1.4, 3.6) > 0
            image[inside] = rng.choice([0.0, 0.3, 0.9, 1.2, 1.6])
    elif kind == "smooth":
        soft = smear(3 * SIDE, 3.0)
        body = soft @ _ellipse(rng, 9, 6.8, 8.6, slim=_between(rng, 0.45, 0.85)) @ soft.T
        image += body * (0.7 + 0.25 * np.cos(_between(rng, 0.27, 0.8) * (x * np.cos(s := rng.uniform(0, 6.3)) + y * np.sin(s))))
        for _ in range(int(rng.integers(4, 9))):
            image += _signed(rng, 0.3, 0.9) * _ellipse(rng, 8, 1.5, 3.4, edge=1.0) * body
    else:
        image += _ellipse(rng, REACH, 6.8, 9.6, slim=_between(rng, 0.5, 0.9)) * rng.choice([0.0, 0.15, 0.3])
        pitch, turn = _between(rng, 2.6, 4.0), _between(rng, 0, np.pi)
        for i in range(-6, 7):
            for j in range(-6, 7):
                if rng.random() < 0.55:
                    u, v = np.array([i, j]) * pitch + rng.uniform(-0.6, 0.6, 2)
                    cx, cy = u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)
                    if np.hypot(cx, cy) < 8.6:
                        image[np.hypot(x - cx, y - cy) < _between(rng, 0.8, 1.5)] = _between(rng, 0.8, 2.0)
    image = np.maximum(image, 0) * (np.hypot(x, y) < REACH)
    image = image.reshape(SIDE, 3, SIDE, 3).mean((1, 3))
    longest = max(np.max(projector(angles, 0 * angles, 0.0, BINS) @ image.ravel()) for angles in (np.arange(0, 180, 7.5),))
    return np.round(image * _between(rng, 2.2, 3.2) / longest, 6)


def smear(size: int, width: float) -> Array:
    """Matrix of a Gaussian blur of that many samples, cut at four widths, with the outermost samples repeated beyond the ends."""
    reach = int(4 * width + 0.5)
    offsets = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (offsets / width) ** 2)
    matrix = np.zeros((size, size))
    for offset, weight in zip(offsets, weights / weights.sum(), strict=True):
        matrix[np.arange(size), np.clip(np.arange(size) + offset, 0, size - 1)] += weight
    return matrix


def projector(angles: Array, shifted: Array, fan: float, bins: int) -> Array:
    """Line integrals of all views: each pixel's mass falls on the two bins nearest to its shadow. Row = view * bins + bin."""
    axis = np.arange(SIDE) - (SIDE - 1) / 2
    x, y = (part.ravel() for part in np.meshgrid(axis, axis))
    turn = np.deg2rad(angles)[:, None]
    across, along = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    place = across / (1 + fan * along) + shifted[:, None] + (bins - 1) / 2
    left = np.floor(place).astype(int)
    share = place - left
    matrix = np.zeros((len(angles) * bins, SIDE * SIDE))
    for offset, weight in ((0, 1 - share), (1, share)):
        at = left + offset
        view, pixel = np.nonzero((at >= 0) & (at < bins))
        matrix[view * bins + at[view, pixel], pixel] = weight[view, pixel]
    return matrix


def transmit(scanner: Scanner, image: Array) -> Array:
    """Share of the open beam that every bin shows in every view, without noise."""
    path = projector(scanner.nominal + scanner.turned, scanner.shifted, scanner.fan, scanner.bins) @ image.ravel()
    return respond(scanner, path.reshape(len(scanner.nominal), scanner.bins))[0]


def respond(scanner: Scanner, path: Array, change: Array | None = None) -> tuple[Array, Array | None]:
    """What is shown for given line integrals, and how its logarithm changes with changes of them, (views, bins, columns)."""
    share, ratio = scanner.soft
    hard, lamp = 1 / (1 - share + share * ratio), np.exp(scanner.lamp)[:, None]
    one, two = (1 - share) * np.exp(-hard * path) * lamp, share * np.exp(-hard * ratio * path) * lamp
    size, width = scanner.scatter
    broad = size * smear(scanner.bins, width)

    def carried(clean: Array) -> Array:
        beam = clean.copy()
        for at in range(1, scanner.bins) if scanner.carry else ():
            beam[:, at] = (1 - scanner.carry) * beam[:, at] + scanner.carry * beam[:, at - 1]
        for view in range(1, len(beam)) if scanner.lag else ():
            beam[view] = (1 - scanner.lag) * beam[view] + scanner.lag * beam[view - 1]
        return beam - np.einsum("de,ve...->vd...", broad, clean, optimize=True) if size else beam

    gains = np.exp(scanner.gains)
    beam = (carried(one + two) + size * lamp + scanner.dark) * gains
    shown = beam * (1 + scanner.deadtime) / (1 + scanner.deadtime * beam)
    if change is None:
        return shown, None
    slope = -hard * (one + ratio * two)
    return shown, carried(slope[..., None] * change) * (gains / (beam * (1 + scanner.deadtime * beam)))[..., None]


def _sampling(rng: np.random.Generator, name: str) -> Scanner:
    """A scanner with its nominal angles, before anything else is wrong with it."""
    angles = np.arange(VIEWS) * 180.0 / VIEWS
    if name in ("few", "fewer"):
        count = int(rng.integers(12, 18) if name == "fewer" else rng.integers(20, 26))
        return Scanner(np.arange(count) * 180.0 / count, photons=8e4)
    if name in ("wedge", "narrower wedge"):
        span = _between(rng, 110, 135) if name == "narrower wedge" else _between(rng, 138, 155)
        return Scanner(np.arange(VIEWS) * span / VIEWS)
    if name == "narrow":
        return Scanner(angles, bins=2 * int(rng.integers(7, 10)))
    return Scanner(angles, photons=_between(rng, 500, 1500) if name == "dose" else 10 ** _between(rng, 4.3, 5.0))


def _move(rng: np.random.Generator, scanner: Scanner, name: str) -> None:
    views = len(scanner.nominal)
    clock, turn = np.arange(views) / (views - 1), np.deg2rad(scanner.nominal)
    way = _between(rng, 0, 2 * np.pi)
    late = clock > _between(rng, 0.25, 0.75)
    if name == "backlash":
        scanner.turned = scanner.turned + _signed(rng, 6, 14) * late
    elif name == "wobble":
        turned = rng.normal(0, _between(rng, 3, 6), views)
        scanner.turned = scanner.turned + turned - turned.mean()
    elif name == "jitter":
        basis = np.column_stack([np.ones(views), np.cos(turn), np.sin(turn)])
        shift = rng.normal(0, _between(rng, 0.6, 1.4), views)
        scanner.shifted = scanner.shifted + shift - basis @ np.linalg.lstsq(basis, shift, rcond=None)[0]
    else:
        if name == "drift":
            course = _between(rng, 2.0, 4.2) * clock
        elif name == "jump":
            course = _between(rng, 1.5, 3.4) * late
        else:
            rate, phase = 2 * np.pi * _between(rng, 1.5, 6), _between(rng, 0, 2 * np.pi)
            course = _between(rng, 0.9, 2.1) * (np.sin(rate * clock + phase) - np.sin(phase))
        actual = turn + np.deg2rad(scanner.turned)
        scanner.shifted = scanner.shifted + course * np.cos(actual - way)


def _spoil(rng: np.random.Generator, scanner: Scanner, name: str) -> None:
    """Lay one trouble over a scanner."""
    views, bins = len(scanner.nominal), scanner.bins
    clock = np.arange(views) / (views - 1)
    if name == "centre":
        scanner.shifted = scanner.shifted + _signed(rng, 1.2, 3.4)
    elif name == "step":
        scanner.turned = scanner.turned + scanner.nominal * _signed(rng, 0.05, 0.14)
    elif name == "fan":
        scanner.fan = _signed(rng, 0.01, 0.025)
    elif name in FAMILIES["motion"]:
        _move(rng, scanner, name)
    elif name in ("gains", "regain"):
        # Its smooth part would look like an object that is round about the axis, which nobody could tell from it.
        rough = np.eye(bins) - smear(bins, 2.0)
        first, second = rng.normal(0, _between(rng, 0.1, 0.2), (2, bins)) @ rough.T
        late = clock > _between(rng, 0.3, 0.7) if name == "regain" else clock > 2
        scanner.gains = np.where(late[:, None], second, first)
    elif name == "lamp":
        scanner.lamp = rng.normal(0, _between(rng, 0.08, 0.3), views)
    elif name == "decay":
        rate = 2 * np.pi * _between(rng, 0.3, 3)
        scanner.lamp = -_between(rng, 0.2, 0.7) * clock + _between(rng, 0.05, 0.2) * np.sin(rate * clock + _between(rng, 0, 6.3))
    elif name == "hardening":
        scanner.soft = (_between(rng, 0.3, 0.6), _between(rng, 0.1, 0.35))
    elif name == "deadtime":
        scanner.deadtime = _between(rng, 0.6, 2.0)
    elif name == "dark":
        scanner.dark = _between(rng, 0.04, 0.15)
    elif name == "scatter":
        scanner.scatter = (_between(rng, 0.15, 0.4), _between(rng, 4, 8))
    elif name == "carry":
        scanner.carry = _between(rng, 0.3, 0.55)
    elif name == "lag":
        scanner.lag = _between(rng, 0.3, 0.6)


def _count(rng: np.random.Generator, scanner: Scanner, image: Array, names: list[str]) -> tuple[Array, Array, Array]:
    """(counts, open beam, which samples are measurements of the object) of a scan, with what failed in it."""
    views, bins = len(scanner.nominal), scanner.bins
    place = np.linspace(-1, 1, bins)
    open_beam = scanner.photons * (1 - 0.15 * place**2 + _between(rng, -0.1, 0.1) * place)
    counts = rng.poisson(open_beam * transmit(scanner, image)).astype(np.float64)
    sound = np.ones(counts.shape, bool)
    if "zingers" in names:
        hit = rng.random(counts.shape) < _between(rng, 0.04, 0.12)
        counts = np.where(hit, counts * np.exp(rng.choice([-1, 1], counts.shape) * rng.uniform(0.3, 1.5, counts.shape)), counts)
        sound &= ~hit
    if "stuck" in names:
        for at in rng.choice(bins, int(rng.integers(3, 7)), replace=False):
            counts[:, at] = open_beam[at] * _between(rng, 0.1, 1.0) * (1 + rng.normal(0, 0.02, views))
            sound[:, at] = False
    if "failed" in names:
        for at in rng.choice(np.arange(1, views), round(_between(rng, 0.12, 0.25) * views), replace=False):
            sound[at] = False
            mode = int(rng.integers(3))
            if mode == 0:
                counts[at] = counts[at - 1]
            elif mode == 1:
                counts[at] = counts[at, ::-1].copy()
            else:
                counts[at] = rng.poisson(open_beam * _between(rng, 0.2, 0.9))
    return np.round(counts), open_beam, sound


def _differences(inside: Array) -> Array:
    step = np.diff(np.eye(SIDE), axis=0)
    both = np.concatenate([np.kron(np.eye(SIDE), step), np.kron(step, np.eye(SIDE))])[:, inside]
    return both[np.abs(both).sum(1) > 0]


@cache
def _inside() -> tuple[Array, Array]:
    """(differences, pixels) of what the plain reconstruction takes for unknown."""
    axis = np.arange(SIDE) - (SIDE - 1) / 2
    inside = np.flatnonzero(np.hypot(*np.meshgrid(axis, axis)).ravel() < REACH + 0.7)
    return _differences(inside), inside


def floor_of(rng: np.random.Generator, scanner: Scanner, image: Array, sound: Array) -> float:
    """Error of a plain total-variation reconstruction by somebody who knows the scanner, taken as linear at the truth."""
    steps, inside = _inside()
    views, bins = len(scanner.nominal), scanner.bins
    lines = projector(scanner.nominal + scanner.turned, scanner.shifted, scanner.fan, bins)[:, inside]
    true = image.ravel()[inside]
    shown, change = respond(scanner, (lines @ true).reshape(views, bins), lines.reshape(views, bins, -1))
    matrix = change.reshape(views * bins, -1)
    weight = scanner.photons * (shown * sound).ravel()
    push = matrix.T @ (weight * (matrix @ true) + np.sqrt(weight) * rng.normal(size=len(weight)))
    curved = (matrix.T * weight) @ matrix
    errors = []
    for strength in (200.0, 700.0):
        jumps = np.ones(len(steps))
        for _ in range(8):
            guess = np.linalg.solve(curved + (steps.T * (strength * jumps)) @ steps, push)
            jumps = 1 / np.sqrt((steps @ guess) ** 2 + 1e-6)
        errors.append(np.sqrt(np.sum((np.maximum(guess, 0) - true) ** 2) / SIDE**2) / image.std())
    return float(min(errors))


@dataclass
class Decks:
    """Where families of objects and members of families of trouble are dealt from: shuffled, used up, shuffled again."""

    rng: np.random.Generator
    open: dict[str, Iterator[int]] = field(default_factory=dict)

    def _endless(self, size: int) -> Iterator[int]:
        while True:
            yield from (int(at) for at in self.rng.permutation(size))

    def one(self, name: str, members: tuple[str, ...]) -> str:
        """The next card of a deck."""
        return members[next(self.open.setdefault(name, self._endless(len(members))))]


def _troubles(decks: Decks, stratum: int) -> list[str]:
    """One member of each family of a stratum, those of geometry first."""
    families = PLANS[stratum - 1]
    names = []
    for family in sorted(families, key=lambda family: family != "geometry"):
        members = FAMILIES[family]
        if family == "sampling":
            members = members[:4] if len(families) == 1 else members[4:]
        names.append(decks.one(f"{family} of {stratum}", members))
    return names


def _draw(rng: np.random.Generator, names: list[str], kind: str) -> tuple[dict[str, Array], dict[str, Array]]:
    """(record, truth) of one world, the truth without its stratum."""
    image = _object(rng, kind)
    scanner = _sampling(rng, next((name for name in names if name in FAMILIES["sampling"]), "plain"))
    for name in names:
        if name not in FAMILIES["sampling"]:
            _spoil(rng, scanner, name)
    counts, open_beam, sound = _count(rng, scanner, image, names)
    floor = round(float(np.clip(0.7 * floor_of(rng, scanner, image, sound), 0.01, 0.25)), 4)
    return {"angles": scanner.nominal, "counts": counts, "open_beam": open_beam}, {"image": image, "floor": np.array(floor)}


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 75 worlds, five per stratum, in a drawn order."""
    rng = np.random.default_rng([19171917, seed])
    decks = Decks(rng)
    wanted = [
        (stratum, _troubles(decks, stratum), decks.one(f"objects of {stratum}", KINDS))
        for stratum in range(1, len(PLANS) + 1)
        for _ in range(EACH)
    ]
    for number, at in enumerate(rng.permutation(len(wanted))):
        stratum, names, kind = wanted[at]
        record, answer = _draw(rng, names, kind)
        np.savez(data / f"world_{number:02d}.npz", **record)
        np.savez(truth / f"world_{number:02d}.npz", **answer, stratum=np.array(stratum))
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
