# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: a hall with doors, six rewarded rooms behind them, and small hidden machines that decide what happens.

A machine's state moves with what is done where. Doors let through while one or two machines are in the right state; other machines turn moves about, light a signpost or
run out of fuel. A stratum says which kinds of machine its doors are dealt and which troubles lie over them; places and constants are drawn. What is written are tables of
anonymous machines.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray

ACTIONS, TASKS, PER_STRATUM = 5, 6, 4
STEPS = 1000
"""What the laboratory gives for learning, the same in all worlds so that it tells nothing of the stratum."""
DISCOUNT, HORIZON = 0.9, 50
SIMPLE = ["key", "curse", "lever", "dig", "toggle", "plate", "last", "clock"]
"""Kinds that may come in pairs, where a door wants both."""
MIXED = [*SIMPLE, "timer", "order", "context"]
TROUBLES = ["dark", "fuel", "tide", "mirror", "quiet", "stubborn", "slippery"]


@dataclass(frozen=True)
class Stratum:
    kinds: list[str]
    pairs: int = 0
    """Tasks whose door wants two conditions at once."""
    troubles: tuple[str, ...] = ()
    any: int = 0
    """Troubles dealt from all of them."""
    annexes: int = 0
    """Rooms of their own behind a door, with one of the tasks' doors inside."""


STRATA = {
    1: Stratum(["key", "curse", "lever"], troubles=("slippery",)),
    2: Stratum(["dig", "toggle", "lever"]),
    3: Stratum(["clock", "timer", "plate"]),
    4: Stratum(["order", "last"]),
    5: Stratum(["context", "key", "last"]),
    6: Stratum(SIMPLE, pairs=3),
    7: Stratum(MIXED, troubles=("dark",)),
    8: Stratum(MIXED, troubles=("fuel",)),
    9: Stratum(MIXED, troubles=("tide",)),
    10: Stratum(MIXED, troubles=("mirror",)),
    11: Stratum(MIXED, troubles=("quiet",)),
    12: Stratum(MIXED, troubles=("stubborn",)),
    13: Stratum(MIXED, annexes=2),
    14: Stratum(SIMPLE, pairs=2, any=1),
    15: Stratum(MIXED, pairs=1, any=1, annexes=2),
    16: Stratum(MIXED, pairs=1, any=2, annexes=1),
}


@dataclass
class Machine:
    """A hidden state that moves with the place that is left and the action that is chosen there."""

    step: Array
    """(states, places, actions): the next state."""
    first: Array
    """The chance of each state at the beginning of an episode."""


@dataclass
class Door:
    place: int
    action: int
    inside: int
    outside: int
    """Where one gets while it is closed; -1 is nowhere."""
    task: int
    """The task whose room lies behind it, or -1 - annex."""
    conditions: list[tuple[int, Array]] = field(default_factory=list)
    """Machines, and how open each of their states holds the door."""


@dataclass
class World:
    moves: Array
    """(states of the sea's machine, places, actions): where each leads."""
    hall: list[int]
    annexes: list[list[int]]
    goals: list[int]
    pit: int
    start: int
    touch: int
    """The action that moves nothing."""
    machines: list[Machine] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    roles: dict[str, int] = field(default_factory=lambda: dict(sea=-1, hand=-1, context=-1, fuel=-1))
    """Machines that turn the moves about, exchange actions, light the signpost, and run out."""
    hand: Array = field(default_factory=lambda: np.arange(ACTIONS)[None])
    """(states of the hand's machine, actions): the action that is carried out."""
    sign: int = -1
    charger: int = -1
    slip: float = 0.0
    dark: float = 0.0
    quiet: bool = False
    used: set[int] = field(default_factory=set)
    """Places that something depends on."""

    def add(self, step: Array, first: int | Array = 0) -> int:
        chance = np.eye(len(step))[first] if isinstance(first, int) else first
        self.machines.append(Machine(step, chance))
        return len(self.machines) - 1


def _distances(moves: Array) -> Array:
    """Steps from each place to each other one, at most 99."""
    count = len(moves)
    steps = np.full((count, count), 99)
    np.fill_diagonal(steps, 0)
    for _ in range(count):
        for action in range(moves.shape[1]):
            steps = np.minimum(steps, 1 + steps[moves[:, action]])
    return steps


def _room(rng: np.random.Generator, shapes: list[tuple[int, int]], directions: Array, warps: float) -> Array:
    """Moves of one room as a grid with some odd ones; every place can be reached from every other."""
    while True:
        height, width = shapes[rng.integers(len(shapes))]
        count = height * width
        grid = np.arange(count).reshape(height, width)
        moves = np.repeat(np.arange(count)[:, None], ACTIONS, axis=1)
        for row in range(height):
            for column in range(width):
                for action, (down, right) in zip(directions, ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True):
                    if 0 <= row + down < height and 0 <= column + right < width:
                        odd = rng.random() < warps
                        moves[grid[row, column], action] = rng.integers(count) if odd else grid[row + down, column + right]
        if (_distances(moves) < 99).all():
            return moves


def _empty(rng: np.random.Generator, annexes: int) -> World:
    """Rooms without doors."""
    *directions, touch = (int(action) for action in rng.permutation(ACTIONS))
    blocks = [_room(rng, [(3, 4), (2, 6), (3, 5), (4, 4)], np.array(directions), 0.1)]
    blocks += [_room(rng, [(2, 2), (1, 3)], np.array(directions), 0.0) for _ in range(annexes)]
    rooms, first = [], 0
    for block in blocks:
        rooms.append(list(range(first, first + len(block))))
        first += len(block)
    moves = np.repeat(np.arange(first + TASKS + 1)[:, None], ACTIONS, axis=1)
    for room, block in zip(rooms, blocks, strict=True):
        moves[room] = block + room[0]
    start = int(rng.choice(rooms[0]))
    world = World(moves[None], rooms[0], rooms[1:], list(range(first, first + TASKS)), first + TASKS, start, touch)
    world.slip = round(float(rng.uniform(0.02, 0.05)), 3)
    world.used.add(start)
    return world


def _slot(rng: np.random.Generator, world: World, room: list[int]) -> tuple[int, int]:
    """A place of the room and an action there, for a door; a wall where there is one, so that ways stay as they are."""
    taken = {(door.place, door.action) for door in world.doors}
    crowd = [door.place for door in world.doors]
    pairs = [(p, a) for p in room for a in range(ACTIONS) if a != world.touch and (p, a) not in taken and crowd.count(p) < 2]
    walls = [(p, a) for p, a in pairs if (world.moves[:, p, a] == p).all()]
    if walls:
        return walls[rng.integers(len(walls))]
    for at in rng.permutation(len(pairs)):
        place, action = pairs[at]
        kept = world.moves.copy()
        world.moves[:, place, action] = place
        if all((_distances(moves[room] - room[0]) < 99).all() for moves in world.moves):
            return place, action
        world.moves = kept
    raise _Hopeless


class _Hopeless(Exception):
    """This world cannot be finished."""


def _free(rng: np.random.Generator, world: World, places: list[int]) -> int:
    left = [place for place in places if place not in world.used]
    return int(rng.choice(left if left else places))


def _condition(rng: np.random.Generator, world: World, kind: str, places: list[int], door: Door) -> tuple[Machine, Array, set[int]]:
    """A machine of one kind on some of `places`, how open its states hold the door, and the places it depends on."""
    count = world.moves.shape[1]

    def still(states: int) -> Array:
        return np.broadcast_to(np.arange(states)[:, None, None], (states, count, ACTIONS)).copy()

    def made(step: Array, opens: Array, used: set[int], first: int = 0) -> tuple[Machine, Array, set[int]]:
        return Machine(step, np.eye(len(step))[first]), opens.astype(float), used

    if kind == "clock":
        period = int(rng.integers(3, 6))
        return made((still(period) + 1) % period, np.eye(period)[rng.integers(period)], set())
    if kind == "last":
        wanted = int(rng.choice([action for action in range(ACTIONS) if action != door.action]))
        step = np.broadcast_to(np.arange(ACTIONS) == wanted, (2, count, ACTIONS)).astype(int)
        return made(step, np.array([0, 1]), set())
    where = _free(rng, world, [place for place in places if place != door.place])
    if kind in ("key", "curse"):
        step = still(2)
        step[:, where] = 1
        return made(step, np.array([0, 1] if kind == "key" else [1, 0]), {where})
    if kind in ("lever", "dig"):
        times = 1 if kind == "lever" else int(rng.integers(2, 4))
        step = still(times + 1)
        step[:, where, world.touch] = np.minimum(np.arange(times + 1) + 1, times)
        return made(step, np.arange(times + 1) == times, {where})
    if kind == "toggle":
        step = still(2)
        step[:, where, world.touch] = [1, 0]
        return made(step, np.array([0, 1]), {where})
    if kind == "plate":
        step = still(2)
        step[:, where] = np.array([1, 0])[:, None]
        return made(step, np.array([0, 1]), {where})
    if kind == "timer":
        far = int(_distances(world.moves[0])[where, door.place])
        early = int(rng.integers(0, 4))
        late = min(max(far + int(rng.integers(2, 5)), early + 2), 10)
        step = still(late + 1)
        step[1:] = np.r_[np.arange(2, late + 1), 0][:, None, None]
        step[:, where, world.touch] = 1
        return made(step, np.arange(late + 1) > early, {where})
    assert kind == "order"
    second = _free(rng, world, [place for place in places if place not in (door.place, where)])
    step = still(3)
    step[0, where], step[1, second] = 1, 2
    return made(step, np.arange(3) == 2, {where, second})


@dataclass
class Product:
    """One task as a table: the place and all machines that matter for it."""

    open: Array
    """(states, places, actions): where an action that is carried out leads if doors are open."""
    closed: Array
    chance: Array
    """That they are open."""
    after: Array
    """(states, places, actions): the machines' next state when an action is chosen."""
    begin: Array
    """Chance of each state at the beginning."""


LARGEST = 700


def _product(world: World, task: int, heedless: bool = False) -> Product:
    """With all doors on the way open and nothing turned about, if `heedless`."""
    count = world.moves.shape[1]
    way = [door for door in world.doors if door.task == task]
    way += [gate for gate in world.doors if gate.task < 0 and way[0].place in world.annexes[-1 - gate.task]]
    wanted = {machine for door in way for machine, _ in door.conditions} | {world.roles[role] for role in ("sea", "hand", "fuel")}
    kept = [] if heedless else sorted(wanted - {-1})
    sizes = [len(world.machines[machine].step) for machine in kept]
    total = int(np.prod(sizes, dtype=int))
    if total > LARGEST:
        raise _Hopeless
    parts = dict(zip(kept, np.unravel_index(np.arange(total), sizes), strict=True)) if kept else {}
    after, begin = np.zeros((total, count, ACTIONS), int), np.ones(total)
    for machine in kept:
        made = world.machines[machine]
        after = after * len(made.step) + made.step[parts[machine]]
        begin = begin * made.first[parts[machine]]
    zero = np.zeros(total, int)
    through = world.moves[parts.get(world.roles["sea"], zero)].copy()
    closed, chance = through.copy(), np.ones(through.shape)
    for door in world.doors:
        shut = door.outside if door.outside >= 0 else door.place
        closed[:, door.place, door.action] = through[:, door.place, door.action] = shut
        if door in way:
            through[:, door.place, door.action] = door.inside
            for machine, opens in door.conditions if not heedless else []:
                chance[:, door.place, door.action] *= opens[parts[machine]]
    done = world.hand[parts.get(world.roles["hand"], zero)][:, None, :].repeat(count, axis=1)
    through, closed, chance = (np.take_along_axis(table, done, axis=2) for table in (through, closed, chance))
    if world.roles["fuel"] in parts:
        empty = (parts[world.roles["fuel"]] == sizes[kept.index(world.roles["fuel"])] - 1)[:, None] & (np.arange(count) != world.charger)
        through[empty] = closed[empty] = world.pit
    return Product(through, closed, chance, after, begin)


def _iterate(product: Product, world: World, goal: int, policy: Array | None = None) -> tuple[Array, Array]:
    """Discounted chance of arriving at the goal by (state, place), and the actions: the best ones, or those of a policy over places."""
    total, count, _ = product.open.shape
    where = product.after[:, :, :, None] * count
    good, bad = where + product.open[:, :, None, :], where + product.closed[:, :, None, :]
    luck = (1 - world.slip) * np.eye(ACTIONS) + world.slip / ACTIONS
    chance = product.chance[:, :, None, :]
    value = np.zeros((total, count))
    chosen = np.zeros((total, count), int)
    for _ in range(HORIZON):
        worth = DISCOUNT * value
        worth[:, goal], worth[:, world.pit] = 1.0, 0.0
        worth = worth.ravel()
        each = chance * worth[good] + (1 - chance) * worth[bad]
        quality = (each * luck).sum(axis=3)
        chosen = quality.argmax(axis=2) if policy is None else np.broadcast_to(policy, chosen.shape)
        new = np.take_along_axis(quality, chosen[:, :, None], axis=2)[:, :, 0]
        if np.abs(new - value).max() < 1e-6:
            break
        value = new
    return value, chosen


def _worth(world: World, task: int) -> tuple[float, float]:
    """Of the best policy that sees everything, and of the shortest way taken as if all doors were open."""
    goal, product = world.goals[task], _product(world, task)
    best = _iterate(product, world, goal)[0]
    easy = _iterate(_product(world, task, heedless=True), world, goal)[1][0]
    naive = _iterate(product, world, goal, easy)[0]
    return float(product.begin @ best[:, world.start]), float(product.begin @ naive[:, world.start])


def _furnish(rng: np.random.Generator, world: World, task: int, kinds: list[str], room: list[int], inside: int) -> None:
    """Doors to a task's room (or, for a task below 0, to an annex), with conditions that matter and can be met."""
    machines, doors, used, moves = len(world.machines), len(world.doors), set(world.used), world.moves.copy()
    reach = world.hall if room == world.hall or rng.random() < 0.5 else [*world.hall, *room]
    for _ in range(60):
        del world.machines[machines:], world.doors[doors:]
        world.used, world.moves = set(used), moves.copy()
        if kinds == ["context"]:
            context = world.roles["context"]
            deadly = rng.random() < 0.7
            for value in range(len(world.machines[context].step)):
                place, action = _slot(rng, world, room)
                made = Door(place, action, inside, world.pit if deadly else -1, task)
                made.conditions.append((context, np.eye(len(world.machines[context].step))[value]))
                world.doors.append(made)
        else:
            place, action = _slot(rng, world, room)
            thrown = "clock" in kinds or (rng.random() < 0.25 and not world.quiet and place != world.start)
            if thrown and place == world.start:
                continue
            made = Door(place, action, inside, world.start if thrown else -1, task)
            for kind in kinds:
                machine, opens, on = _condition(rng, world, kind, reach, made)
                world.machines.append(machine)
                made.conditions.append((len(world.machines) - 1, opens))
                world.used |= on
            world.doors.append(made)
        world.moves[:, inside, [a for a in range(ACTIONS) if a != world.touch]] = world.doors[-1].place if task >= 0 else inside
        if task < 0:
            return
        best, naive = _worth(world, task)
        if 0.13 < best < 0.74 and naive < (0.6 if kinds == ["context"] else 0.3) * best:
            return
    raise _Hopeless


def _trouble(rng: np.random.Generator, world: World, trouble: str) -> None:
    """What lies over the whole world."""
    count = world.moves.shape[1]
    if trouble == "slippery":
        world.slip = round(float(rng.uniform(0.1, 0.18)), 3)
    if trouble == "dark":
        world.dark = round(float(rng.uniform(0.12, 0.25)), 3)
    if trouble == "quiet":
        world.quiet = True
    if trouble == "fuel":
        world.charger = _free(rng, world, world.hall)
        world.used.add(world.charger)
        charge = int(rng.integers(11, 17))
        step = np.broadcast_to(np.minimum(np.arange(charge) + 1, charge - 1)[:, None, None], (charge, count, ACTIONS)).copy()
        step[:, world.charger] = 0
        world.roles["fuel"] = world.add(step)
    if trouble == "tide":
        period = int(rng.integers(2, 4))
        turned = world.moves[0].copy()
        while (turned == world.moves[0]).all() or (_distances(turned[world.hall]) >= 99).any():
            turned = world.moves[0].copy()
            for place in world.hall:
                for action in range(ACTIONS):
                    if action != world.touch and turned[place, action] != place and rng.random() < 0.3:
                        turned[place, action] = rng.choice(world.hall)
        step = (np.broadcast_to(np.arange(period)[:, None, None], (period, count, ACTIONS)) + 1) % period
        world.moves = np.stack([world.moves[0]] * (period - 1) + [turned])
        world.roles["sea"] = world.add(step, int(rng.integers(period)))
    if trouble == "mirror":
        where = _free(rng, world, [place for place in world.hall if place != world.start])
        world.used.add(where)
        step = np.broadcast_to(np.arange(2)[:, None, None], (2, count, ACTIONS)).copy()
        if rng.random() < 0.5:
            step[:, where] = np.array([1, 0])[:, None]
        else:
            step[:, where, world.touch] = [1, 0]
        a, b, c, d = rng.permutation([action for action in range(ACTIONS) if action != world.touch])
        turned = np.arange(ACTIONS)
        turned[[a, b]] = b, a
        if rng.random() < 0.5:
            turned[[c, d]] = d, c
        world.hand = np.stack([np.arange(ACTIONS), turned])
        world.roles["hand"] = world.add(step)


def _build(rng: np.random.Generator, stratum: Stratum, kinds: list[list[str]], troubles: list[str]) -> World:
    world = _empty(rng, stratum.annexes)
    for trouble in troubles:
        _trouble(rng, world, trouble)
    if ["context"] in kinds:
        values = int(rng.integers(2, 4))
        still = np.broadcast_to(np.arange(values)[:, None, None], (values, world.moves.shape[1], ACTIONS)).copy()
        world.roles["context"] = world.add(still, np.full(values, 1 / values))
        world.sign = world.start if rng.random() < 0.3 else _free(rng, world, world.hall)
        world.used.add(world.sign)
    for number, annex in enumerate(world.annexes):
        _furnish(rng, world, -1 - number, [str(rng.choice(["key", "lever", "toggle", "plate", "last", "clock"]))], world.hall, annex[0])
        world.moves[:, annex[-1], world.doors[-1].action] = world.doors[-1].place
    for task, kind in enumerate(kinds):
        inner = task < len(world.annexes)
        _furnish(rng, world, task, kind, world.annexes[task] if inner else world.hall, world.goals[task])
    if "stubborn" in troubles:
        for door in world.doors:
            if door.conditions[0][0] != world.roles["context"]:
                machine, opens = door.conditions[0]
                door.conditions[0] = (machine, np.round(opens * rng.uniform(0.35, 0.6), 3))
    return world


def _deal(rng: np.random.Generator, deck: list, count: int) -> list:
    """From shuffled decks, so that every seed has nearly the same mixture."""
    cards: list = []
    while len(cards) < count:
        cards += [deck[at] for at in rng.permutation(len(deck))]
    return cards[:count]


def _hands(rng: np.random.Generator, stratum: Stratum) -> list[tuple[list[list[str]], list[str]]]:
    """Kinds of doors and troubles for each world of a stratum."""
    singles = _deal(rng, stratum.kinds, PER_STRATUM * (TASKS - stratum.pairs))
    pairs = [[a, b] for at, a in enumerate(SIMPLE) for b in SIMPLE[at + 1 :]]
    double = _deal(rng, pairs, PER_STRATUM * stratum.pairs)
    extra = _deal(rng, TROUBLES, PER_STRATUM * stratum.any)
    found = []
    for at in range(PER_STRATUM):
        kinds = [[kind] for kind in singles[at :: PER_STRATUM]] + double[at :: PER_STRATUM]
        more = list(dict.fromkeys(extra[at :: PER_STRATUM]))
        if len(more) < stratum.any:
            more.append(str(rng.choice([trouble for trouble in TROUBLES if trouble not in more])))
        found.append(([kinds[at] for at in rng.permutation(TASKS)], [*stratum.troubles, *more]))
    return found


def _finish(rng: np.random.Generator, stratum: Stratum, kinds: list[list[str]], troubles: list[str]) -> tuple[World, Array]:
    while True:
        try:
            world = _build(rng, stratum, kinds, troubles)
            best = np.array([_worth(world, task)[0] for task in range(TASKS)])
        except _Hopeless:
            continue
        if (best > 0.1).all():
            return world, best


def _write(rng: np.random.Generator, world: World, best: Array, stratum: int, path: Path) -> int:
    """The truth of one world; gives the number of its observations."""
    count = world.moves.shape[1]
    contexts = len(world.machines[world.roles["context"]].step) if world.sign >= 0 else 1
    numbers = rng.permutation(count + contexts - 1) + 2
    shows = np.tile(numbers[:count], (contexts, 1))
    if world.sign >= 0:
        shows[1:, world.sign] = numbers[count:]
    order = rng.permutation(len(world.machines))
    machines = [world.machines[at] for at in order]
    place = np.r_[np.argsort(order), -1]
    states = max(len(machine.step) for machine in machines)
    step, first = np.zeros((len(machines), states, count, ACTIONS), np.int8), np.zeros((len(machines), states), np.float32)
    for at, machine in enumerate(machines):
        step[at, : len(machine.step)], first[at, : len(machine.step)] = machine.step, machine.first
    doors = [world.doors[at] for at in rng.permutation(len(world.doors))]
    conditions, opens = np.full((len(doors), 2), -1, np.int16), np.ones((len(doors), 2, states), np.float32)
    for at, door in enumerate(doors):
        for number, (machine, open) in enumerate(door.conditions):
            conditions[at, number], opens[at, number] = place[machine], 0.0
            opens[at, number, : len(open)] = open
    goals = rng.permutation(TASKS)
    np.savez_compressed(
        path,
        moves=np.ascontiguousarray(world.moves, np.int16),
        machine_step=step,
        machine_first=first,
        doors=np.array([[door.place, door.action, door.inside, door.outside] for door in doors], np.int16),
        conditions=conditions,
        opens=opens,
        roles=np.array([place[world.roles[role]] for role in ("sea", "hand", "context", "fuel")], np.int16),
        hand=np.ascontiguousarray(world.hand, np.int16),
        shows=np.ascontiguousarray(shows, np.int16),
        goals=np.array(world.goals, np.int16)[goals],
        best=np.round(best[goals], 6),
        single=np.array([world.start, world.pit, world.charger, int(world.quiet), stratum], np.int16),
        chances=np.array([world.slip, world.dark]),
        seed=rng.integers(2**31, size=2),
    )
    return int(count + contexts + 1)


def make(seed: int, data: Path, truth: Path) -> None:
    """Write the worlds, four per stratum, in a drawn order."""
    rng = np.random.default_rng([20130606, seed])
    drawn = [(number, *hand) for number, stratum in STRATA.items() for hand in _hands(rng, stratum)]
    listed = []
    for at, card in enumerate(rng.permutation(len(drawn))):
        number, kinds, troubles = drawn[card]
        world, best = _finish(rng, STRATA[number], kinds, troubles)
        name = f"w{at:02d}"
        observations = _write(rng, world, best, number, truth / f"{name}.npz")
        listed.append(
            dict(id=name, observations=observations, actions=ACTIONS, tasks=TASKS, horizon=HORIZON, discount=DISCOUNT, steps=STEPS)
        )
    (data / "worlds.json").write_text(json.dumps({"worlds": listed}, indent=1) + "\n")
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
