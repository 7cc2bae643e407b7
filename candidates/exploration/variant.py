# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: chains of rooms with gates between them, complicated, then compiled to anonymous tables.

A gate lets through while a small hidden machine is in the right state; the machine moves with what the agent does where. A stratum says which kinds of gate and which
complications are drawn; their places and constants are drawn too. What is written is the product of all machines as one table of states in random order, so that
neither data nor truth name any part.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

Array = np.ndarray

ACTIONS = 5
TOUCH = 4
"""The action that moves nothing; its number is drawn anew in each world."""
DISCOUNT = 0.98
PER_STRATUM = 3
STRATA: dict[int, tuple[list[list[str]], list[str], int]] = {
    1: ([["open"], ["open"]], ["slippery", "decoy", "shortcut"], 1500),
    2: ([["stubborn"], ["stubborn"]], ["decoy", "pit"], 1500),
    3: ([["key", "lever"], ["open"]], [], 1500),
    4: ([["dig"], ["open"]], ["decoy"], 1900),
    5: ([["clock"], ["open"]], [], 1500),
    6: ([["timer"], ["open"]], ["decoy"], 1900),
    7: ([["plate"], ["open"]], [], 1700),
    8: ([["order"], ["open"]], ["decoy"], 2000),
    9: ([["last"], ["open"]], [], 1500),
    10: ([["cue"], ["open"]], ["pit"], 1500),
    11: ([["curse"], ["open"]], ["decoy"], 1500),
    12: ([["key", "lever", "plate"], ["open"]], ["alias"], 2000),
    13: ([["key", "lever", "clock", "last"], ["open"]], ["dark"], 2000),
    14: ([["key", "lever", "last", "curse"], ["open"]], ["energy"], 2000),
    15: ([["key", "lever", "dig", "clock", "plate", "last", "cue", "curse"]] * 2, ["any"], 2700),
    16: ([["key", "lever", "dig", "timer", "order", "plate", "last", "curse", "stubborn"]] * 2, ["any", "decoy"], 3100),
}
"""Kinds of gate in a row, complications, and steps that the laboratory gives."""


@dataclass
class Machine:
    """A hidden state that moves with the cell that is left and the action that is taken there."""

    step: Array
    """(states, cells, actions): the next state."""
    start: int = 0


@dataclass
class Gate:
    cell: int
    action: int
    opens: Array
    """Probability of being let through, by the machine's state."""
    machine: int
    inside: int
    outside: int


@dataclass
class Plan:
    """A world before it is compiled."""

    moves: Array
    """(cells, actions): where each leads."""
    rooms: list[list[int]]
    starts: list[int]
    horizon: int
    machines: list[Machine] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    rewards: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Terminal cells: what they pay, and how often."""
    slip: Array = field(default_factory=lambda: np.zeros(0))
    special: set[int] = field(default_factory=set)
    """Cells that something depends on; they look like no other."""
    alias: dict[int, int] = field(default_factory=dict)
    dark: float = 0.0
    charger: int = -1
    charge: int = 0


def _room(rng: np.random.Generator, first: int) -> tuple[list[int], Array]:
    """Cells of one room and their moves in four directions; every cell can be reached from every other."""
    while True:
        height, width = [(3, 3), (2, 5), (3, 4), (3, 5), (4, 4)][rng.integers(5)]
        count = height * width
        grid = np.arange(count).reshape(height, width)
        moves = np.zeros((count, ACTIONS), int)
        moves[:, TOUCH] = np.arange(count)
        for row in range(height):
            for column in range(width):
                here, near = grid[row, column], []
                for action, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
                    inside = 0 <= row + down < height and 0 <= column + right < width
                    moves[here, action] = grid[row + down, column + right] if inside else -1
                    near += [moves[here, action]] if inside else []
                for action in range(4):
                    if moves[here, action] < 0:
                        moves[here, action] = here if rng.random() < 0.35 else rng.choice(near)
                    elif rng.random() < 0.12:
                        moves[here, action] = rng.integers(count)
        if (_distances(moves) < 99).all():
            return list(range(first, first + count)), moves + first


def _distances(moves: Array) -> Array:
    """Steps from each cell to each other one."""
    count = len(moves)
    steps = np.full((count, count), 99)
    np.fill_diagonal(steps, 0)
    for _ in range(count):
        for action in range(moves.shape[1]):
            steps = np.minimum(steps, 1 + steps[moves[:, action]])
    return steps


def _rooms(rng: np.random.Generator, count: int, spare: int) -> Plan:
    rooms, blocks, first = [], [], 0
    for _ in range(count):
        cells, moves = _room(rng, first)
        rooms.append(cells)
        blocks.append(moves)
        first += len(cells)
    extra = np.repeat(np.arange(first, first + spare)[:, None], ACTIONS, axis=1)
    plan = Plan(np.concatenate([*blocks, extra]), rooms, [0], 40 + 15 * count)
    plan.slip = np.full(first + spare, rng.uniform(0.04, 0.1))
    return plan


def _free(rng: np.random.Generator, plan: Plan, cells: list[int]) -> int:
    """A cell of these that nothing depends on yet; from now on something does."""
    left = [cell for cell in cells if cell not in plan.special]
    chosen = int(rng.choice(left if left else cells))
    plan.special.add(chosen)
    return chosen


def _machine(rng: np.random.Generator, plan: Plan, kind: str, cells: list[int], gate: int, action: int) -> tuple[Machine, Array]:
    """A machine of one kind that depends on some of `cells`, and how open its states hold the gate."""
    count = len(plan.moves)

    def still(states: int) -> Array:
        return np.broadcast_to(np.arange(states)[:, None, None], (states, count, ACTIONS)).copy()

    if kind in ("open", "stubborn"):
        return Machine(still(1)), np.array([1.0 if kind == "open" else rng.uniform(0.12, 0.3)])
    if kind == "clock":
        period = int(rng.integers(3, 8))
        opens = np.zeros(period)
        opens[rng.integers(period)] = 1
        if period > 5:
            opens[(np.argmax(opens) + 1) % period] = 1
        return Machine((still(period) + 1) % period), opens
    if kind == "last":
        arrivals = [a for a in range(4) if a != action and any(plan.moves[c, a] == gate for c in cells if c != gate)]
        wanted = int(rng.choice([TOUCH, *arrivals]))
        step = np.broadcast_to(np.arange(ACTIONS), (ACTIONS + 1, count, ACTIONS)) + 1
        return Machine(step.copy()), (np.arange(ACTIONS + 1) == wanted + 1).astype(float)
    where = _free(rng, plan, cells)
    if kind == "key" or kind == "curse":
        step = still(2)
        step[:, where] = 1
        return Machine(step), np.array([0.0, 1.0] if kind == "key" else [1.0, 0.0])
    if kind == "lever" or kind == "dig":
        times = 1 if kind == "lever" else int(rng.integers(2, 5))
        step = still(times + 1)
        step[:, where, TOUCH] = np.minimum(np.arange(times + 1) + 1, times)
        return Machine(step), (np.arange(times + 1) == times).astype(float)
    if kind == "timer":
        far = int(_distances(plan.moves)[where, gate])
        early = int(rng.integers(0, 4))
        late = max(far + int(rng.integers(2, 5)), early + 2)
        step = still(late + 1)
        step[1:] = np.r_[np.arange(2, late + 1), 0][:, None, None]
        step[:, where, TOUCH] = 1
        states = np.arange(late + 1)
        return Machine(step), ((states > early) & (states >= 1)).astype(float)
    if kind == "plate":
        step = still(2)
        step[:, where] = np.array([1, 0])[:, None]
        return Machine(step), np.array([0.0, 1.0])
    assert kind == "order"
    second = _free(rng, plan, cells)
    step = still(3)
    step[0, where], step[1, second] = 1, 2
    return Machine(step), np.array([0.0, 0.0, 1.0])


def _plan(rng: np.random.Generator, stratum: int) -> Plan:
    kinds, extras, _ = STRATA[stratum]
    drawn = [str(rng.choice(options)) for options in kinds]
    if kinds[-1] == ["open"]:
        drawn = [str(kind) for kind in rng.permutation(drawn)]
    elif len(kinds[0]) > 1:
        drawn = [str(kind) for kind in rng.choice(kinds[0], len(kinds), replace=False)]
    extras = [str(rng.choice(["slippery", "alias", "dark", "energy", "pit", "shortcut"])) if extra == "any" else extra for extra in extras]
    plan = _rooms(rng, len(kinds) + 1, 8)
    spare = list(range(len(plan.moves) - 8, len(plan.moves)))
    goal, pit = spare.pop(), spare.pop()
    plan.rewards = {goal: (1.0, 1.0), pit: (0.0, 1.0)}
    plan.starts = [_free(rng, plan, plan.rooms[0])]
    entry = plan.starts[0]
    for at, kind in enumerate(drawn):
        far = _distances(plan.moves)[entry]
        cells = [cell for cell in plan.rooms[at] if far[cell] >= 2 and cell not in plan.special] or [c for c in plan.rooms[at] if c != entry]
        gate = _free(rng, plan, cells)
        inside = _free(rng, plan, plan.rooms[at + 1])
        action = int(rng.integers(4))
        known = [cell for room in plan.rooms[: at + 1] for cell in room] if rng.random() < 0.3 else plan.rooms[at]
        if kind == "cue":
            _cue(rng, plan, gate, inside, pit, [spare.pop() for _ in range(int(rng.integers(2, 4)))])
        else:
            machine, opens = _machine(rng, plan, kind, known, gate, action)
            thrown = kind == "clock" or (kind in ("last", "plate") and rng.random() < 0.5)
            plan.machines.append(machine)
            plan.gates.append(Gate(gate, action, opens, len(plan.machines) - 1, inside, plan.starts[-1] if thrown else gate))
        back = int(rng.integers(4))
        plan.moves[inside, back] = gate
        entry = inside
    far = _distances(plan.moves)[entry]
    last = [cell for cell in plan.rooms[-1] if far[cell] >= 2 and cell not in plan.special]
    plan.moves[_free(rng, plan, last or plan.rooms[-1]), int(rng.integers(4))] = goal
    for extra in extras:
        _complicate(rng, plan, extra, spare, pit)
    return plan


def _cue(rng: np.random.Generator, plan: Plan, gate: int, inside: int, pit: int, cells: list[int]) -> None:
    """Several doors in one cell; what was seen first in the episode says which does not lead to an end."""
    count = len(plan.moves)
    step = np.broadcast_to(np.arange(len(cells) + 1)[:, None, None], (len(cells) + 1, count, ACTIONS)).copy()
    doors = rng.choice(4, len(cells), replace=False)
    for number, cell in enumerate(cells):
        plan.moves[cell] = plan.moves[plan.starts[-1]]
        step[:, cell] = number + 1
    plan.machines.append(Machine(step))
    for number, door in enumerate(doors):
        opens = (np.arange(len(cells) + 1) == number + 1).astype(float)
        plan.gates.append(Gate(gate, int(door), opens, len(plan.machines) - 1, inside, pit))
    plan.starts = [*cells, plan.starts[-1]]


def _complicate(rng: np.random.Generator, plan: Plan, extra: str, spare: list[int], pit: int) -> None:
    inner = [cell for room in plan.rooms for cell in room]
    plain = [cell for cell in inner if cell not in plan.special]
    if extra == "slippery":
        plan.slip[rng.permutation(inner)[: len(inner) // 2]] = rng.uniform(0.25, 0.45)
    if extra == "decoy":
        cell = spare.pop()
        plan.rewards[cell] = (float(rng.uniform(0.08, 0.2)), 1.0) if rng.random() < 0.5 else (float(rng.uniform(0.4, 1.0)), float(rng.uniform(0.1, 0.2)))
        _divert(rng, plan, [cell for cell in plan.rooms[0] if cell not in plan.special], cell)
    if extra == "pit":
        for _ in range(3):
            _divert(rng, plan, plain, pit)
    if extra == "shortcut":
        for _ in range(3):
            plan.moves[rng.choice(plain), TOUCH] = rng.choice(inner)
    if extra == "alias":
        order = list(rng.permutation(plain))
        for _ in range(min(4, len(order) // 2)):
            kept, merged = int(order.pop()), int(order.pop())
            plan.alias[merged] = kept
    if extra == "dark":
        plan.dark = float(rng.uniform(0.15, 0.3))
    if extra == "energy":
        plan.charger = _free(rng, plan, plan.rooms[0] if rng.random() < 0.6 else plan.rooms[1])
        plan.charge = int(rng.integers(13, 22))


def _divert(rng: np.random.Generator, plan: Plan, cells: list[int], to: int) -> None:
    """One move in one of the cells leads elsewhere; rooms stay connected."""
    gated = {(gate.cell, gate.action) for gate in plan.gates}
    inner = sum(len(room) for room in plan.rooms)
    for _ in range(30):
        cell, action = int(rng.choice(cells)), int(rng.integers(4))
        if (cell, action) in gated or plan.moves[cell, action] >= inner:
            continue
        before, plan.moves[cell, action] = plan.moves[cell, action], to
        if all((_distances(plan.moves)[np.ix_(room, room)] < 99).all() for room in plan.rooms):
            return
        plan.moves[cell, action] = before


@dataclass
class Tables:
    """A compiled world: what truth holds."""

    next: Array
    """(states, actions, outcomes)"""
    chance: Array
    """The probability of each outcome, same shape."""
    shows: Array
    """The observation of each state."""
    pays: Array
    """What arriving there pays, and how often: (states, 2)."""
    ends: Array
    starts: Array


def _compile(plan: Plan) -> Tables:
    """The product of the cells and all machines, cut down to what can be reached."""
    count = len(plan.moves)
    charges = max(plan.charge, 1)
    sizes = [len(machine.step) for machine in plan.machines] + [charges]
    parts = np.array(np.unravel_index(np.arange(np.prod(sizes)), sizes))
    total = parts.shape[1]
    after = np.zeros((total, count, ACTIONS), int)
    for size, part, machine in zip(sizes, parts, plan.machines, strict=False):
        after = after * size + machine.step[part]
    used = np.broadcast_to(np.minimum(parts[-1] + 1, charges - 1)[:, None, None], after.shape).copy()
    if plan.charge:
        used[:, plan.charger] = 0
    else:
        used[:] = 0
    after = after * charges + used
    through = np.broadcast_to(plan.moves, (total, count, ACTIONS)).copy()
    failing, opens = through.copy(), np.ones((total, count, ACTIONS))
    for gate in plan.gates:
        through[:, gate.cell, gate.action] = gate.inside
        failing[:, gate.cell, gate.action] = gate.outside
        opens[:, gate.cell, gate.action] = gate.opens[parts[gate.machine]]
    slipped = np.where(opens == 1, through, failing)
    if plan.charge:
        empty = (parts[-1] == charges - 1)[:, None, None] & (np.arange(count) != plan.charger)[None, :, None]
        dead = [cell for cell, (pays, _) in plan.rewards.items() if pays == 0][0]
        through, failing, slipped = (np.where(empty, dead, part) for part in (through, failing, slipped))
    slip = plan.slip[None, :, None]
    cells = np.stack([through, failing, *(np.broadcast_to(slipped[..., [a]], through.shape) for a in range(ACTIONS))], -1)
    chance = np.stack([(1 - slip) * opens, (1 - slip) * (1 - opens), *(np.broadcast_to(slip / ACTIONS, opens.shape) for _ in range(ACTIONS))], -1)
    begin = 0
    for size, machine in zip(sizes, plan.machines, strict=False):
        begin = begin * size + machine.start
    begin *= charges
    following = (cells * total + after[..., None]).transpose(1, 0, 2, 3).reshape(count * total, ACTIONS, -1)
    chance = chance.transpose(1, 0, 2, 3).reshape(following.shape)
    starts = np.array([cell * total + begin for cell in (plan.starts[:-1] or plan.starts)])
    ends = np.isin(np.arange(count * total) // total, list(plan.rewards))
    reached = np.zeros(count * total, bool)
    edge = starts
    while len(edge):
        reached[edge] = True
        onward = following[edge][~ends[edge]][chance[edge][~ends[edge]] > 0]
        edge = np.unique(onward[~reached[onward]])
    kept = np.flatnonzero(reached)
    number = np.zeros(count * total, int)
    number[kept] = np.arange(len(kept))
    pays = np.zeros((count, 2))
    for cell, paid in plan.rewards.items():
        pays[cell] = paid
    following = np.where(ends[kept][:, None, None], np.arange(len(kept))[:, None, None], number[following[kept]])
    return Tables(following, chance[kept], kept // total, pays[kept // total], ends[kept], number[starts])


def values(tables: Tables, horizon: int) -> tuple[float, float]:
    """Discounted return of the best policy that sees the state, and of random actions."""
    best = _solve(tables, horizon)[0]
    random = _follow(tables, np.full((len(best), ACTIONS), 1 / ACTIONS), horizon)
    return float(best[tables.starts].mean()), float(random[tables.starts].mean())


def _solve(tables: Tables, horizon: int) -> tuple[Array, Array]:
    """Values and actions of the best policy."""
    gain, live = np.where(tables.ends, tables.pays.prod(1), 0.0), ~tables.ends
    value, quality = np.zeros(len(gain)), np.zeros((live.sum(), ACTIONS))
    following, chance = tables.next[live], tables.chance[live]
    for _ in range(horizon):
        quality = ((gain + DISCOUNT * value)[following] * chance).sum(-1)
        value[live] = quality.max(axis=1)
    policy = np.zeros(len(gain), int)
    policy[live] = quality.argmax(axis=1)
    return value, policy


def _follow(tables: Tables, policy: Array, horizon: int) -> Array:
    """Values of a policy that gives every action a probability, (states, actions)."""
    gain, live = np.where(tables.ends, tables.pays.prod(1), 0.0), ~tables.ends
    chance = (tables.chance[live] * policy[live][..., None]).reshape(live.sum(), -1)
    following, value = tables.next[live].reshape(live.sum(), -1), np.zeros(len(gain))
    for _ in range(horizon):
        value[live] = ((gain + DISCOUNT * value)[following] * chance).sum(-1)
    return value


def _heedless(plan: Plan, tables: Tables) -> float:
    """What somebody earns who takes the shortest way as if every gate were open."""
    machine = Machine(np.zeros((1, len(plan.moves), ACTIONS), int))
    gates = [replace(gate, opens=np.ones(1), machine=0) for gate in plan.gates]
    easy = _compile(replace(plan, machines=[machine], gates=gates, charge=0))
    policy = np.zeros((len(plan.moves), ACTIONS))
    policy[:, 0] = 1
    policy[easy.shows] = np.eye(ACTIONS)[_solve(easy, plan.horizon)[1]]
    return float(_follow(tables, policy[tables.shows], plan.horizon)[tables.starts].mean())


def draw(rng: np.random.Generator, stratum: int) -> tuple[Plan, Tables, float, float]:
    """A world in which there is something to gain that random actions do not get."""
    while True:
        plan = _plan(rng, stratum)
        sizes = [len(machine.step) for machine in plan.machines] + [max(plan.charge, 1)]
        if np.prod(sizes) * len(plan.moves) > 9000:
            continue
        tables = _compile(plan)
        best, random = values(tables, plan.horizon)
        if 0.3 < best < 0.84 and random < (0.1 if stratum < 3 else 0.03):
            if stratum < 3 or _heedless(plan, tables) < (0.55 if stratum == 10 else 0.3) * best:
                return plan, tables, best, random


def make(seed: int, data: Path, truth: Path) -> None:
    """Write the worlds, three per stratum, in a drawn order."""
    rng = np.random.default_rng([20130606, seed])
    listed = []
    order = rng.permutation(np.repeat(np.array(list(STRATA)), PER_STRATUM))
    for at, stratum in enumerate(order):
        plan, tables, best, random = draw(rng, int(stratum))
        name = f"w{at:02d}"
        cells = np.unique([plan.alias.get(int(cell), int(cell)) for cell in tables.shows])
        sight = dict(zip(rng.permutation(cells).tolist(), range(1, len(cells) + 1), strict=True))
        states, actions = rng.permutation(len(tables.ends)), rng.permutation(ACTIONS)
        place = np.argsort(states)
        np.savez_compressed(
            truth / f"{name}.npz",
            next=place[tables.next[states][:, actions]].astype(np.int16),
            chance=tables.chance[states][:, actions].astype(np.float32),
            shows=np.array([sight[plan.alias.get(int(cell), int(cell))] for cell in tables.shows[states]], np.int16),
            pays=tables.pays[states],
            ends=tables.ends[states],
            starts=place[tables.starts],
            blank=np.array(plan.dark),
            best=np.array(best),
            random=np.array(random),
            stratum=np.array(stratum),
            seed=rng.integers(2**31, size=2),
        )
        steps = STRATA[int(stratum)][2]
        listed.append(dict(id=name, observations=len(cells) + 1, actions=ACTIONS, horizon=plan.horizon, discount=DISCOUNT, steps=steps))
    (data / "worlds.json").write_text(json.dumps({"worlds": listed}, indent=1) + "\n")
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
