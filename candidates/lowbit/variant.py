# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: small networks whose weights have hidden structure, put together from parts.

A matrix is a core (few numbers, or small integers), disguised (scales, orders, rotations), with something laid over it (low rank,
single entries, what only unseen inputs would show) and with noise. A stratum says which families a world draws from; members
are dealt from shuffled decks, so that each comes about equally often. The maker's own description of a world, written in the judge's language, gives its
budget and its floor.
"""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np

Array = np.ndarray


def _judge() -> ModuleType:
    """The language of descriptions, as the judge reads it."""
    spec = importlib.util.spec_from_file_location("lowbit_judge", Path(__file__).with_name("judge.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


judge = _judge()

WIDTH, EACH = 32, 4
"""Inputs of a network; worlds of a stratum."""
CALIBRATION, HIDDEN = 256, 384
NOISE = 0.012
"""Noise of fine-tuning, as a share of the weights' size."""
TARGET = 3e-4
"""Relative squared error of outputs that the maker allows for rounding."""
SLACK = 1.03
"""The budget, in units of what the maker's own description takes."""
FLOOR = 0.6
"""The floor, in units of the error of the maker's own description."""

PLAIN = {"grid": ("rows", "both"), "kron": ("rows", "both"), "circulant": ("rows", "both"), "codebook": ("rows", "both")}
"""Disguises under which a core can be found whatever is laid over it."""
WIDE = {
    "grid": ("rows", "both", "turned", "turned both"),
    "kron": ("rows", "both", "orders", "everything"),
    "circulant": ("rows", "both", "row order", "row order and scales"),
    "codebook": ("rows", "both", "column order", "column order and scales"),
}


@dataclass(frozen=True)
class Plan:
    """What the worlds of a stratum are drawn from."""

    carriers: tuple[str, ...]
    cores: tuple[str, ...]
    disguises: dict[str, tuple[str, ...]] = field(default_factory=lambda: PLAIN)
    additions: tuple[str, ...] = ("",)
    """What is laid over, parts joined by `+`."""


ANY = ("grid", "kron", "circulant", "codebook")
PLANS = (
    Plan(("layer",), ("grid",)),
    Plan(("layer",), ("grid",), {"grid": ("turned", "turned both")}),
    Plan(("layer",), ("kron",), WIDE),
    Plan(("layer",), ("circulant", "fine circulant"), WIDE),
    Plan(("layer",), ("codebook", "fine codebook"), WIDE),
    Plan(("layer",), ("grid",), additions=("lowrank", "adapter", "sparse", "null")),
    Plan(("layer",), ("kron", "circulant"), additions=("lowrank", "sparse", "null")),
    Plan(("layer",), ("kron", "codebook"), {"kron": ("orders", "everything"), "codebook": ("column order", "column order and scales")}, ("sparse",)),
    Plan(("layer",), ("grid",), {"grid": ("turned", "turned both")}, ("lowrank", "adapter", "sparse", "null")),
    Plan(("layer",), ("codebook", "fine circulant"), additions=("lowrank", "adapter", "null")),
    Plan(("pair",), ANY, WIDE),
    Plan(("relu", "tanh"), ANY, {**PLAIN, "circulant": ("rows", "row order and scales")}),
    Plan(("tied",), ANY, additions=("", "null")),
    Plan(("pair",), ("fine circulant", "grid", "codebook", "kron"), additions=("lowrank", "sparse", "adapter")),
    Plan(("layer", "relu"), ANY, additions=("lowrank+sparse", "null+sparse", "null+lowrank", "adapter+null")),
)


class Draft(judge.Reader):
    """A description in the making, whose numbers are still real; nodes are evaluated as they are added."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[list] = []

    def put(self, *node: object) -> int:
        """Add a node; its number."""
        self.read(list(node))
        self.nodes.append(list(node))
        return len(self.nodes) - 1

    def real(self, values: Array) -> int:
        """Add an array of numbers that are to be rounded in the end."""
        return self.put("real", np.asarray(values, float))

    def _make_real(self, what, values):  # type: ignore[no-untyped-def]
        return np.array(values)

    def values_with(self, changed: dict[int, Array], weights: list[int]) -> list[Array]:
        """Weight matrices with some of the numbers replaced."""
        other = Draft()
        for at, node in enumerate(self.nodes):
            other.read(["real", changed[at]] if at in changed else node)
        return [other.made[at] for at in weights]

    def rounded(self, steps: dict[int, float], weights: list[int]) -> dict:
        """The description with every number a multiple of its step."""
        nodes = []
        for at, node in enumerate(self.nodes):
            if node[0] == "real":
                step = float(np.float16(steps[at]))
                codes = np.clip(np.round(node[1] / step), -judge.MOST_CODE, judge.MOST_CODE).astype(int)
                nodes.append(["ints", *node[1].shape, step, codes.ravel().tolist()])
            else:
                nodes.append(node)
        return {"nodes": nodes, "weights": weights}


def _scales(rng: np.random.Generator, size: int, signed: bool = True) -> Array:
    return np.exp(rng.normal(0, 0.45, size)) * (rng.choice([-1, 1], size) if signed else 1)


def _divisor(rng: np.random.Generator, size: int) -> int:
    return int(rng.choice([part for part in range(3, size // 3 + 1) if size % part == 0]))


def _whole_numbers(rng: np.random.Generator, draft: Draft, rows: int, columns: int, narrow: bool = True) -> int:
    """Small integers, zero the commonest; narrow ones have three or five levels, others seven."""
    shares = [(0.5, 0.25), (0.6, 0.2), (0.7, 0.15), (0.5, 0.2, 0.05)][int(rng.integers(4))] if narrow else (0.2, 0.18, 0.14, 0.08)
    signed = np.array([*shares[:0:-1], *shares])
    codes = rng.choice(np.arange(len(signed)) - len(shares) + 1, (rows, columns), p=signed / signed.sum())
    return draft.put("ints", rows, columns, 1.0, codes.ravel().tolist())


def _core(rng: np.random.Generator, draft: Draft, kind: str, rows: int, columns: int) -> int:
    """A matrix with entries of about unit size that takes few bits to say."""
    if kind == "grid":
        return _whole_numbers(rng, draft, rows, columns)
    if kind == "kron":
        p, q = _divisor(rng, rows), _divisor(rng, columns)
        return draft.put("kron", draft.real(rng.normal(size=(p, q))), draft.real(rng.normal(size=(rows // p, columns // q))))
    if kind.endswith("circulant"):
        period = 4 if kind.startswith("fine") else int(rng.choice([4, 8]))
        size = (rows // period, columns)
        base = _whole_numbers(rng, draft, *size, narrow=False) if kind.startswith("fine") else draft.real(rng.normal(size=size))
        return draft.put("circulant", base, period)
    words, length = int(rng.choice([8, 12, 16])), 4
    book = _whole_numbers(rng, draft, words, length, narrow=False) if kind.startswith("fine") else draft.real(rng.normal(size=(words, length)))
    index = draft.put("index", words, rng.integers(0, words, rows * columns // length).tolist())
    return draft.put("reshape", draft.put("take", book, index), rows, columns)


def _turned_columns(draft: Draft, at: int, order: int) -> int:
    return draft.put("transpose", draft.put("take", draft.put("transpose", at), order))


def _disguised(rng: np.random.Generator, draft: Draft, at: int, disguise: str, signed: bool) -> int:
    """The matrix with scales and orders of rows and columns, or turned."""
    rows, columns = draft.made[at].shape
    if disguise.startswith("turned"):
        return _turned(rng, draft, at, "both" in disguise)
    if disguise in ("row order", "row order and scales", "orders", "everything"):
        at = draft.put("take", at, draft.put("order", rng.permutation(rows).tolist()))
    if disguise in ("column order", "column order and scales", "orders", "everything"):
        at = _turned_columns(draft, at, draft.put("order", rng.permutation(columns).tolist()))
    if disguise in ("rows", "both", "everything", "row order and scales", "column order and scales"):
        at = draft.put("times", at, draft.real(_scales(rng, rows, signed)[:, None]))
    if disguise in ("both", "everything"):
        at = draft.put("times", at, draft.real(_scales(rng, columns, signed=False)[None, :]))
    return at


def _turned(rng: np.random.Generator, draft: Draft, at: int, both: bool) -> int:
    """Scaled on one side, then turned on the other by a fixed rotation, and perhaps scaled there again."""
    flipped = bool(rng.integers(2))
    if flipped:
        at = draft.put("transpose", at)
    rows, columns = draft.made[at].shape
    at = draft.put("times", at, draft.real(_scales(rng, rows)[:, None]))
    name = str(rng.choice(["hadamard", "dct"]))
    if columns & (columns - 1) == 0 and rng.integers(2):
        turn = draft.put(name, columns)
    else:
        turn = draft.put("kron", draft.put("eye", columns // 8), draft.put(name, 8))
    if rng.integers(2) and name == "dct":
        turn = draft.put("transpose", turn)
    at = draft.put("matmul", at, turn)
    if both:
        at = draft.put("times", at, draft.real(_scales(rng, columns, signed=False)[None, :]))
    return draft.put("transpose", at) if flipped else at


def _added(rng: np.random.Generator, draft: Draft, at: int, addition: str) -> int:
    """The matrix with something laid over it that a description has to say."""
    rows, columns = draft.made[at].shape
    size = float(np.sqrt((draft.made[at] ** 2).mean()))
    if addition == "lowrank":
        rank = int(rng.integers(1, 3))
        left = rng.normal(size=(rows, rank)) * size * rng.uniform(0.7, 1.2)
        return draft.put("add", at, draft.put("matmul", draft.real(left), draft.real(rng.normal(size=(rank, columns)))))
    if addition == "adapter":
        p, q = _divisor(rng, rows), _divisor(rng, columns)
        small = draft.real(rng.normal(size=(p, q)) * size * rng.uniform(0.8, 1.2))
        return draft.put("add", at, draft.put("kron", small, draft.real(rng.normal(size=(rows // p, columns // q)))))
    if addition == "sparse":
        count = int(rng.integers(12, 25))
        places = np.sort(rng.choice(rows * columns, count, replace=False)).tolist()
        values = draft.real((rng.choice([-1, 1], count) * rng.uniform(2, 5, count) * size)[:, None])
        return draft.put("add", at, draft.put("scatter", rows, columns, values, places))
    return at


@dataclass
class World:
    """A network and what is known of it."""

    weights: list[Array]
    biases: list[Array]
    activation: str
    inputs: Array
    """Calibration inputs, then hidden ones."""
    draft: Draft
    nodes: list[int]
    """Which nodes of the draft are the weights; those of the network itself have noise and unseen parts besides."""


def _inputs(rng: np.random.Generator, unseen: int) -> tuple[Array, Array]:
    """(inputs, orthonormal directions that no input has)."""
    basis = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))[0]
    spread = np.exp(rng.normal(0, 0.5, WIDTH - unseen))
    mixed = (rng.normal(size=(CALIBRATION + HIDDEN, WIDTH - unseen)) * spread) @ basis[:, unseen:].T
    loud = np.exp(rng.normal(0, 0.4, WIDTH))
    directions = np.linalg.qr(basis[:, :unseen] / loud[:, None])[0]
    return (mixed * loud).astype(np.float16).astype(float), directions


def _noisy(rng: np.random.Generator, matrix: Array) -> Array:
    return matrix + rng.normal(0, NOISE * np.sqrt((matrix**2).mean()), matrix.shape)


def _dead(rng: np.random.Generator, weights: list[Array], biases: list[Array], inputs: Array) -> None:
    """A few hidden units that no input reaches, with weights of any kind, in place."""
    units = rng.choice(len(biases[0]), int(rng.integers(3, 6)), replace=False)
    for matrix in (weights[0], weights[1].T):
        matrix[units] = rng.normal(0, 1.2 * np.sqrt((matrix**2).mean()), (len(units), matrix.shape[1]))
    biases[0][units] = -1.5 * np.abs(inputs @ weights[0][units].T).max(0)


def _world(rng: np.random.Generator, carrier: str, cores: list[str], disguises: list[str], addition: str) -> World:
    draft = Draft()
    parts = addition.split("+")
    inputs, unseen = _inputs(rng, int(rng.integers(2, 5)) if "null" in parts else 0)

    def matrix(which: int, rows: int, columns: int, added: list[str]) -> int:
        at = _core(rng, draft, cores[which], rows, columns)
        at = _disguised(rng, draft, at, disguises[which], "codebook" not in cores[which])
        for part in added:
            at = _added(rng, draft, at, part)
        return at

    tall = int(rng.choice([24, 32, 40]))
    if carrier == "layer":
        nodes = [matrix(0, tall, WIDTH, parts)]
    elif carrier == "pair":
        nodes = [matrix(0, WIDTH, WIDTH, parts), draft.put("eye", WIDTH)]
    elif carrier == "tied":
        first = matrix(0, WIDTH, WIDTH, [])
        second = draft.put("take", draft.put("transpose", first), draft.put("order", rng.permutation(WIDTH).tolist()))
        nodes = [first, draft.put("times", second, draft.real(_scales(rng, WIDTH)[None, :]))]
    else:
        over = int(rng.integers(2))
        nodes = [matrix(0, tall, WIDTH, parts if over == 0 else []), matrix(1, 24, tall, parts if over == 1 else [])]
    weights = [_noisy(rng, draft.made[at]) for at in nodes]
    if unseen.size:
        size = np.sqrt((weights[0] ** 2).mean() * WIDTH / unseen.shape[1]) * rng.uniform(0.7, 1.2)
        weights[0] = weights[0] + rng.normal(0, size, (len(weights[0]), unseen.shape[1])) @ unseen.T
    if carrier == "pair":
        turn = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))[0] * _scales(rng, WIDTH, signed=False)
        weights = [np.linalg.solve(turn, weights[0]), turn]
    activation = {"layer": "linear", "pair": "linear", "tied": "tanh"}.get(carrier, carrier)
    biases = [np.zeros(len(matrix)) for matrix in weights]
    if activation != "linear":
        reach = (inputs @ weights[0].T).std()
        if activation == "tanh":
            inputs = (inputs / reach).astype(np.float16).astype(float)
            reach = 1.0
        biases[0] = rng.normal(0, 0.4, len(weights[0])) * reach
        if activation == "relu":
            _dead(rng, weights, biases, inputs)
    return World(
        [matrix.astype(np.float32) for matrix in weights], [bias.astype(np.float32) for bias in biases], activation, inputs, draft, nodes
    )


def _distance(world: World, matrices: list[Array], x: Array, weights: list[Array] | None = None) -> float:
    biases = [bias.astype(float) for bias in world.biases]
    wanted = judge.outputs([matrix.astype(float) for matrix in weights or world.weights], biases, world.activation, x)
    return float(judge.distance(judge.outputs(matrices, biases, world.activation, x), wanted))


def _steps(rng: np.random.Generator, world: World) -> dict[int, float]:
    """Steps for the numbers of the draft: every number of it is to spoil the outputs equally."""
    x = world.inputs[:CALIBRATION]
    clean = [world.draft.made[at] for at in world.nodes]
    reals = {at: node[1] for at, node in enumerate(world.draft.nodes) if node[0] == "real"}
    count = sum(values.size for values in reals.values())
    steps = {}
    for at, values in reals.items():
        shift = 0.01 * np.sqrt((values**2).mean())
        spoilt = [
            _distance(world, world.draft.values_with({at: values + shift * rng.choice([-1, 1], values.shape)}, world.nodes), x, clean)
            for _ in range(3)
        ]
        steps[at] = float(np.sqrt(12 * TARGET * values.size / count / (np.mean(spoilt) / shift**2)))
    return steps


def _crude_at(world: World, share: float) -> tuple[list[Array], float]:
    """(matrices rounded to one step each, bits); `share` is the step in units of the matrix's size."""
    matrices, bits = [], 0.0
    for matrix in world.weights:
        step = share * float(np.sqrt((matrix**2).mean()))
        codes = np.clip(np.round(matrix / step), -judge.MOST_CODE, judge.MOST_CODE).astype(int)
        bits += judge.bits_of_codes(codes) + 44
        matrices.append(codes * step)
    return matrices, bits


def _crude(world: World, budget: int) -> float:
    """Error of rounding to the nearest at the finest step that the budget pays for."""
    low, high = 0.01, 30.0
    for _ in range(18):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if _crude_at(world, middle)[1] <= budget else (middle, high)
    return min(1.0, _distance(world, _crude_at(world, high)[0], world.inputs[CALIBRATION:]))


@dataclass
class Decks:
    """Where members of families are dealt from: shuffled, used up, shuffled again."""

    rng: np.random.Generator
    open: dict[str, Iterator[int]] = field(default_factory=dict)

    def _endless(self, size: int) -> Iterator[int]:
        while True:
            yield from (int(at) for at in self.rng.permutation(size))

    def one(self, name: str, members: tuple[str, ...]) -> str:
        """The next card of a deck."""
        return members[next(self.open.setdefault(name, self._endless(len(members))))]


def _drawn(rng: np.random.Generator, decks: Decks, stratum: int) -> tuple[World, dict[str, Array], dict[str, Array]]:
    plan = PLANS[stratum - 1]

    carrier = decks.one(f"carriers of {stratum}", plan.carriers)
    addition = decks.one(f"additions of {stratum}", plan.additions)
    cores = [decks.one(f"cores of {stratum}", plan.cores) for _ in range(1 + (carrier in ("relu", "tanh")))]
    disguises = []
    for core in cores:
        allowed = plan.disguises[core.split()[-1]]
        if core.startswith("fine"):
            # Scales of columns would hide that numbers are whole.
            allowed = tuple(name for name in allowed if name != "both")
        disguises.append(decks.one(f"disguises of {core} of {stratum}", allowed))
    world = _world(rng, carrier, cores, disguises, addition)
    told = world.draft.rounded(_steps(rng, world), world.nodes)
    matrices, bits = judge.read(told, [matrix.shape for matrix in world.weights])
    budget = int(np.ceil(SLACK * bits))
    floor = FLOOR * _distance(world, matrices, world.inputs[CALIBRATION:])
    crude = _crude(world, budget)
    record = {f"weights_{at}": matrix for at, matrix in enumerate(world.weights)}
    record |= {f"biases_{at}": bias for at, bias in enumerate(world.biases)}
    record |= {
        "activation": np.array(world.activation),
        "inputs": world.inputs[:CALIBRATION].astype(np.float16),
        "budget": np.array(budget),
    }
    answer = {
        "inputs": world.inputs[CALIBRATION:].astype(np.float16),
        "crude": np.array(round(crude, 5)),
        "floor": np.array(float(f"{floor:.3g}")),
        "stratum": np.array(stratum),
    }
    world.told, world.recipe = told, (carrier, cores, disguises, addition)  # type: ignore[attr-defined]
    return world, record, answer


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 60 worlds, four per stratum, in a drawn order."""
    rng = np.random.default_rng([20221031, seed])
    decks = Decks(rng)
    drawn = [_drawn(rng, decks, stratum) for stratum in range(1, len(PLANS) + 1) for _ in range(EACH)]
    for number, at in enumerate(rng.permutation(len(drawn))):
        _, record, answer = drawn[at]
        np.savez(data / f"world_{number:02d}.npz", **{name: np.ascontiguousarray(array) for name, array in record.items()})
        np.savez(truth / f"world_{number:02d}.npz", **answer)
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
