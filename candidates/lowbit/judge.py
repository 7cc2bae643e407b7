# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Skill of descriptions: how close networks decoded from short descriptions come to the originals on hidden inputs, on a logarithmic scale.

The first part is the language of descriptions, word for word that of the repository's `lowbit/language.py`.
"""

import math
from pathlib import Path

import numpy as np

from rexbench.evaluation.reading import BrokenContract, read_arrays, read_json, require

Array = np.ndarray

MOST_NODES, MOST_SIDE, MOST_SIZE, MOST_CODE = 100, 1024, 8192, 4095
OPERATION, REFERENCE, SIDE, STEP, CODER, BOUND = 5, 7, 10, 16, 2, 13
"""Bits for the name of an operation, a reference to a node, a length, a step, the choice of a coder, and a bound on codes."""
WIDTHS = 2.0 ** (np.arange(64) / 5 - 2)
"""Widths that the two bell-shaped coders may have; six bits say which."""
_CODES = np.arange(-MOST_CODE, MOST_CODE + 1)
_GAUSS = np.log2([np.exp(-((_CODES / width) ** 2) / 2).sum() for width in WIDTHS])
_LAPLACE = np.log2([np.exp(-np.abs(_CODES) / width).sum() for width in WIDTHS])
LARGEST = 1e6


class Malformed(ValueError):
    """A description that means nothing; the message says which node and why."""


def bits_of_codes(codes: Array) -> float:
    """Charge for integers: the cheapest of four coders (even, counted, Gauss, Laplace), with what the coder has to be told."""
    codes = np.asarray(codes).ravel()
    low, high = int(codes.min()), int(codes.max())
    span = high - low + 1
    counts = np.bincount((codes - low).astype(np.int64), minlength=span).astype(float)
    even = 2 * BOUND + len(codes) * math.log2(span)
    counted = 2 * BOUND + _counted(counts)
    squares, sizes = float((codes.astype(float) ** 2).sum()), float(np.abs(codes).sum())
    gauss = float(np.min(len(codes) * _GAUSS + squares / (2 * WIDTHS**2 * math.log(2)))) + 6
    laplace = float(np.min(len(codes) * _LAPLACE + sizes / (WIDTHS * math.log(2)))) + 6
    return CODER + min(even, counted, gauss, laplace)


def _counted(counts: Array) -> float:
    """Bits of a sequence with these counts under an adaptive coder (Krichevsky and Trofimov) that starts with half a count each."""
    total, symbols = float(counts.sum()), len(counts)
    seen = counts[counts > 0]
    gains = sum(math.lgamma(count + 0.5) - math.lgamma(0.5) for count in seen)
    return (math.lgamma(total + symbols / 2) - math.lgamma(symbols / 2) - gains) / math.log(2)


def bits_of_choice(size: int, count: int) -> float:
    """Charge for saying which `count` of `size` places are meant."""
    return (math.lgamma(size + 1) - math.lgamma(count + 1) - math.lgamma(size - count + 1)) / math.log(2)


def hadamard(size: int) -> Array:
    """The orthogonal matrix of Walsh and Hadamard in natural order; the size is a power of two."""
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix / math.sqrt(size)


def dct(size: int) -> Array:
    """The orthogonal cosine transform; rows are frequencies."""
    at = np.arange(size)
    matrix = np.cos(np.pi * at[:, None] * (at + 0.5) / size) * math.sqrt(2 / size)
    matrix[0] /= math.sqrt(2)
    return matrix


def circulant(array: Array, period: int) -> Array:
    """Each row becomes `period` rows: itself with its blocks of `period` entries turned by 0, 1, 2, ... places to the right."""
    rows, columns = array.shape
    blocks = array.reshape(rows, columns // period, period)
    turned = [np.roll(blocks, by, axis=2).reshape(rows, 1, columns) for by in range(period)]
    return np.concatenate(turned, axis=1).reshape(rows * period, columns)


def _check(condition: bool, what: str) -> None:
    if not condition:
        raise Malformed(what)


def _whole(value: object, low: int, high: int, what: str) -> int:
    _check(isinstance(value, int) and not isinstance(value, bool) and low <= value <= high, f"{what}: {value!r:.40} is no integer from {low} to {high}")
    return value  # type: ignore[return-value]


def _list(values: object, length: int | None, what: str) -> list:
    _check(isinstance(values, list) and 0 < len(values) <= MOST_SIZE, f"{what}: not a list of 1 to {MOST_SIZE} entries")
    _check(length is None or len(values) == length, f"{what}: {len(values)} entries, should be {length}")  # type: ignore[arg-type]
    return values  # type: ignore[return-value]


def _half(value: object, what: str) -> float:
    _check(isinstance(value, int | float) and not isinstance(value, bool), f"{what}: {value!r:.40} is no number")
    number = float(np.clip(float(value), -1e5, 1e5))  # type: ignore[arg-type]
    _check(math.isfinite(number) and abs(number) <= 65000, f"{what}: {number} is too large for 16 bits")
    return float(np.float16(number))


class Reader:
    """Reads nodes one after another; keeps their arrays and the bits that they cost."""

    def __init__(self) -> None:
        self.made: list[Array] = []
        self.bits = 0.0

    def _node(self, at: object, what: str, floating: bool = True) -> Array:
        array = self.made[_whole(at, 0, len(self.made) - 1, what)]
        self.bits += REFERENCE
        _check((array.dtype.kind == "f") == floating, f"{what}: node {at} is {'an index' if floating else 'no index'}")
        return array

    def _side(self, value: object, what: str) -> int:
        self.bits += SIDE
        return _whole(value, 1, MOST_SIDE, what)

    def read(self, node: object) -> None:
        """Append the array of one more node."""
        what = f"node {len(self.made)}"
        _check(isinstance(node, list) and len(node) >= 2 and isinstance(node[0], str), f"{what}: not a list that starts with an operation")
        name, *rest = node  # type: ignore[misc]
        what = f"{what} ({name:.12})"
        kind = getattr(self, f"_make_{name}", None) if name.isidentifier() else None
        _check(kind is not None, f"{what}: unknown operation")
        wanted = kind.__code__.co_argcount - 2  # type: ignore[union-attr]
        _check(len(rest) == wanted, f"{what}: {len(rest)} arguments, should be {wanted}")
        self.bits += OPERATION
        array = kind(what, *rest)  # type: ignore[misc]
        if array.dtype.kind == "f":
            _check(array.size <= MOST_SIZE and max(array.shape) <= MOST_SIDE, f"{what}: shape {array.shape} is too large")
            _check(bool(np.isfinite(array).all()) and float(np.abs(array).max()) <= LARGEST, f"{what}: entries beyond {LARGEST:g}")
        self.made.append(array)

    def _make_ints(self, what, rows, columns, step, codes):  # type: ignore[no-untyped-def]
        shape = (self._side(rows, what), self._side(columns, what))
        values = [_whole(code, -MOST_CODE, MOST_CODE, what) for code in _list(codes, shape[0] * shape[1], what)]
        array = np.array(values, dtype=np.int64)
        self.bits += STEP + bits_of_codes(array)
        return array.reshape(shape) * _half(step, what)

    def _make_halves(self, what, rows, columns, values):  # type: ignore[no-untyped-def]
        shape = (self._side(rows, what), self._side(columns, what))
        numbers = [_half(value, what) for value in _list(values, shape[0] * shape[1], what)]
        self.bits += 16 * len(numbers)
        return np.array(numbers).reshape(shape)

    def _make_index(self, what, size, values):  # type: ignore[no-untyped-def]
        size = self._side(size, what)
        values = [_whole(value, 0, size - 1, what) for value in _list(values, None, what)]
        counts = np.bincount(np.array(values), minlength=size).astype(float)
        self.bits += SIDE + CODER + min(len(values) * math.log2(size), _counted(counts))
        return np.array(values, dtype=np.int64)

    def _make_order(self, what, values):  # type: ignore[no-untyped-def]
        values = _list(values, None, what)
        values = [_whole(value, 0, len(values) - 1, what) for value in values]
        _check(len(values) <= MOST_SIDE and len(set(values)) == len(values), f"{what}: not an order of 0, 1, 2, ...")
        self.bits += SIDE + math.lgamma(len(values) + 1) / math.log(2)
        return np.array(values, dtype=np.int64)

    def _make_eye(self, what, size):  # type: ignore[no-untyped-def]
        size = self._side(size, what)
        _check(size * size <= MOST_SIZE, f"{what}: too large")
        return np.eye(size)

    def _make_hadamard(self, what, size):  # type: ignore[no-untyped-def]
        size = self._side(size, what)
        _check(size & (size - 1) == 0 and size * size <= MOST_SIZE, f"{what}: {size} is no power of two up to 64")
        return hadamard(size)

    def _make_dct(self, what, size):  # type: ignore[no-untyped-def]
        size = self._side(size, what)
        _check(size * size <= MOST_SIZE, f"{what}: too large")
        return dct(size)

    def _make_add(self, what, a, b):  # type: ignore[no-untyped-def]
        return self._broadcast(what, np.add, a, b)

    def _make_times(self, what, a, b):  # type: ignore[no-untyped-def]
        return self._broadcast(what, np.multiply, a, b)

    def _broadcast(self, what, combine, a, b):  # type: ignore[no-untyped-def]
        one, two = self._node(a, what), self._node(b, what)
        fits = all(s == t or 1 in (s, t) for s, t in zip(one.shape, two.shape, strict=True))
        _check(fits and max(one.shape[0], two.shape[0]) * max(one.shape[1], two.shape[1]) <= MOST_SIZE, f"{what}: {one.shape} and {two.shape}")
        return combine(one, two)

    def _make_matmul(self, what, a, b):  # type: ignore[no-untyped-def]
        one, two = self._node(a, what), self._node(b, what)
        _check(one.shape[1] == two.shape[0] and one.shape[0] * two.shape[1] <= MOST_SIZE, f"{what}: {one.shape} and {two.shape}")
        return one @ two

    def _make_kron(self, what, a, b):  # type: ignore[no-untyped-def]
        one, two = self._node(a, what), self._node(b, what)
        _check(one.size * two.size <= MOST_SIZE, f"{what}: {one.shape} and {two.shape}")
        return np.kron(one, two)

    def _make_transpose(self, what, a):  # type: ignore[no-untyped-def]
        return self._node(a, what).T

    def _make_reshape(self, what, a, rows, columns):  # type: ignore[no-untyped-def]
        array, shape = self._node(a, what), (self._side(rows, what), self._side(columns, what))
        _check(array.size == shape[0] * shape[1], f"{what}: {array.shape} to {shape}")
        return array.reshape(shape)

    def _make_stack(self, what, a, b):  # type: ignore[no-untyped-def]
        one, two = self._node(a, what), self._node(b, what)
        _check(one.shape[1] == two.shape[1], f"{what}: {one.shape} and {two.shape}")
        return np.concatenate([one, two])

    def _make_take(self, what, a, rows):  # type: ignore[no-untyped-def]
        array, index = self._node(a, what), self._node(rows, what, floating=False)
        _check(int(index.max()) < len(array) and len(index) * array.shape[1] <= MOST_SIZE, f"{what}: rows {index.max()} of {array.shape}")
        return array[index]

    def _make_circulant(self, what, a, period):  # type: ignore[no-untyped-def]
        array, period = self._node(a, what), self._side(period, what)
        _check(array.shape[1] % period == 0 and array.size * period <= MOST_SIZE, f"{what}: period {period} of {array.shape}")
        return circulant(array, period)

    def _make_scatter(self, what, rows, columns, values, places):  # type: ignore[no-untyped-def]
        shape = (self._side(rows, what), self._side(columns, what))
        size, array = shape[0] * shape[1], self._node(values, what)
        _check(size <= MOST_SIZE, f"{what}: too large")
        at = [_whole(place, 0, size - 1, what) for place in _list(places, array.size, what)]
        _check(all(low < high for low, high in zip(at, at[1:], strict=False)), f"{what}: places are not in rising order")
        self.bits += BOUND + bits_of_choice(size, len(at))
        full = np.zeros(size)
        full[at] = array.ravel()
        return full.reshape(shape)

    def _make_exp2(self, what, a):  # type: ignore[no-untyped-def]
        return 2.0 ** np.clip(self._node(a, what), -30, 19)

    def _make_inverse(self, what, a):  # type: ignore[no-untyped-def]
        array = self._node(a, what)
        _check(bool((np.abs(array) > 1e-6).all()), f"{what}: an entry is too close to zero")
        return 1 / array


def read(description: object, shapes: list[tuple[int, int]]) -> tuple[list[Array], float]:
    """(weight matrices, bits) of a description of matrices with these shapes."""
    _check(isinstance(description, dict) and set(description) == {"nodes", "weights"}, "not an object with nodes and weights")
    nodes, weights = description["nodes"], description["weights"]  # type: ignore[index]
    _check(isinstance(nodes, list) and 0 < len(nodes) <= MOST_NODES, f"not a list of 1 to {MOST_NODES} nodes")
    _check(isinstance(weights, list) and len(weights) == len(shapes), f"weights should name {len(shapes)} nodes")
    reader = Reader()
    for node in nodes:
        reader.read(node)
    matrices = [reader._node(at, "weights") for at in weights]
    for matrix, shape in zip(matrices, shapes, strict=True):
        _check(matrix.shape == shape, f"weights: shape {matrix.shape}, should be {shape}")
    return matrices, reader.bits


# ---- the figure ----


def outputs(weights: list[Array], biases: list[Array], activation: str, x: Array) -> Array:
    """What the network makes of inputs, one row each."""
    for at, (matrix, bias) in enumerate(zip(weights, biases, strict=True)):
        x = x @ matrix.T + bias
        if at < len(weights) - 1:
            x = np.maximum(x, 0) if activation == "relu" else np.tanh(x) if activation == "tanh" else x
    return x


def distance(shown: Array, wanted: Array) -> float:
    """Squared error of outputs in units of the variance of the wanted ones."""
    error = np.clip(shown, -1e6, 1e6) - wanted
    return float((error**2).sum() / ((wanted - wanted.mean(0)) ** 2).sum())


def skill(error: float, crude: float, floor: float) -> float:
    """0 for the error of crude rounding or more, 1 for the floor or less, even steps of the logarithm between."""
    return float(np.clip(math.log(max(error, 1e-12) / crude) / math.log(floor / crude), 0, 1))


def load_world(path: Path) -> tuple[list[Array], list[Array], str, int]:
    """(weights, biases, activation, budget) of a record."""
    stored = read_arrays(path, dtypes="fiU")
    layers = sum(name.startswith("weights") for name in stored)
    weights = [stored[f"weights_{at}"].astype(np.float64) for at in range(layers)]
    biases = [stored[f"biases_{at}"].astype(np.float64) for at in range(layers)]
    return weights, biases, str(stored["activation"]), int(stored["budget"])


def _skills(artefacts: Path, data: Path, truth: Path) -> dict[int, list[float]]:
    told = read_json(artefacts / "results" / "descriptions.json")
    names = [path.stem for path in sorted(truth.glob("world_*.npz"))]
    require(isinstance(told, dict) and sorted(told) == names, "descriptions.json: not an object with one description for each world")
    found: dict[int, list[float]] = {}
    for name in names:
        weights, biases, activation, budget = load_world(data / f"{name}.npz")
        hidden = read_arrays(truth / f"{name}.npz")
        try:
            matrices, bits = read(told[name], [matrix.shape for matrix in weights])
        except Malformed as defect:
            raise BrokenContract(f"descriptions.json: {name}: {defect}") from defect
        value = 0.0
        if bits <= budget:
            x = hidden["inputs"].astype(np.float64)
            wanted = outputs(weights, biases, activation, x)
            error = distance(outputs(matrices, biases, activation, x), wanted)
            value = skill(error, float(hidden["crude"]), float(hidden["floor"]))
        found.setdefault(int(hidden["stratum"]), []).append(value)
    return found


def strata(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """Skill by stratum."""
    found = _skills(artefacts, data, truth)
    return {f"group_{stratum:02d}": float(np.mean(found[stratum])) for stratum in sorted(found)}


def metrics(artefacts: Path, data: Path, truth: Path) -> dict[str, float]:
    """The mean over strata."""
    return {"skill": float(np.mean(list(strata(artefacts, data, truth).values())))}


def ceiling(data: Path, truth: Path) -> float:
    """What errors at the floor reach."""
    return 1.0
