# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: parents branched off one small network, learned one skill each, and went through many hands since.

A parent is (ancestor as old as it was then) + its skill + noise; then it is rewritten (units, layers, activation, coordinates) and
its storage suffers. Wanted is the finished ancestor with every skill once. A stratum says which sorts of trouble a world has; which
parents they strike, of which kind and size they are, is drawn.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray
Net = list[list[Array]]
"""Three layers [weights (out, in), biases]."""

STRATA, EACH, PARENTS, TEST = 15, 4, 6, 400
SLOPE = 0.1
NOISE = 0.008
SIMPLE = ("entries", "entries", "grown")
"""Skills that can be told from an unfinished ancestor's drift, which is dense as products and new rows are."""


@dataclass
class Plan:
    """What a world has; a number is how many parents it strikes."""

    disguised: bool = True
    kinds: tuple[str, ...] = ("entries", "unit", "product", "grown")
    redundant: int = 0
    rewritten: int = 0
    shared: int = 0
    young: bool = False
    damaged: int = 0
    damages: int = 1
    inputs: int = 0
    outputs: int = 0
    foreign: int = 0


@dataclass
class Parent:
    """A network on its way: canonical layers, then whatever was made of them."""

    net: Net
    activations: list[str]
    kept: list[Array] = field(default_factory=list)
    """Per layer, which weights the skill made; those are never pruned."""


def plan(rng: np.random.Generator, stratum: int) -> Plan:
    """Trouble of a world of this stratum."""
    two = int(rng.integers(2, 4))
    if stratum == 1:
        return Plan(disguised=False, kinds=("entries", "unit"))
    if stratum == 2:
        return Plan(kinds=("entries", "unit"))
    if stratum == 3:
        return Plan(kinds=("product",))
    if stratum == 4:
        return Plan(kinds=("grown", "grown", "unit"))
    single = {
        5: {"redundant": 4},
        6: {"rewritten": 3},
        7: {"shared": two},
        8: {"young": True, "kinds": SIMPLE},
        9: {"damaged": 3},
        10: {"inputs": 2},
        11: {"outputs": 2, "foreign": 1},
    }
    if stratum in single:
        return Plan(**single[stratum])
    if stratum == 12:
        extra = [{"damaged": 3}, {"shared": two}, {"redundant": 4}][int(rng.integers(3))]
        return Plan(young=True, kinds=SIMPLE, **extra)
    if stratum == 13:
        return Plan(kinds=("grown", "unit", "product"), redundant=3, damaged=3, foreign=1)
    if stratum == 14:
        return Plan(inputs=2, outputs=2, redundant=3)
    pool: list[dict[str, int | bool | tuple[str, ...]]] = [
        {"redundant": 4},
        {"rewritten": 3},
        {"shared": two},
        {"young": True, "kinds": SIMPLE},
        {"damaged": 3, "damages": 2},
        {"inputs": 2},
        {"outputs": 2, "foreign": 1},
    ]
    drawn: dict[str, int | bool | tuple[str, ...]] = {}
    for at in rng.choice(len(pool), 4, replace=False):
        drawn.update(pool[int(at)])
    return Plan(**drawn)


def act(name: str, z: Array) -> Array:
    """An activation by name."""
    if name == "tanh":
        return np.tanh(z)
    if name == "leaky":
        return np.maximum(z, SLOPE * z)
    if name == "relu":
        return np.maximum(z, 0)
    if name == "sigmoid":
        return 1 / (1 + np.exp(-z))
    return z


def run(net: Net, activations: list[str], x: Array) -> Array:
    """Outputs of a network."""
    for (weights, biases), name in zip(net, activations, strict=True):
        x = act(name, x @ weights.T + biases)
    return x


def copied(net: Net) -> Net:
    return [[part.copy() for part in layer] for layer in net]


def added(net: Net, other: Net, factor: float = 1.0) -> Net:
    return [[a + factor * b for a, b in zip(one, two, strict=True)] for one, two in zip(net, other, strict=True)]


def rms(weights: Array) -> float:
    return float(np.sqrt((weights**2).mean()))


def ancestor(rng: np.random.Generator, sizes: list[int], gain: float) -> Net:
    """Random weights that keep the signal's size."""
    return [
        [rng.normal(0, (1.2, gain, 1.0)[at] / np.sqrt(sizes[at]), (sizes[at + 1], sizes[at])), rng.normal(0, 0.5, sizes[at + 1])]
        for at in range(3)
    ]


def skill(rng: np.random.Generator, base: Net, kind: str, layers: list[int], free: dict[int, list[int]]) -> Net:
    """What a skill adds to the ancestor: few weights, a unit learned anew, or a product of two vectors. Grown units come later."""
    delta = [[np.zeros_like(part) for part in layer] for layer in base]
    if kind == "entries":
        for at in layers:
            weights = base[at][0]
            count = max(2, round(0.07 * weights.size))
            chosen = rng.choice(weights.size, count, replace=False)
            delta[at][0].flat[chosen] = rng.choice([-1, 1], count) * rng.uniform(1.0, 2.2, count) * rms(weights)
    elif kind == "unit":
        at = int(rng.choice([layer for layer in layers if layer < 2]))
        for unit in [free[at].pop() for _ in range(2) if free[at]]:
            delta[at][0][unit] = rng.normal(0, 1.3 * rms(base[at][0]), base[at][0].shape[1]) - base[at][0][unit]
            delta[at][1][unit] = rng.normal(0, 0.5) - base[at][1][unit]
    elif kind == "product":
        at = int(rng.choice([layer for layer in layers if layer < 2]))
        left, right = rng.normal(size=base[at][0].shape[0]), rng.normal(size=base[at][0].shape[1])
        product = np.outer(left, right)
        delta[at][0] = product * rng.uniform(0.6, 0.9) * rms(base[at][0]) / rms(product)
    return delta


def grow(rng: np.random.Generator, net: Net, at: int, count: int, scales: tuple[float, float]) -> Net:
    """New hidden units at the end of layer `at`."""
    net = copied(net)
    net[at][0] = np.vstack([net[at][0], rng.normal(0, 1.3 * scales[0], (count, net[at][0].shape[1]))])
    net[at][1] = np.r_[net[at][1], rng.normal(0, 0.5, count)]
    net[at + 1][0] = np.hstack([net[at + 1][0], rng.normal(0, 1.5 * scales[1], (net[at + 1][0].shape[0], count))])
    return net


def reorder(rng: np.random.Generator, parent: Parent, at: int, activation: str, scaled: bool = True) -> None:
    """Hidden units of layer `at` in another order, each in another scale (or sign, where the activation is odd)."""
    units = len(parent.net[at][1])
    order = rng.permutation(units)
    factor = np.exp(rng.normal(0, 0.6, units)) if activation == "leaky" else rng.choice([-1.0, 1.0], units)
    if not scaled:
        factor = np.ones(units)
    parent.net[at][0] = (parent.net[at][0] * factor[:, None])[order]
    parent.net[at][1] = (parent.net[at][1] * factor)[order]
    parent.kept[at] = parent.kept[at][order]
    parent.net[at + 1][0] = (parent.net[at + 1][0] / factor)[:, order]
    parent.kept[at + 1] = parent.kept[at + 1][:, order]


def make_redundant(rng: np.random.Generator, parent: Parent, at: int, activation: str) -> None:
    """Units split in two, units that nothing listens to, units that are constant: the function stays."""
    (weights, biases), (out, shift) = parent.net[at], parent.net[at + 1]
    kept, kept_out = parent.kept[at], parent.kept[at + 1]
    for _ in range(int(rng.integers(2, 5))):
        kind = str(rng.choice(["split", "split", "idle", "constant"]))
        row, bias, column = rng.normal(0, rms(weights), weights.shape[1]), rng.normal(0, 0.5), rng.normal(0, rms(out), len(out))
        mask, mask_out = np.zeros(weights.shape[1], bool), np.zeros(len(out), bool)
        if kind == "split":
            unit, share = int(rng.integers(len(biases))), rng.uniform(0.2, 0.8)
            row, bias, column = weights[unit].copy(), biases[unit], out[:, unit] * share
            mask, mask_out = kept[unit], kept_out[:, unit]
            out = out.copy()
            out[:, unit] *= 1 - share
        elif kind == "idle":
            column = column * 0
        else:
            row, bias = row * 0, rng.choice([-1, 1]) * rng.uniform(0.5, 1.5)
            shift = shift - column * act(activation, np.array(bias))
        weights, biases, out = np.vstack([weights, row]), np.r_[biases, bias], np.column_stack([out, column])
        kept, kept_out = np.vstack([kept, mask]), np.column_stack([kept_out, mask_out])
    parent.net[at], parent.net[at + 1] = [weights, biases], [out, shift]
    parent.kept[at], parent.kept[at + 1] = kept, kept_out


def rewrite(rng: np.random.Generator, parent: Parent, activation: str) -> None:
    """The same function with another activation, or with one layer written as two."""
    if rng.random() < 0.5:
        at = int(rng.integers(1, 3))
        weights, biases = parent.net[at]
        inner = np.linalg.qr(rng.normal(size=(weights.shape[1],) * 2))[0] * np.exp(rng.normal(0, 0.3, weights.shape[1]))
        parent.net[at : at + 1] = [[np.linalg.inv(inner), rng.normal(0, 0.3, weights.shape[1])], [weights @ inner, biases]]
        parent.net[at + 1][1] = biases - parent.net[at + 1][0] @ parent.net[at][1]
        parent.activations.insert(at, "linear")
        return
    for at in (0, 1):
        (weights, biases), (out, shift) = parent.net[at], parent.net[at + 1]
        if activation == "tanh":
            parent.net[at], parent.net[at + 1] = [2 * weights, 2 * biases], [2 * out, shift - out.sum(1)]
            parent.activations[at] = "sigmoid"
        else:
            order = rng.permutation(2 * len(biases))
            factor = np.exp(rng.normal(0, 0.5, 2 * len(biases)))
            parent.net[at] = [(np.vstack([weights, -weights]) * factor[:, None])[order], (np.r_[biases, -biases] * factor)[order]]
            parent.net[at + 1] = [(np.hstack([out, -SLOPE * out]) / factor)[:, order], shift]
            parent.activations[at] = "relu"


def change_inputs(rng: np.random.Generator, parent: Parent) -> None:
    """The parent reads its inputs in another order, in other units, or turned."""
    weights, biases = parent.net[0]
    size, kind = weights.shape[1], int(rng.integers(3))
    if kind == 0:
        parent.net[0][0] = weights[:, rng.permutation(size)]
    elif kind == 1:
        parent.net[0] = [
            weights * rng.choice([-1, 1], size) * np.exp(rng.normal(0, 0.6, size)),
            biases + weights @ rng.normal(0, 0.5, size),
        ]
    else:
        parent.net[0][0] = weights @ np.linalg.qr(rng.normal(size=(size, size)))[0]
    parent.kept[0] = np.ones(parent.net[0][0].shape, bool)


def change_outputs(rng: np.random.Generator, parent: Parent) -> None:
    """The parent gives its outputs in another order and in other units."""
    weights, biases = parent.net[2]
    order = rng.permutation(len(biases))
    factor = rng.choice([-1, 1], len(biases)) * np.exp(rng.normal(0, 0.6, len(biases)))
    parent.net[2] = [(weights * factor[:, None])[order], (biases * factor + rng.normal(0, 1, len(biases)))[order]]
    parent.kept[2] = parent.kept[2][order]


def damage(rng: np.random.Generator, parent: Parent, kind: str) -> None:
    """Weights pruned, rounded, or with flipped bits."""
    for at, layer in enumerate(parent.net):
        weights = layer[0]
        if kind == "pruned":
            layer[0] = np.where((rng.random(weights.shape) < 0.3) & ~parent.kept[at], 0, weights)
        elif kind == "rounded":
            step = np.maximum(np.abs(weights).max(1, keepdims=True), 1e-9) / 31
            layer[0] = np.round(weights / step) * step
        else:
            hit = (rng.random(weights.shape) < 0.04) & ~parent.kept[at]
            factor = rng.choice([-1.0, 2.0**6, -(2.0**6), 2.0**-6], weights.shape)
            layer[0] = np.where(hit, weights * factor, weights)


@dataclass
class World:
    """Parents, what is wanted of them, and what a reader is told."""

    activation: str
    wanted: Net
    parents: list[Parent]
    ages: Array
    noise: float


def _skills(rng: np.random.Generator, made: Plan, base: Net, parents: int) -> list[tuple[str, Net, int]]:
    """Per parent: kind, what it adds to the weights, and the layer where units grow."""
    free = {at: list(rng.permutation(len(base[at][1]))) for at in (0, 1)}
    product_layer = int(rng.integers(2))
    found = []
    for at in range(parents):
        layers = [0, 1, 2]
        mapped_in, mapped_out = at < made.inputs, made.inputs <= at < made.inputs + made.outputs
        if mapped_in:
            layers.remove(0)
        if mapped_out:
            layers.remove(2)
        kinds = [kind for kind in made.kinds if not (kind == "product" and (mapped_in or mapped_out))]
        kind = str(rng.choice(kinds))
        if kind == "product" and len(made.kinds) == 1:
            layers = [product_layer]
        if kind == "unit" and mapped_out:
            layers = [0]  # a unit of the second layer would have nothing left by which it could be known
        grown = int(rng.integers(2))
        if mapped_in or mapped_out:
            grown = 1 if mapped_in else 0
        found.append((kind, skill(rng, base, kind, layers, free), grown))
    return found


def _matters(x: Array, wanted: Net, without: list[Net], activation: str) -> bool:
    names = [activation, activation, "linear"]
    y = run(wanted, names, x)
    errors = [np.sqrt(((run(net, names, x) - y) ** 2).mean(0) / y.var(0)).mean() for net in without]
    return bool(y.std(0).min() > 0.3 and min(errors) > 0.25)


def _draw(rng: np.random.Generator, made: Plan, activation: str) -> World | None:
    sizes = [int(rng.integers(6, 9)), int(rng.integers(11, 15)), int(rng.integers(10, 14)), int(rng.integers(3, 5))]
    finished = ancestor(rng, sizes, 1.8 if activation == "tanh" else 1.4)
    drift = [[0.7 * part for part in layer] for layer in ancestor(rng, sizes, 1.4)]
    ages = np.sort(rng.uniform(20, 60, PARENTS))[rng.permutation(PARENTS)]
    if made.young:
        ages = (np.linspace(1, 7, PARENTS) + rng.uniform(-0.3, 0.3, PARENTS))[rng.permutation(PARENTS)]
    youth = np.exp(-ages / rng.uniform(1.5, 3.0)) if made.young else np.zeros(PARENTS)
    skilled = PARENTS - made.foreign
    skills = _skills(rng, made, finished, skilled)
    givers = [at for at in rng.permutation(skilled).tolist() if skills[at][0] != "product"][: made.shared]
    takers = [at for at in rng.permutation(skilled).tolist() if at not in givers and skills[at][0] != "product"]
    shares = list(zip(givers, takers, strict=False))
    scales = [rms(layer[0]) for layer in finished]
    wanted = copied(finished)
    grown: dict[int, tuple[int, list[int]]] = {}
    for _, delta, _ in skills:
        wanted = added(wanted, delta)
    for at, (kind, _, layer) in enumerate(skills):
        if kind == "grown":
            first = len(wanted[layer][1])
            wanted = grow(rng, wanted, layer, 2, (scales[layer], scales[layer + 1]))
            grown[at] = (layer, [first, first + 1])
    owner = {0: np.full(len(wanted[0][1]), -1), 1: np.full(len(wanted[1][1]), -1)}
    for at, (layer, units) in grown.items():
        owner[layer][units] = at
    holders = [{at} | {taker for giver, taker in shares if giver == at} for at in range(skilled)]

    def assembled(skill_set: set[int], drifted: float) -> Net:
        """The ancestor with some of the skills, drift included, hidden units of other skills left out."""
        core = added(finished, drift, drifted)
        for one in skill_set:
            core = added(core, skills[one][1])
        full = copied(wanted)
        for layer in range(3):
            rows, columns = core[layer][0].shape
            full[layer][0][:rows, :columns] = core[layer][0]
            full[layer][1][:rows] = core[layer][1]
        keep = [np.isin(owner[layer], [-1, *skill_set]) for layer in (0, 1)]
        full[0] = [full[0][0][keep[0]], full[0][1][keep[0]]]
        full[1] = [full[1][0][keep[1]][:, keep[0]], full[1][1][keep[1]]]
        full[2][0] = full[2][0][:, keep[1]]
        return full

    # grown units of one skill do not listen to those of another
    apart = (owner[1][:, None] >= 0) & (owner[0][None, :] >= 0) & (owner[1][:, None] != owner[0][None, :])
    wanted[1][0][apart] = 0
    everything = set(range(skilled))
    without = [assembled(everything - {at}, 0.0) for at in range(skilled)]
    if not _matters(rng.normal(size=(300, sizes[0])), wanted, without, activation):
        return None
    parents = []
    noise = np.full(PARENTS, NOISE)
    for at in range(PARENTS):
        own = {one for one in range(skilled) if at in holders[one]}
        net = assembled(own, float(youth[at])) if at < skilled else ancestor(rng, sizes, 1.4)
        plain = assembled(set(), float(youth[at]))
        kept = []
        for layer in range(3):
            mask = np.ones(net[layer][0].shape, bool)
            rows, columns = plain[layer][0].shape
            if at < skilled:
                core = net[layer][0][:rows, :columns]
                dense = np.mean(core != plain[layer][0]) > 0.5
                mask[:rows, :columns] = (core != plain[layer][0]) & ~dense
            kept.append(mask)
        for layer in range(3):
            net[layer][0] = net[layer][0] + rng.normal(0, noise[at] * scales[layer], net[layer][0].shape)
            net[layer][1] = net[layer][1] + rng.normal(0, noise[at] * 0.5, net[layer][1].shape)
        parents.append(Parent(net, [activation, activation, "linear"], kept))
    return _hands(rng, made, World(activation, wanted, parents, ages, NOISE))


def _hands(rng: np.random.Generator, made: Plan, world: World) -> World:
    """What happens to the parents after training; who comes first in the list is drawn at the end."""
    redundant = set(rng.permutation(PARENTS)[: made.redundant].tolist())
    rewritten = set(rng.permutation(PARENTS)[: made.rewritten].tolist())
    damaged = rng.permutation(PARENTS)[: made.damaged].tolist()
    kinds = rng.permutation(["pruned", "rounded", "flipped"])[: made.damages]
    for at, parent in enumerate(world.parents):
        if at in redundant:
            for layer in (0, 1):
                make_redundant(rng, parent, layer, world.activation)
        if made.disguised:
            for layer in (0, 1):
                reorder(rng, parent, layer, world.activation)
        if at < made.inputs:
            change_inputs(rng, parent)
        elif at < made.inputs + made.outputs:
            change_outputs(rng, parent)
        if at in damaged:
            damage(rng, parent, str(kinds[damaged.index(at) % len(kinds)]))
        elif at in rewritten:
            rewrite(rng, parent, world.activation)
    order = rng.permutation(PARENTS)
    world.parents = [world.parents[int(at)] for at in order]
    world.ages = world.ages[order]
    return world


def floor_of(world: World, x: Array, y: Array) -> float:
    """Relative error of the wanted network with half of the noise on each of its weights, the mean of eight draws."""
    rng = np.random.default_rng(8)
    errors = []
    for _ in range(8):
        net = copied(world.wanted)
        for layer in net:
            layer[0] = layer[0] + rng.normal(0, 0.5 * world.noise * rms(layer[0]), layer[0].shape)
        other = run(net, [world.activation, world.activation, "linear"], x)
        errors.append(np.sqrt(((other - y) ** 2 / y.var(0)).mean()))
    return float(np.mean(errors))


def _plain(part: Array) -> Array:
    return np.ascontiguousarray(part + 0.0) if part.dtype.kind == "f" else part


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 60 worlds, four per stratum, in a drawn order."""
    rng = np.random.default_rng([20221209, seed])
    wanted = [(stratum, ("tanh", "leaky")[at % 2]) for stratum in range(1, STRATA + 1) for at in range(EACH)]
    for number, at in enumerate(rng.permutation(len(wanted))):
        stratum, activation = wanted[at]
        world = None
        while world is None:
            world = _draw(rng, plan(rng, stratum), activation)
        net = world.wanted
        sizes = [net[0][0].shape[1], len(net[0][1]), len(net[1][1]), len(net[2][1])]
        stored = {"activation": np.array(activation), "sizes": np.array(sizes), "ages": world.ages}
        for which, parent in enumerate(world.parents):
            stored[f"parent{which}_activations"] = np.array(parent.activations)
            for layer, (weights, biases) in enumerate(parent.net):
                stored[f"parent{which}_w{layer}"], stored[f"parent{which}_b{layer}"] = weights, biases
        # Neither the order in memory nor the sign of a zero may tell what was done to a parent.
        np.savez(data / f"world_{number:02d}.npz", **{name: _plain(part) for name, part in stored.items()})
        x = rng.normal(size=(TEST, sizes[0]))
        y = run(net, [activation, activation, "linear"], x)
        np.savez(
            truth / f"world_{number:02d}.npz",
            x=x,
            y=y,
            odd=np.array(int(activation == "tanh")),
            sizes=np.array(sizes),
            stratum=np.array(stratum),
            floor=np.array(floor_of(world, x, y)),
        )
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
