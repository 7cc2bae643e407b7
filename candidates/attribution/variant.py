# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: a small table, a pipeline put together from steps, and a record of what it learnt from random subsets of the table.

Every pipeline starts from the plain one that the repository describes. A stratum says how many of its stages are other than plain and
how many things the stored copy of the table does not tell; which ones is dealt from shuffled decks, constants are drawn. A world is
drawn again where a step hardly matters, or where the plain pipeline comes close.

Shapes below: R subsets, M rows (N training rows, then test rows), D columns. `u` (R, M) says which rows a subset uses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray
Step = tuple
Pipe = dict[str, Step]
CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
TRAIN, TEST, RECORDS = 40, 8, 48
EACH, KINDS = 8, 4
"""Asked subsets of a kind, and kinds: like the recorded ones, small, without a group or level, with hardly any of a class."""
WORLDS_PER_STRATUM = 4
NOISE = 0.1
"""Error of a recorded margin, relative to how margins vary over the record."""
RIDGES = np.array([0.3, 1.0, 3.0, 10.0, 30.0, 100.0])

SLOTS = ("quota", "impute", "encode", "scale", "shape", "clean", "select", "weights", "model", "penalty", "after", "output")
PLAIN: Pipe = {slot: ("plain",) for slot in SLOTS} | {"model": ("ridge",), "penalty": ("plain", 3.0)}
RIDGE = ("log", 1.0, 10.0)
MEMBERS: dict[str, dict[str, tuple[tuple[str, float, float], ...]]] = {
    "quota": {"balance": (), "levels": (("int", 3, 5),), "first": (("int", 11, 15),), "last": (("int", 11, 15),), "aside": (("int", 2, 4),)},
    "impute": {"complete": (), "class": (), "level": (), "nearest": (), "zero": ()},
    "encode": {"ignored": (), "target": (("log", 0.5, 4),), "frequency": (), "centred": (("log", 0.3, 3),)},
    "scale": {"raw": (), "robust": (), "ranks": (), "range": (), "white": (("log", 0.05, 0.3),), "length": ()},
    "shape": {
        "clipped": (("even", 0.5, 1.1),),
        "bent": (("log", 0.2, 0.6),),
        "folded": (("even", 0.5, 1.0),),
        "signs": (("even", 0.3, 0.8),),
        "winsor": (("even", 0.1, 0.25),),
    },
    "clean": {
        "far": (("even", 1.05, 1.35),),
        "twins": (("even", 0.35, 0.75),),
        "twins last": (("even", 0.35, 0.75),),
        "voted out": (("int", 3, 5),),
        "outvoted": (("int", 3, 5),),
        "softened": (("int", 3, 5), ("even", 0.4, 0.8)),
    },
    "select": {"rare": (("int", 4, 6),), "best": (("int", 2, 5),), "relevance": (("even", 0.7, 1.5),), "principal": (("int", 2, 5),)},
    "weights": {
        "class": (("even", 0.8, 1.5),),
        "level": (("even", 0.7, 1.3),),
        "recent": (("even", 4, 9),),
        "early": (("even", 4, 9),),
        "crowd": (("even", 0.6, 1.0),),
        "central": (("even", 0.4, 1.0),),
    },
    "model": {
        "kernel": (("even", 0.5, 1.0),),
        "kernel median": (("even", 0.4, 0.8),),
        "smooth": (("even", 0.3, 0.6),),
        "neighbours": (("int", 2, 5),),
        "passes": (("even", 0.4, 1.0),),
        "squares": (("even", 0.4, 0.8),),
        "products": (("even", 0.4, 0.8),),
        "logistic": (),
    },
    "penalty": {"power": (RIDGE, ("even", -1.6, 1.6)), "freedom": (("even", 2, 5),), "flow": (("log", 0.01, 0.1),), "left out": ()},
    "after": {
        "mixed": (("even", 0.25, 0.5),),
        "halves": (),
        "residual": (("even", 0.6, 1.0), ("even", 0.25, 0.5)),
        "distilled": (("even", 0.5, 0.9),),
        "trimmed": (("even", 0.12, 0.3),),
        "hard": (("even", 2, 6),),
        "level": (("log", 0.5, 3),),
    },
    "output": {"bounded": (("even", 0.3, 0.6),), "centred": (), "unit": (), "prior": (("even", 0.5, 1.0),), "slope": ()},
}
"""What a stage may be other than plain, with the ranges of its constants."""
ORDERED = {
    ("quota", "first"),
    ("quota", "last"),
    ("quota", "aside"),
    ("quota", "levels"),
    ("clean", "twins"),
    ("clean", "twins last"),
    ("weights", "recent"),
    ("weights", "early"),
    ("model", "passes"),
    ("after", "mixed"),
    ("after", "halves"),
}
"""Steps that depend on the order in which rows are processed."""
HIDDEN: dict[str, tuple[str, ...]] = {
    "labels": ("flipped", "soft"),
    "rows": ("trust", "lost"),
    "columns": ("column", "units"),
    "order": ("order",),
}
"""What the stored copy does not tell, by family."""


@dataclass(frozen=True)
class Plan:
    """What the worlds of a stratum have besides the plain pipeline."""

    stages: tuple[tuple[str, ...], ...] = ()
    """One stage of each of these groups is other than plain."""
    hidden: tuple[str, ...] = ()
    """Families of what is not told."""


ANY = ("quota", "impute", "encode", "scale", "shape", "clean", "select", "weights", "model", "penalty", "after", "output")
ROWS = ("quota", "clean", "weights")
COLUMNS = ("impute", "encode", "scale", "shape", "select")
FITTING = ("model", "penalty", "after", "output")
PLANS: tuple[Plan, ...] = (
    Plan((("quota", "clean"),)),
    Plan((("scale", "shape"),)),
    Plan((("model",),)),
    Plan((("impute", "encode"), ("select", "weights"))),
    Plan((("penalty",), ("after", "output"))),
    Plan((ANY,), ("labels",)),
    Plan((ANY,), ("rows",)),
    Plan((ANY,), ("columns",)),
    Plan((("quota", "clean", "after"), ("weights", "model")), ("order",)),
    Plan((ROWS, COLUMNS, FITTING)),
    Plan((ROWS, COLUMNS, COLUMNS, FITTING)),
    Plan((ROWS, ROWS, COLUMNS, FITTING, FITTING)),
    Plan((ROWS, COLUMNS), ("any",)),
    Plan((COLUMNS, FITTING, FITTING), ("any",)),
    Plan((COLUMNS, FITTING), ("any", "any")),
)


# ---------------------------------------------------------------------- tables


@dataclass
class Table:
    """Rows that a pipeline learns from, the first TRAIN of them, and those that it is tested on."""

    x: Array
    """(M, columns): numbers, NaN where missing."""
    flags: Array
    """(M, 2): zero or one."""
    level: Array
    """(M,): one of four levels of a category."""
    y: Array
    """(M,): labels, 1 or -1."""
    here: Array = field(init=False)
    x0: Array = field(init=False)
    hot: Array = field(init=False)

    def __post_init__(self) -> None:
        self.here = ~np.isnan(self.x)
        self.x0 = np.where(self.here, self.x, 0.0)
        self.hot = (self.level[:, None] == np.arange(4)).astype(float)

    def donors(self) -> Iterator[tuple[int, int, Array]]:
        """For every missing cell (row, column) the training rows that have it, nearest first."""
        here = self.here.astype(float)
        share = np.maximum(here[:TRAIN].sum(0), 1)
        mean = (self.x0 * here)[:TRAIN].sum(0) / share
        z = (self.x0 - mean) * here
        z = z / (np.sqrt((z[:TRAIN] ** 2).sum(0) / share) + 1e-9)
        both = here[:, None] * here[None, :TRAIN]
        apart = (((z[:, None] - z[None, :TRAIN]) ** 2) * both).sum(2) / np.maximum(both.sum(2), 1)
        apart = np.round(apart + 0.5 * (self.level[:, None] != self.level[None, :TRAIN]), 9)
        for i, j in zip(*np.nonzero(~self.here), strict=True):
            order = np.argsort(apart[i], kind="stable")
            yield int(i), int(j), order[self.here[order, j] & (order != i)]


def _table(rng: np.random.Generator) -> tuple[Table, Array]:
    """A table and the group of each row: five clusters, twins, outliers, skewed columns, missing cells, wrong labels."""
    rows, columns = TRAIN + TEST, 5
    side = np.array([1, -1, 1, -1, rng.choice([-1, 1])])[rng.permutation(5)]
    group = np.concatenate([rng.permutation(np.arange(count) % 5) for count in (TRAIN, TEST)])
    x = rng.normal(0, 1.1, (5, columns))[group] + rng.normal(0, 0.8, (rows, columns))
    level = np.where(rng.random(rows) < 0.55, group % 4, rng.integers(0, 4, rows))
    x = x + rng.normal(0, 0.6, (4, columns))[level]
    flags = (rng.random((rows, 2)) < rng.uniform(0.12, 0.3, 2)).astype(float)
    score = 0.9 * side[group] + (x - x.mean(0)) @ rng.normal(0, 0.25, columns) + rng.normal(0, 0.5, 4)[level]
    score = score + flags @ (rng.choice([-1, 1], 2) * rng.uniform(0.5, 1.2, 2)) + rng.normal(0, 0.5, rows)
    y = np.where(score > np.median(score), 1.0, -1.0)
    y[rng.choice(TRAIN, 3, replace=False)] *= -1
    first, second = np.sort(rng.permutation(TRAIN)[:10].reshape(2, 5), axis=0)
    x[second] = x[first] + rng.normal(0, 0.12, (5, columns))
    level[second], flags[second] = level[first], flags[first]
    y[second] = y[first] * np.where(rng.random(5) < 0.6, 1, -1)
    x[rng.choice(TRAIN, 3, replace=False)] += rng.normal(0, 2.2, (3, columns))
    skewed = rng.choice(columns, 2, replace=False)
    x[:, skewed] = np.exp(0.6 * x[:, skewed])
    x = np.round(x * np.exp(rng.normal(0, 0.5, columns)) + rng.normal(0, 1.0, columns), 3) + 0.0
    gone = rng.random((rows, columns)) < 0.12
    gone[np.arange(rows), rng.integers(0, columns, rows)] = False
    x[gone] = np.nan
    return Table(x, flags, level, y), group


def _members(rng: np.random.Generator, count: int, among: Array | None = None) -> Array:
    mask = np.zeros(TRAIN)
    mask[rng.choice(np.arange(TRAIN) if among is None else among, count, replace=False)] = 1
    return mask


def _subsets(rng: np.random.Generator, table: Table, group: Array) -> Array:
    """(RECORDS + KINDS * EACH, TRAIN): recorded subsets, then the asked ones kind by kind."""
    chosen = [_members(rng, int(rng.integers(14, 28))) for _ in range(RECORDS + EACH)]
    while len(chosen) < RECORDS + 2 * EACH:
        mask = _members(rng, int(rng.integers(9, 13)))
        if 3 <= mask @ (table.y[:TRAIN] > 0) <= mask.sum() - 3:
            chosen.append(mask)
    for _ in range(EACH):
        mask = (rng.random(TRAIN) < 0.88).astype(float)
        gone = group == rng.integers(5) if rng.random() < 0.5 else table.level == rng.integers(4)
        chosen.append(mask * ~gone[:TRAIN])
    for _ in range(EACH):
        mask, side = (rng.random(TRAIN) < 0.7).astype(float), table.y[:TRAIN] == rng.choice([-1, 1])
        chosen.append(np.where(side, _members(rng, int(rng.integers(3, 5)), np.flatnonzero(side)), mask))
    return np.array(chosen)


# ---------------------------------------------------------------------- pipelines


def _mean(z: Array, u: Array) -> Array:
    """Weighted mean over rows, (R, D)."""
    return np.matmul(u[:, None], z)[:, 0] / np.maximum(u.sum(1), 1e-9)[:, None]


def _quantile(v: Array, u: Array, q: float = 0.5) -> Array:
    """Quantile over used rows, between the two nearest, (R, D)."""
    v = np.sort(np.where((u > 0)[..., None], v, 1e30), axis=1)
    place, r = (np.maximum((u > 0).sum(1), 1) - 1) * q, np.arange(len(v))
    low, high = np.floor(place).astype(int), np.ceil(place).astype(int)
    return v[r, low] + (place - low)[:, None] * (v[r, high] - v[r, low])


def _apart(z: Array) -> Array:
    """Mean squared differences of all rows to the training rows, (R, M, TRAIN). Rounded, so that ties are ties on every processor."""
    s = (z * z).sum(2)
    d = s[:, :, None] + s[:, None, :TRAIN] - 2 * np.matmul(z, z[:, :TRAIN].transpose(0, 2, 1))
    return np.round(np.maximum(d, 0) / z.shape[2], 9)


def _place(u: Array) -> Array:
    """Place of each used row among the used ones, in the order of processing."""
    return np.cumsum(u > 0, axis=1) - 1


def _nearest(d: Array, count: int) -> Array:
    """Which are among the `count` nearest, ties included."""
    return d <= np.partition(d, count - 1, axis=2)[:, :, count - 1 : count]


class Runs:
    """Runs pipelines on the same subsets of a table, as the pipeline sees it."""

    def __init__(self, table: Table, masks: Array, target: Array, trust: Array) -> None:
        self.table, self.target, self.trust = table, target, trust
        self.masks = np.zeros((len(masks), len(table.x)))
        self.masks[:, :TRAIN] = masks

    def scores(self, pipe: Pipe) -> Array:
        """Scores of the test rows, (R, TEST)."""
        u = self._quota(pipe["quota"], self.masks)
        if pipe["impute"][0] == "complete":
            u = u * self.table.here.all(1)
        x = self._impute(pipe["impute"][0], u)
        z = self._scale(pipe["scale"], self._encode(pipe["encode"], x, u), u)
        z = self._shape(pipe["shape"], z, u)
        u, flip, share, vote = self._clean(pipe["clean"], z, u)
        z = self._select(pipe["select"], z, u)
        y = np.broadcast_to(self.target, u.shape) * flip
        return self._learn(pipe, z, (1 - share) * y + share * vote, u)

    def _quota(self, step: Step, u: Array) -> Array:
        kind, *c = step
        if kind == "balance":
            sides = [u * (self.table.y > 0), u * (self.table.y < 0)]
            most = np.maximum(np.minimum(sides[0].sum(1), sides[1].sum(1)), 2)[:, None]
            return sum(side * (np.cumsum(side, 1) <= most) for side in sides)
        if kind == "levels":
            parts = [u * self.table.hot[:, level] for level in range(4)]
            return sum(part * (np.cumsum(part, 1) <= c[0]) for part in parts)
        if kind == "first":
            return u * (np.cumsum(u, 1) <= c[0])
        if kind == "last":
            return u * (u.sum(1, keepdims=True) - np.cumsum(u, 1) < c[0])
        if kind == "aside":
            return u * (_place(u) % c[0] != c[0] - 1)
        return u

    def _impute(self, kind: str, u: Array) -> Array:
        t, here = self.table, self.table.here.astype(float)

        def mean(w: Array, otherwise: Array | float) -> Array:
            have = w @ here
            return np.where(have > 0.5, (w @ t.x0) / np.maximum(have, 1e-9), otherwise)

        if kind == "zero":
            return np.repeat(t.x0[None], len(u), 0)
        whole = mean(u, 0.0)
        x = np.where(t.here, t.x0, whole[:, None])
        for side in (-1, 1) if kind == "class" else ():
            fill = ((t.y == side)[:, None] & ~t.here)[:TRAIN]
            x[:, :TRAIN] = np.where(fill, mean(u * (t.y == side), whole)[:, None], x[:, :TRAIN])
        for level in range(4) if kind == "level" else ():
            x = np.where((t.level == level)[:, None] & ~t.here, mean(u * t.hot[:, level], whole)[:, None], x)
        for i, j, order in t.donors() if kind == "nearest" else ():
            have = u[:, order] > 0
            x[:, i, j] = np.where(have.any(1), t.x0[order[np.argmax(have, 1)], j], whole[:, j])
        return x

    def _encode(self, step: Step, x: Array, u: Array) -> Array:
        t, (kind, *c) = self.table, step
        flags = np.broadcast_to(t.flags, (len(u), *t.flags.shape))
        if kind == "plain":
            return np.concatenate([x, flags, np.broadcast_to(t.hot, (len(u), *t.hot.shape))], 2)
        count = u @ t.hot
        if kind == "centred":
            sums = np.matmul(u[:, None] * t.hot.T, x)
            x = x - np.matmul(t.hot, (sums + c[0] * _mean(x, u)[:, None]) / (count + c[0])[..., None])
        if kind in ("ignored", "centred"):
            return np.concatenate([x, flags], 2)
        if kind == "target":
            whole = (u @ t.y)[:, None] / np.maximum(u.sum(1), 1e-9)[:, None]
            value = ((u * t.y) @ t.hot + c[0] * whole) / (count + c[0])
        else:
            value = count / np.maximum(u.sum(1, keepdims=True), 1)
        return np.concatenate([x, flags, (value @ t.hot.T)[..., None]], 2)

    def _scale(self, step: Step, z: Array, u: Array) -> Array:
        (kind, *c), columns = step, self.table.x.shape[1]
        centred = z - _mean(z, u)[:, None]
        if kind == "raw":
            return centred
        sd = np.sqrt(_mean(centred**2, u))[:, None]
        out = centred * ((sd > 1e-6) / np.where(sd > 1e-6, sd, 1.0))
        x = z[:, :, :columns]
        if kind == "robust":
            middle = _quantile(x, u)[:, None]
            spread = 1.4826 * _quantile(np.abs(x - middle), u)[:, None]
            out[:, :, :columns] = (x - middle) / np.where(spread > 1e-6, spread, 1.0)
        elif kind == "ranks":
            for j in range(columns):
                above = 0.5 + 0.5 * np.sign(x[:, :, j, None] - x[:, None, :TRAIN, j])
                share = np.matmul(above, u[:, :TRAIN, None])[..., 0] / np.maximum(u.sum(1), 1)[:, None]
                out[:, :, j] = np.sqrt(12) * (share - 0.5)
        elif kind == "range":
            used = (u > 0)[..., None]
            low, high = np.where(used, x, 1e30).min(1)[:, None], np.where(used, x, -1e30).max(1)[:, None]
            out[:, :, :columns] = 2 * (x - low) / np.where(high - low > 1e-6, high - low, 1.0) - 1
        elif kind == "white":
            cov = np.matmul((out * u[..., None]).transpose(0, 2, 1), out) / np.maximum(u.sum(1), 1)[:, None, None]
            s, v = np.linalg.eigh((1 - c[0]) * cov + c[0] * np.eye(z.shape[2]))
            out = np.matmul(out, np.matmul(v / np.sqrt(s)[:, None], v.transpose(0, 2, 1)))
        elif kind == "length":
            out = out / np.sqrt(np.mean(out**2, 2, keepdims=True) + 1e-9)
        return out

    def _shape(self, step: Step, z: Array, u: Array) -> Array:
        (kind, *c), columns = step, self.table.x.shape[1]
        x = z[:, :, :columns]
        if kind == "folded":
            return np.concatenate([z, np.abs(x) - c[0]], 2)
        if kind == "clipped":
            x = np.clip(x, -c[0], c[0])
        elif kind == "bent":
            x = np.sign(x) * np.log1p(np.abs(x) / c[0])
        elif kind == "signs":
            x = np.tanh(x / c[0])
        elif kind == "winsor":
            x = np.clip(x, _quantile(x, u, c[0])[:, None], _quantile(x, u, 1 - c[0])[:, None])
        return np.concatenate([x, z[:, :, columns:]], 2)

    def _clean(self, step: Step, z: Array, u: Array) -> tuple[Array, Array, float, Array]:
        """(rows in use, factor of their targets, share of the target that is the neighbours' vote, that vote)"""
        (kind, *c), flip, vote = step, np.ones_like(u), np.zeros_like(u)
        if kind == "plain":
            return u, flip, 0.0, vote
        if kind == "far":
            d = np.sqrt(((z - _mean(z, u)[:, None]) ** 2).sum(2))
            return u * (d <= c[0] * _quantile(d[..., None], u)), flip, 0.0, vote
        d = _apart(z[:, :TRAIN])
        other = (u[:, None, :TRAIN] > 0) & ~np.eye(TRAIN, dtype=bool)
        u = u.copy()
        if kind.startswith("twins"):
            before = np.tril(np.ones((TRAIN, TRAIN), bool), -1)
            u[:, :TRAIN] *= ~(other & (before if kind == "twins" else before.T) & (d < c[0] ** 2)).any(2)
            return u, flip, 0.0, vote
        near = other & _nearest(np.where(other, d, 1e30), c[0])
        vote[:, :TRAIN] = np.matmul(near, self.table.y[:TRAIN, None])[..., 0] / np.maximum(near.sum(2), 1)
        against = vote * self.table.y < 0
        if kind == "voted out":
            return u * ~against, flip, 0.0, vote
        if kind == "outvoted":
            return u, np.where(against, -1.0, 1.0), 0.0, vote
        return u, flip, np.where(np.arange(u.shape[1]) < TRAIN, c[1], 0.0), vote

    def _select(self, step: Step, z: Array, u: Array) -> Array:
        (kind, *c), t = step, self.table
        if kind == "plain":
            return z
        if kind == "rare":
            z, first = z.copy(), t.x.shape[1]
            z[:, :, first : first + 2] *= (u @ t.flags >= c[0])[:, None]
            return z
        zc = z - _mean(z, u)[:, None]
        if kind == "principal":
            cov = np.matmul((zc * u[..., None]).transpose(0, 2, 1), zc)
            return np.matmul(zc, np.linalg.eigh(cov)[1][:, :, -c[0] :])
        yc = u * (t.y - (u @ t.y)[:, None] / np.maximum(u.sum(1), 1)[:, None])
        size = np.matmul(u[:, None], zc**2)[:, 0] * np.maximum((yc**2).sum(1), 1e-9)[:, None]
        r = np.abs(np.matmul(yc[:, None], zc)[:, 0]) / np.sqrt(size + 1e-9)
        if kind == "best":
            r = np.round(r, 9)
            return z * (r >= -np.partition(-r, c[0] - 1, axis=1)[:, c[0] - 1 : c[0]])[:, None]
        r = r ** c[0]
        return z * (r / np.sqrt(np.mean(r**2, 1, keepdims=True) + 1e-12))[:, None]

    def _weigh(self, step: Step, z: Array, u: Array) -> Array:
        (kind, *c), t = step, self.table
        w = self.trust * u
        if kind == "plain":
            return w
        if kind == "class":
            total = w.sum(1, keepdims=True)
            for side in (t.y > 0, t.y < 0):
                share = (w * side).sum(1, keepdims=True)
                w = np.where(side, w * (total / np.maximum(2 * share, 1e-9)) ** c[0], w)
            return w
        if kind == "level":
            w = w * (np.maximum(u @ t.hot, 1) ** -c[0] @ t.hot.T)
        elif kind == "recent":
            w = w * np.exp((_place(u) - u.sum(1, keepdims=True)) / c[0])
        elif kind == "early":
            w = w * np.exp(-_place(u) / c[0])
        elif kind == "crowd":
            near = ((u[:, None, :TRAIN] > 0) & (_apart(z[:, :TRAIN]) < c[0] ** 2)).sum(2)
            w[:, :TRAIN] /= np.maximum(near, 1)
        elif kind == "central":
            w = w * np.exp(-((z - _mean(z, u)[:, None]) ** 2).mean(2) / c[0])
        return w * (u.sum(1) / np.maximum(w.sum(1), 1e-9))[:, None]

    def _learn(self, pipe: Pipe, z: Array, y: Array, u: Array) -> Array:
        w = self._weigh(pipe["weights"], z, u)

        def fit(z: Array, y: Array, u: Array, w: Array) -> Array:
            return self._fit(pipe["model"], pipe["penalty"], z, y, u, w)

        (kind, *c), r = pipe["after"], np.arange(len(u))
        if kind == "mixed":
            used = u[:, :TRAIN] > 0
            later = np.minimum.accumulate(np.where(used, np.arange(TRAIN), TRAIN)[:, ::-1], 1)[:, ::-1]
            later = np.concatenate([later[:, 1:], np.full((len(u), 1), TRAIN)], 1)
            later = np.where(later >= TRAIN, np.argmax(used, 1)[:, None], later)
            zz, yy = z.copy(), y.copy()
            zz[:, :TRAIN] += c[0] * (z[r[:, None], later] - z[:, :TRAIN])
            yy[:, :TRAIN] += c[0] * (y[r[:, None], later] - y[:, :TRAIN])
            f = fit(zz, yy, u, w)
        elif kind == "halves":
            even = _place(u) % 2 == 0
            f = 0.5 * (fit(z, y, u * even, w * even) + fit(z, y, u * ~even, w * ~even))
        else:
            f = fit(z, y, u, w)
        if kind == "residual":
            k = np.exp(-_apart(z) / (2 * c[1] ** 2)) * w[:, None, :TRAIN]
            f = f + c[0] * np.matmul(k, (y - f)[:, :TRAIN, None])[..., 0] / (k.sum(2) + 1e-6)
        elif kind == "distilled":
            f = fit(z, (1 - c[0]) * y + c[0] * np.clip(f, -1, 1), u, w)
        elif kind == "trimmed":
            left = np.round(np.where(u > 0, np.abs(y - f), -1.0), 9)
            count = np.floor(c[0] * (u > 0).sum(1)).astype(int)
            keep = left <= np.sort(left, 1)[r, -1 - count][:, None]
            f = fit(z, y, u * keep, w * keep)
        elif kind == "hard":
            v = w * (1 + c[0] * np.minimum((y - f) ** 2, 4.0))
            f = fit(z, y, u, v * (w.sum(1) / np.maximum(v.sum(1), 1e-9))[:, None])
        elif kind == "level":
            hot = self.table.hot
            f = f + (((u * (y - f)) @ hot) / (u @ hot + c[0])) @ hot.T
        return _output(pipe["output"], f, y, u)[:, TRAIN:]

    def _fit(self, model: Step, penalty: Step, z: Array, y: Array, u: Array, w: Array) -> Array:
        """Scores of all rows, (R, M)."""
        kind, *c = model
        total = np.maximum(w.sum(1), 1e-9)
        mean = (w * y).sum(1, keepdims=True) / total[:, None]
        ridge = np.full(len(u), penalty[1] if penalty[0] in ("plain", "power") else 1.0)
        if penalty[0] == "power":
            ridge = ridge * (np.maximum(u.sum(1), 1) / 20) ** penalty[2]
        if kind == "smooth":
            k = np.exp(-_apart(z) / (2 * c[0] ** 2)) * w[:, None, :TRAIN]
            return (np.matmul(k, y[:, :TRAIN, None])[..., 0] + 0.05 * mean) / (k.sum(2) + 0.05)
        if kind == "neighbours":
            k = _nearest(np.where(u[:, None, :TRAIN] > 0, _apart(z), 1e30), c[0]) * w[:, None, :TRAIN]
            return np.matmul(k, y[:, :TRAIN, None])[..., 0] / np.maximum(k.sum(2), 1e-9)
        if kind == "passes":
            beta, base = np.zeros((len(u), z.shape[2])), np.zeros(len(u))
            for i in range(TRAIN):
                x = z[:, i]
                g = c[0] * np.minimum(w[:, i], 2.0) * (y[:, i] - (beta * x).sum(1) - base) / (1 + (x**2).sum(1))
                beta, base = beta + g[:, None] * x, base + g
            return np.matmul(z, beta[..., None])[..., 0] + base[:, None]
        if kind in ("kernel", "kernel median"):
            d = _apart(z)
            if kind == "kernel median":
                both = u[:, :TRAIN, None] * u[:, None, :TRAIN] * (1 - np.eye(TRAIN))
                middle = _quantile(d[:, :TRAIN].reshape(len(u), -1, 1), both.reshape(len(u), -1))
                d = d / np.maximum(middle, 1e-6)[:, :, None]
            k, q = np.exp(-d / (2 * c[0] ** 2)), np.sqrt(w[:, :TRAIN])
            gram = k[:, :TRAIN] * (q[:, :, None] * q[:, None]) + 0.1 * ridge[:, None, None] * np.eye(TRAIN)
            a = q * np.linalg.solve(gram, (q * (y[:, :TRAIN] - mean))[..., None])[..., 0]
            return np.matmul(k, a[..., None])[..., 0] + mean
        if kind in ("squares", "products"):
            x = z[:, :, : self.table.x.shape[1]]
            one, two = np.triu_indices(x.shape[2], 1)
            z = np.concatenate([z, c[0] * (x**2 if kind == "squares" else x[:, :, one] * x[:, :, two])], 2)
        if kind == "logistic":
            return _logistic(0.1 * ridge, z, y, w)
        return self._linear(penalty, ridge, z - _mean(z, w)[:, None], y - mean, w, total) + mean

    def _linear(self, penalty: Step, ridge: Array, z: Array, y: Array, w: Array, total: Array) -> Array:
        (name, *p), size = penalty, z.shape[2]
        zw = (z * w[..., None]).transpose(0, 2, 1)
        gram, push = np.matmul(zw, z), np.matmul(zw, y[..., None])
        if name in ("plain", "power"):
            return np.matmul(z, np.linalg.solve(gram + ridge[:, None, None] * np.eye(size), push))[..., 0]
        s, v = np.linalg.eigh(gram)
        s, a = np.maximum(s, 0), np.matmul(v.transpose(0, 2, 1), push)
        if name == "flow":
            keep = -np.expm1(-p[0] * s) / np.maximum(s, 1e-9)
        elif name == "freedom":
            low, high = np.full(len(s), -7.0), np.full(len(s), 9.0)
            for _ in range(26):
                middle = 0.5 * (low + high)
                more = (s / (s + np.exp(middle)[:, None])).sum(1) > p[0]
                low, high = np.where(more, middle, low), np.where(more, high, middle)
            keep = 1 / (s + np.exp(0.5 * (low + high))[:, None])
        else:
            each, along = 1 / (s[..., None] + RIDGES), np.matmul(z, v)
            f = np.matmul(along, a * each)
            left = y[..., None] - f
            lever = np.matmul(along**2, each) * w[..., None] + (w / total[:, None])[..., None]
            wrong = (w[..., None] * (left / np.maximum(1 - lever, 0.02)) ** 2).sum(1)
            return f[np.arange(len(s)), :, np.argmin(wrong, 1)]
        return np.matmul(z, np.matmul(v, a * keep[..., None]))[..., 0]


def _logistic(ridge: Array, z: Array, y: Array, w: Array) -> Array:
    """Half the log odds, after seven of Newton's steps."""
    size = z.shape[2]
    out = np.concatenate([z, np.ones((*z.shape[:2], 1))], 2)
    x, w, share = out[:, :TRAIN], w[:, :TRAIN], np.clip(0.5 * (1 + y[:, :TRAIN]), 0, 1)
    pull = np.concatenate([np.repeat(ridge[:, None], size, 1), np.full((len(z), 1), 1e-3)], 1)
    beta = np.zeros((len(z), size + 1, 1))
    for _ in range(7):
        p = 1 / (1 + np.exp(-np.clip(np.matmul(x, beta)[..., 0], -30, 30)))
        g = np.matmul(x.transpose(0, 2, 1), (w * (share - p))[..., None]) - pull[..., None] * beta
        h = np.matmul((x * (w * p * (1 - p))[..., None]).transpose(0, 2, 1), x) + pull[..., None] * np.eye(size + 1)
        beta = beta + np.linalg.solve(h, g)
    return 0.5 * np.clip(np.matmul(out, beta)[..., 0], -30, 30)


def _output(step: Step, f: Array, y: Array, u: Array) -> Array:
    (kind, *c), count = step, np.maximum(u.sum(1, keepdims=True), 1)

    def mean(v: Array) -> Array:
        return (u * v).sum(1, keepdims=True) / count

    if kind == "bounded":
        return c[0] * np.tanh(f / c[0])
    if kind == "centred":
        return f - mean(f)
    if kind == "unit":
        return f / np.sqrt(mean((f - mean(f)) ** 2) + 0.01)
    if kind == "prior":
        return f + c[0] * mean(y)
    if kind == "slope":
        fc, yc = f - mean(f), y - mean(y)
        return f * (u * fc * yc).sum(1, keepdims=True) / ((u * fc**2).sum(1, keepdims=True) + 1e-3)
    return f


# ---------------------------------------------------------------------- what the stored copy does not tell


def _hide(rng: np.random.Generator, table: Table, name: str) -> tuple:
    def some(low: int, high: int) -> tuple:
        return tuple(sorted(int(i) for i in rng.choice(TRAIN, int(rng.integers(low, high)), replace=False)))

    if name == "flipped":
        return some(4, 7)
    if name == "lost":
        return some(6, 10)
    if name == "soft":
        return tuple(np.round(rng.uniform(0.1, 1.0, TRAIN), 3))
    if name == "trust":
        return tuple(np.round(np.exp(rng.normal(0, 0.8, TRAIN)), 3))
    if name == "column":
        return tuple(np.round(0.7 * table.y + 0.8 * rng.normal(size=len(table.y)), 3))
    if name == "units":
        return int(rng.integers(5)), int(rng.integers(4)), float(np.exp(rng.choice([-1, 1]) * rng.uniform(0.7, 1.4)))
    return int(rng.integers(5)), int(rng.choice([-1, 1]))


def _seen(table: Table, masks: Array, hidden: dict[str, tuple]) -> Runs:
    """Runs on the table as it truly was."""
    x, y, trust = table.x.copy(), table.y.copy(), np.ones(len(table.x))
    masks = masks.copy()
    for name, value in hidden.items():
        if name == "flipped":
            y[list(value)] *= -1
        elif name == "lost":
            masks[:, list(value)] = 0
        elif name == "trust":
            trust[:TRAIN] = value
        elif name == "units":
            x[table.level == value[1], value[0]] *= value[2]
        elif name == "column":
            x = np.concatenate([x, np.array(value)[:, None]], 1)
    target = y.copy()
    if "soft" in hidden:
        target[:TRAIN] *= hidden["soft"]
    order = np.arange(len(x))
    if "order" in hidden:
        column, way = hidden["order"]
        key = x[:TRAIN, column]
        order[:TRAIN] = np.argsort(np.where(np.isnan(key), np.inf, way * key), kind="stable")
    seen = Table(x[order], table.flags[order], table.level[order], y[order])
    return Runs(seen, masks[:, order[:TRAIN]], target[order], trust[order])


def _spread(margins: Array) -> Array:
    """Deviation of asked margins from their mean by kind and test row, one number per kind."""
    each = margins.reshape(KINDS, EACH, TEST)
    return np.sqrt(np.mean((each - each.mean(1, keepdims=True)) ** 2, axis=(1, 2)))


def _differ(one: Array, two: Array) -> float:
    """Relative difference of asked margins, mean over kinds."""
    return float(np.mean(np.sqrt(np.mean((one - two).reshape(KINDS, -1) ** 2, axis=1)) / _spread(two)))


def _floor(table: Table, masks: Array, hidden: dict[str, tuple], pipe: Pipe, margins: Array, noise: float) -> float:
    """Error of somebody who knows everything but the many hidden numbers, where there are such, by linearisation at the truth."""
    least, sides = 0.02, table.y[TRAIN:]
    columns = []
    for name, size, sd in (("soft", 0.1, 0.26), ("trust", 0.1, 0.8), ("column", 0.1, 0.8)):
        for i in range(len(hidden.get(name, ()))):
            moved = list(hidden[name])
            moved[i] = moved[i] * np.exp(size) if name == "trust" else moved[i] + size
            changed = _seen(table, masks, hidden | {name: tuple(moved)}).scores(pipe) * sides - margins
            columns.append(changed * (sd / size))
    if not columns:
        return least
    slope = np.array(columns).transpose(1, 2, 0)
    told = slope[:RECORDS].reshape(-1, len(columns))
    left = np.linalg.inv(told.T @ told / noise**2 + np.eye(len(columns)))
    asked = slope[RECORDS:]
    wrong = np.einsum("rti,ij,rtj->rt", asked, left, asked).reshape(KINDS, -1).mean(1)
    return float(np.clip(0.8 * np.mean(np.sqrt(wrong) / _spread(margins[RECORDS:])), least, 0.3))


# ---------------------------------------------------------------------- worlds


@dataclass
class Decks:
    """Where stages, members and hidden things are dealt from: shuffled, used up, shuffled again."""

    rng: np.random.Generator
    open: dict[str, Iterator[int]] = field(default_factory=dict)

    def _endless(self, size: int) -> Iterator[int]:
        while True:
            yield from (int(at) for at in self.rng.permutation(size))

    def one(self, name: str, members: tuple[str, ...]) -> str:
        """The next card of a deck."""
        return members[next(self.open.setdefault(name, self._endless(len(members))))]


def _deal(decks: Decks, stratum: int) -> tuple[dict[str, str], list[str]]:
    """(member by stage, hidden things) of a world."""
    plan, stages, hidden = PLANS[stratum - 1], {}, []
    families = tuple(HIDDEN)
    for family in plan.hidden:
        while family == "any" or any(name in HIDDEN[family] for name in hidden):
            family = decks.one("families", families)
        hidden.append(decks.one(f"hidden {family}", HIDDEN[family]))
    for group in plan.stages:
        slot = decks.one(" ".join(group), group)
        while slot in stages:
            slot = decks.one(" ".join(group), group)
        stages[slot] = decks.one(slot, tuple(MEMBERS[slot]))
    return stages, hidden


def legal(stages: dict[str, str], hidden: list[str]) -> bool:
    """Whether these go together."""
    model, penalty = stages.get("model", "ridge"), stages.get("penalty", "plain")
    if model in ("smooth", "neighbours", "passes") and penalty != "plain":
        return False
    if model in ("kernel", "kernel median", "logistic") and penalty not in ("plain", "power"):
        return False
    if model in ("squares", "products") and stages.get("select") == "principal":
        return False
    return "order" not in hidden or any(stage in ORDERED for stage in stages.items())


def _constant(rng: np.random.Generator, kind: str, low: float, high: float) -> float:
    if kind == "int":
        return int(rng.integers(low, high + 1))
    if kind == "even":
        return round(float(rng.uniform(low, high)), 3)
    return round(float(np.exp(rng.uniform(np.log(low), np.log(high)))), 4)


def _try(rng: np.random.Generator, stages: dict[str, str], names: list[str]) -> tuple[dict[str, Array], dict[str, Array]] | None:
    """(record, truth) of one world without its stratum, or None where something does not matter."""
    table, group = _table(rng)
    masks, sides = _subsets(rng, table, group), table.y[TRAIN:]
    pipe = PLAIN | {"penalty": ("plain", _constant(rng, *RIDGE))}
    pipe |= {slot: (name, *(_constant(rng, *spec) for spec in MEMBERS[slot][name])) for slot, name in stages.items()}
    hidden = {name: _hide(rng, table, name) for name in names}
    runs = _seen(table, masks, hidden)
    margins = runs.scores(pipe) * sides
    spread = np.sqrt(np.mean((margins[:RECORDS] - margins[:RECORDS].mean(0)) ** 2))
    asked = _spread(margins[RECORDS:])
    if spread < 0.05 or asked.min() < 0.25 * spread or asked.max() > 4 * spread:
        return None

    def near(scores: Array, least: float) -> bool:
        other = scores * sides
        recorded = np.sqrt(np.mean((other - margins)[:RECORDS] ** 2)) / spread
        return bool(recorded < least or _differ(other[RECORDS:], margins[RECORDS:]) < least)

    if any(near(runs.scores(pipe | {slot: PLAIN[slot]}), 0.2) for slot in stages):
        return None
    for name in hidden:
        rest = {other: value for other, value in hidden.items() if other != name}
        if near(_seen(table, masks, rest).scores(pipe), 0.2):
            return None
    stored = _seen(table, masks, {})
    if any(near(stored.scores(PLAIN | {"penalty": ("plain", ridge)}), 0.4) for ridge in RIDGES):
        return None
    noise = round(float(NOISE * spread), 4)
    recorded = margins[:RECORDS] + noise * rng.normal(size=(RECORDS, TEST))
    record = {
        "numbers": table.x,
        "flags": table.flags.astype(np.int8),
        "level": table.level.astype(np.int8),
        "label": table.y.astype(np.int8),
        "subsets": masks[:RECORDS].astype(bool),
        "margins": np.round(recorded, 4) + 0.0,
        "noise": np.array(noise),
        "asked": masks[RECORDS:].astype(bool),
    }
    floor = _floor(table, masks, hidden, pipe, margins, noise)
    return record, {"margins": np.round(margins[RECORDS:], 4) + 0.0, "floor": np.array(round(floor, 4))}


def draw(decks: Decks, stratum: int) -> tuple[dict[str, Array], dict[str, Array]]:
    """One world of a stratum: up to twelve tables for each hand of cards."""
    while True:
        stages, hidden = _deal(decks, stratum)
        for _ in range(12 if legal(stages, hidden) else 0):
            made = _try(decks.rng, stages, hidden)
            if made is not None:
                return made


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 60 worlds, four per stratum, in a drawn order."""
    rng = np.random.default_rng([20220617, seed])
    decks = Decks(rng)
    made = [(stratum, *draw(decks, stratum)) for stratum in range(1, len(PLANS) + 1) for _ in range(WORLDS_PER_STRATUM)]
    for number, at in enumerate(rng.permutation(len(made))):
        stratum, record, answer = made[at]
        np.savez(data / f"world_{number:02d}.npz", **{name: np.array(array, order="C") for name, array in record.items()})
        np.savez(truth / f"world_{number:02d}.npz", **answer, stratum=np.array(stratum))
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
