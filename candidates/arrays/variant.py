# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: ten calls in a field, heard by six recorders, with troubles of several kinds laid over each other.

A stratum has slots; each slot deals its troubles from a shuffled deck over the worlds of the stratum, so that verdicts are alike.
Where and with which constants is drawn. Sounds are functions of time in closed form, so that every delay, however caused, is
exact. Worlds in which somebody who knows the troubles by name could not place the calls are drawn again. Truth holds positions,
strata and floors, and no trouble.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray
Sound = Callable[[Array], Array]
CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
SIDE = 20.0
"""Metres; the field is the square from 0 to this."""
RECORDERS, EVENTS, SAMPLES, RATE = 6, 10, 320, 1000.0
SESSION = 3600.0
SOUND = 343.0
WORLDS_PER_STRATUM = 4

TIMING = ("clocks", "drift", "restart", "wander")
PLACES = ("moved", "labels", "height")
AIR = ("air", "gradient")
SHAPE = ("rates", "response")
LIGHT = ("channels", "clicks", "hum")
BACKGROUND = ("source", "leak")
MIXED = ("source", "leak", "hum", "clicks")
PLAIN = ("moved", "labels", "air", "gradient")
STRATA: dict[int, tuple[tuple[str, ...], ...]] = {
    1: ((*TIMING, *PLACES, *AIR), LIGHT),
    2: (LIGHT, BACKGROUND),
    3: (("overlap",), LIGHT),
    4: (("flight",), LIGHT),
    5: (SHAPE, LIGHT),
    6: (TIMING, PLACES, LIGHT),
    7: (PLACES, AIR, MIXED),
    8: (TIMING, SHAPE, LIGHT),
    9: (PLAIN, SHAPE, BACKGROUND),
    10: (("flight",), TIMING, LIGHT),
    11: (("flight",), PLAIN, BACKGROUND),
    12: (("overlap",), TIMING, ("hum", "clicks")),
    13: (("overlap",), PLAIN, MIXED),
    14: (("echo",), ("labels", "moved", "air", "drift", "restart"), ("clicks", "hum", "leak")),
    15: (TIMING, PLACES, AIR, MIXED),
    16: (TIMING, PLAIN, SHAPE, MIXED),
}
"""Slots of each stratum; a world has one trouble from each."""
KINDS = (0, 0, 0, 1, 1, 1, 2, 2, 2, 3)
"""What calls are: noise, sweeps, voices, nearly pure tones; dealt over the events."""


@dataclass
class World:
    """One deployment and what goes wrong in it."""

    troubles: tuple[str, ...]
    stated: Array
    placed: Array
    times: Array
    temperatures: Array
    offsets: Array = field(default_factory=lambda: np.zeros((EVENTS, RECORDERS)))
    rates: Array = field(default_factory=lambda: np.zeros(RECORDERS))
    """How much faster than stated each recorder writes."""
    channel: Array = field(default_factory=lambda: np.arange(RECORDERS))
    sound: float = SOUND
    wind: Array = field(default_factory=lambda: np.zeros(2))
    gradient: Array = field(default_factory=lambda: np.zeros(2))
    """Relative change of slowness over ten metres."""
    gains: Array = field(default_factory=lambda: np.ones(RECORDERS))
    noise: Array = field(default_factory=lambda: np.ones(RECORDERS))
    resonances: list[tuple[int, float, float]] = field(default_factory=list)
    """Recorder, frequency and quality of all-pass responses."""
    leaks: list[tuple[int, int, float, int]] = field(default_factory=list)
    """Recorder, the one whose signal it also writes, how much of it, and how many samples late."""
    source: tuple[Array, float] | None = None
    """Where something hisses, and how loudly."""
    wall: tuple[Array, float, float] | None = None
    """Its normal, distance from the origin, and how much of it is heard where the animals are out of sight."""
    sight: Array = field(default_factory=lambda: np.ones(RECORDERS))
    """How much of the direct sound arrives."""


@dataclass(frozen=True)
class Caller:
    """An animal when it begins to call."""

    place: Array
    height: float
    velocity: Array


def _signs(rng: np.random.Generator, size: int | tuple[int, ...]) -> Array:
    return rng.choice([-1.0, 1.0], size)


def _call(rng: np.random.Generator, kind: int, length: float) -> Sound:
    """A call that starts at 0: noise, a sweep, a voice, or a nearly pure tone."""
    rise, fall = rng.uniform(0.08, 0.3), rng.uniform(0.3, 0.6)
    if kind == 0:
        low, high = rng.uniform(50, 120), rng.uniform(230, 420)
        tones = rng.uniform(low, high, 24)
        phases, sizes = rng.uniform(0, 2 * np.pi, 24), rng.rayleigh(1, 24)
        curve = np.zeros(24)
    elif kind == 1:
        start, stop = rng.permutation([rng.uniform(60, 150), rng.uniform(250, 420)])
        tones, phases, sizes = np.array([start]), rng.uniform(0, 2 * np.pi, 1), np.ones(1)
        curve = np.array([(stop - start) / length])
    elif kind == 2:
        pitch = rng.uniform(45, 110)
        count = int(400 // pitch)
        tones, phases = pitch * np.arange(1, count + 1), rng.uniform(0, 2 * np.pi, count)
        sizes, curve = rng.uniform(0.2, 1, count), pitch * rng.uniform(-0.3, 0.3) / length * np.arange(1, count + 1)
    else:
        tones, phases, sizes = np.array([rng.uniform(110, 330)]), rng.uniform(0, 2 * np.pi, 1), np.ones(1)
        curve = tones * rng.uniform(-0.2, 0.2) / length

    def sound(t: Array) -> Array:
        u = np.clip(t / length, 0, 1)
        envelope = np.minimum(u / rise, 1) ** 2 * np.minimum((1 - u) / fall, 1) ** 2
        phase = 2 * np.pi * (tones * t[..., None] + curve / 2 * t[..., None] ** 2) + phases
        return envelope * (sizes * np.cos(phase)).sum(-1)

    loud = float(np.sqrt(np.mean(sound(np.linspace(0, length, 400)) ** 2)))
    return lambda t: sound(t) / loud


def _hiss(rng: np.random.Generator) -> Sound:
    """Steady noise of a band, of unit size."""
    tones, phases = rng.uniform(60, 420, 140), rng.uniform(0, 2 * np.pi, 140)
    sizes = rng.rayleigh(1, 140)
    sizes = sizes / np.sqrt((sizes**2).sum() / 2)
    return lambda t: (sizes * np.cos(2 * np.pi * tones * t[..., None] + phases)).sum(-1)


def _spread_points(rng: np.random.Generator, count: int, apart: float, away: Array, clear: float) -> Array:
    found: list[Array] = []
    while len(found) < count:
        point = rng.uniform(0, SIDE, 2)
        if all(np.hypot(*(point - other)) > apart for other in found) and (
            not len(away) or np.hypot(*(away - point).T).min() > clear
        ):
            found.append(point)
    return np.array(found)


def _dealt(rng: np.random.Generator, stratum: int) -> list[tuple[str, ...]]:
    """Troubles of each world of a stratum: every slot deals whole shuffled decks."""
    columns = []
    for deck in STRATA[stratum]:
        drawn: list[str] = []
        while len(drawn) < WORLDS_PER_STRATUM:
            drawn += [str(name) for name in rng.permutation(list(deck))]
        columns.append(drawn[:WORLDS_PER_STRATUM])
    return list(zip(*columns, strict=True))


def _unit(rng: np.random.Generator) -> Array:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _deploy(rng: np.random.Generator, troubles: tuple[str, ...]) -> World:
    stated = _spread_points(rng, RECORDERS, 6.0, np.empty((0, 2)), 0)
    times = np.sort(rng.uniform(0, SESSION, EVENTS))
    day = 2 * np.pi * (times / rng.uniform(1800, 3000) + rng.uniform(0, 1))
    world = World(troubles, stated, stated.copy(), times, np.round(24 + rng.uniform(5, 9) * np.sin(day) + rng.normal(0, 0.5, EVENTS), 1))
    world.noise = world.noise * rng.uniform(0.22, 0.42)
    if "clocks" in troubles:
        world.offsets += rng.uniform(-0.02, 0.02, RECORDERS)
    if "drift" in troubles:
        world.offsets += np.outer(times / SESSION, rng.uniform(0.003, 0.025, RECORDERS) * _signs(rng, RECORDERS))
    if "wander" in troubles:
        warm = (world.temperatures - 24) / 10
        world.offsets += np.outer(warm, rng.uniform(0.003, 0.02, RECORDERS) * _signs(rng, RECORDERS))
    if "restart" in troubles:
        for recorder in rng.permutation(RECORDERS)[: rng.integers(1, 3)]:
            moment = rng.uniform(*times[[1, 8]])
            world.offsets[:, recorder] += (times > moment) * rng.uniform(0.004, 0.02) * _signs(rng, 1)
    if "moved" in troubles:
        for recorder in rng.permutation(RECORDERS)[: rng.integers(1, 3)]:
            world.placed[recorder] += rng.uniform(1.5, 5) * _unit(rng)
    if "air" in troubles:
        world.sound = SOUND + rng.uniform(6, 22) * _signs(rng, 1)[0]
        world.wind = rng.uniform(3, 15) * _unit(rng)
    if "gradient" in troubles:
        world.gradient = rng.uniform(0.05, 0.12) * _unit(rng)
    if "labels" in troubles:
        among = rng.permutation(RECORDERS)[: rng.integers(2, 4)]
        world.channel[among] = world.channel[np.roll(among, 1)]
    if "rates" in troubles:
        world.rates = rng.uniform(0.006, 0.03, RECORDERS) * _signs(rng, RECORDERS)
    if "response" in troubles:
        for recorder in rng.permutation(RECORDERS)[: rng.integers(2, 4)]:
            world.resonances.append((int(recorder), rng.uniform(90, 260), rng.uniform(0.7, 2.2)))
    if "channels" in troubles:
        world.gains = np.exp(rng.uniform(-1.2, 1.2, RECORDERS)) * _signs(rng, RECORDERS)
        world.noise = world.noise * np.exp(rng.uniform(-0.7, 0.7, RECORDERS)) * np.abs(world.gains)
        dead = int(rng.integers(RECORDERS))
        world.noise[dead] *= rng.choice([1.0, 4.0])
    if "leak" in troubles:
        order = rng.permutation(RECORDERS)
        for k in range(int(rng.integers(1, 4))):
            world.leaks.append((int(order[2 * k]), int(order[2 * k + 1]), rng.uniform(0.6, 1.1), int(rng.integers(2, 13))))
    if "source" in troubles:
        place = _spread_points(rng, 1, 0.0, world.placed, 3.0)[0]
        world.source = (place, rng.uniform(0.6, 1.1))
    if "echo" in troubles:
        normal = _unit(rng)
        edge = max(float(corner @ normal) for corner in SIDE * np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
        world.wall = (normal, edge + rng.uniform(-1.0, 5.0), rng.uniform(0.5, 0.9) * float(_signs(rng, 1)[0]))
        world.sight[rng.permutation(RECORDERS)[: rng.integers(1, 3)]] = rng.uniform(0.02, 0.1)
    return world


def _delay(world: World, points: Array, recorders: Array, height: Array | float) -> Array:
    """Travel time over the line of sight, with the wind and the slowness half way."""
    line = recorders - points
    distance = np.sqrt((line**2).sum(-1) + height**2)
    slower = 1 + ((recorders + points) / 2 - SIDE / 2) @ world.gradient / 10
    return distance * slower / (world.sound + (line @ world.wind) / distance)


def _heard(world: World, sound: Sound, start: float, caller: Caller, recorder: int, event: int) -> tuple[Array, Array, Array]:
    """What a recorder hears over its direct path and over the wall, without gain and noise; the direct part alone; its age."""
    t = np.arange(SAMPLES) / RATE / (1 + world.rates[recorder]) - world.offsets[event, recorder]
    parts, ages = [], []
    mirrors: list[Array | None] = [None] + ([world.wall[0]] if world.wall else [])
    for normal in mirrors:
        begin, speed, size = caller.place, caller.velocity, float(world.sight[recorder])
        if normal is not None and world.wall:
            begin = begin + 2 * (world.wall[1] - begin @ normal) * normal
            speed = speed - 2 * (speed @ normal) * normal
            size = world.wall[2] * (0.4 if world.sight[recorder] == 1 else 1)
        sent = t.copy()
        for _ in range(8 if np.any(speed) else 2):
            points = begin + speed * (sent - start)[:, None]
            sent = t - _delay(world, points, world.placed[recorder], caller.height)
        near = np.sqrt(((begin - world.placed[recorder]) ** 2).sum() + caller.height**2)
        parts.append(size * sound(sent - start) / np.sqrt(1 + near / 5))
        ages.append(np.clip(sent - start, 0, 0.15))
    whole = np.sum(parts, 0)
    for where, tone, quality in world.resonances:
        if where == recorder:
            ratio = np.fft.rfftfreq(2048, 1 / RATE) / tone
            around = (1 - ratio**2 - 1j * ratio / quality) / (1 - ratio**2 + 1j * ratio / quality)
            whole = np.fft.irfft(np.fft.rfft(whole, 2048) * around, 2048)[:SAMPLES]
    return whole, parts[0], ages[0]


def _sharpness(world: World, direct: Array, ages: Array) -> Array:
    """(3, recorders): what each recorder tells of its delay, per squared second, to somebody who knows the waveform; and the
    same times the age of the call and its square, for animals that move along."""
    told = np.gradient(direct, 1 / RATE, axis=1) ** 2 * ((world.gains / world.noise) ** 2)[:, None]
    return np.array([(told * ages**power).sum(1) for power in (0, 1, 2)])


def _slopes(world: World, caller: Caller) -> Array:
    """(recorders, 3): delays by the two coordinates and the moment of a call."""
    step = 1e-3
    at = [
        _delay(world, caller.place + move, world.placed, caller.height)
        for move in step * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    ]
    return np.stack([(at[0] - at[1]) / (2 * step), (at[2] - at[3]) / (2 * step), np.ones(RECORDERS)], -1)


def _floor(world: World, told: Array, caller: Caller) -> float:
    """Twice the Cramer-Rao bound of a position from the direct sound alone, for somebody who knows the deployment.

    Where animals fly, their velocity is not known either, and the moment of the onset only to 3 ms.
    """
    slopes = _slopes(world, caller)
    if not np.any(caller.velocity):
        covariance = np.linalg.inv((slopes * told[0][:, None]).T @ slopes + 1e-9 * np.eye(3))
        return float(np.clip(2 * np.sqrt(np.trace(covariance[:2, :2])), 0.02, 0.5))
    moving = slopes[:, :2]
    blocks = [
        [(slopes * told[0][:, None]).T @ slopes, (slopes * told[1][:, None]).T @ moving],
        [(moving * told[1][:, None]).T @ slopes, (moving * told[2][:, None]).T @ moving],
    ]
    covariance = np.linalg.inv(np.block(blocks) + 1e-9 * np.eye(5))
    passed = 0.003 * float(np.hypot(*caller.velocity))
    return float(np.clip(2 * np.sqrt(np.trace(covariance[:2, :2]) + passed**2), 0.02, 0.5))


def _columns(world: World, caller: Caller, event: int, moment: float) -> Array:
    """(recorders, faults): delays of an event by all that is unknown of the deployment, scaled by how far it may be off."""
    line = world.placed - caller.place
    distance = np.sqrt((line**2).sum(-1) + caller.height**2)
    travel = distance / world.sound
    parts, eye = [], np.eye(RECORDERS)
    parts.append(eye * 0.015 * ("clocks" in world.troubles))
    parts.append(eye * 0.015 * world.times[event] / SESSION * ("drift" in world.troubles))
    parts.append(eye * 0.015 * (world.temperatures[event] - 24) / 10 * ("wander" in world.troubles))
    jumped = (world.offsets[-1] != 0) & ("restart" in world.troubles)
    parts.append(eye * 0.015 * (jumped & (world.offsets[event] != 0)))
    moved = (world.placed != world.stated).any(1)
    unit = line / np.maximum(distance, 0.1)[:, None] / world.sound
    parts += [eye * (3 * unit[:, k] * moved) for k in (0, 1)]
    middle = (world.placed + caller.place) / 2 - SIDE / 2
    parts.append(np.column_stack([travel * 0.04, unit * distance[:, None] * 0.03]) * ("air" in world.troubles))
    parts.append(travel[:, None] * middle / 10 * 0.07 * ("gradient" in world.troubles))
    parts.append(eye * ((travel + moment) * 0.02 * ("rates" in world.troubles)))
    return np.concatenate(parts, 1)


def _hopeless(world: World, callers: list[tuple[int, float, Caller, Array, float]]) -> bool:
    """Whether delays as precise as the waves allow would leave positions open for somebody who knows which troubles there are."""
    blocks, shared = [], 0.0
    for event, moment, caller, known, _ in callers:
        slopes = _slopes(world, caller)
        if "height" in world.troubles:
            distance = np.sqrt(((world.placed - caller.place) ** 2).sum(-1) + caller.height**2)
            slopes = np.column_stack([slopes, caller.height / distance / world.sound])
        heard = 1 / (1 / np.maximum(known, 1e-9) + 1e-8)
        own = (slopes * heard[:, None]).T @ slopes + np.diag([1e-2, 1e-2, 1.0] + [0.05] * (slopes.shape[1] - 3))
        columns = _columns(world, caller, event, moment)
        cross = (slopes * heard[:, None]).T @ columns
        shared = shared + (columns * heard[:, None]).T @ columns - cross.T @ np.linalg.solve(own, cross)
        blocks.append((own, cross))
    spread = np.linalg.inv(shared + np.eye(len(shared)))
    skills = []
    for (own, cross), (*_, floor) in zip(blocks, callers, strict=True):
        solved = np.linalg.solve(own, cross)
        covariance = np.linalg.inv(own) + solved @ spread @ solved.T
        error = np.sqrt(np.trace(covariance[:2, :2]))
        skills.append(np.clip(np.log(error / 6) / np.log(floor / 6), 0, 1))
    return bool(np.mean(skills) < 0.86 or np.min(skills) < 0.6)


def _draw(rng: np.random.Generator, stratum: int, troubles: tuple[str, ...]) -> tuple[dict[str, Array], dict[str, Array]]:
    while True:
        world = _deploy(rng, troubles)
        calls = 2 if "overlap" in troubles else 1
        audio = np.zeros((EVENTS, RECORDERS, SAMPLES))
        positions, floors = np.zeros((EVENTS, calls, 2)), np.zeros((EVENTS, calls))
        kinds = [rng.permutation(KINDS) for _ in range(calls)]
        told = []
        for event in range(EVENTS):
            places = _spread_points(rng, calls, 4.0, world.stated, 1.5)
            for number, place in enumerate(places):
                height = rng.uniform(0, 8) if "height" in troubles else 0.0
                speed = rng.uniform(8, 22) * _unit(rng) if "flight" in troubles else np.zeros(2)
                length = rng.uniform(0.08, 0.12) if "flight" in troubles else rng.uniform(0.045, 0.09)
                caller, start = Caller(place, height, speed), rng.uniform(0.045, 0.06)
                call = _call(rng, int(kinds[number][event]), length)
                heard = [_heard(world, call, start, caller, recorder, event) for recorder in range(RECORDERS)]
                size = rng.uniform(0.75, 1.4)
                audio[event] += size * np.array([whole for whole, _, _ in heard])
                known = _sharpness(world, size * np.array([direct for _, direct, _ in heard]), np.array([age for *_, age in heard]))
                positions[event, number] = place
                floors[event, number] = _floor(world, known, caller)
                told.append((event, start, caller, known[0], floors[event, number]))
        if "echo" in troubles or not _hopeless(world, told):
            break
    for event in range(EVENTS):
        if world.source:
            place, size = world.source
            hiss, still = _hiss(rng), Caller(place, 0.0, np.zeros(2))
            audio[event] += size * np.array([_heard(world, hiss, 0.0, still, recorder, event)[0] for recorder in range(RECORDERS)])
        audio[event] *= world.gains[:, None]
        audio[event] += rng.normal(0, 1, audio[event].shape) * world.noise[:, None]
    _disturb(rng, world, audio)
    for recorder, other, share, late in world.leaks:
        audio[:, recorder, late:] += share * world.gains[recorder] / world.gains[other] * audio[:, other, :-late]
    audio = audio[:, world.channel]
    data = {
        "audio": np.ascontiguousarray(np.round(audio * 32000 / np.abs(audio).max()).astype(np.int16)),
        "microphones": world.stated,
        "times": world.times,
        "temperatures": world.temperatures,
        "calls": np.full(EVENTS, calls),
    }
    return data, {"positions": positions, "floors": floors, "stratum": np.array(stratum)}


def _disturb(rng: np.random.Generator, world: World, audio: Array) -> None:
    """Hum of the mains nearby, with its harmonics or without, and clicks."""
    if "hum" in world.troubles:
        tones = [(rng.uniform(60, 350), rng.uniform(0.6, 2.5)) for _ in range(int(rng.integers(1, 4)))]
        t = np.arange(SAMPLES) / RATE
        for event in range(EVENTS):
            for tone, size in tones:
                phases, sizes = rng.uniform(0, 2 * np.pi, RECORDERS), size * rng.uniform(0.3, 1.5, RECORDERS) * np.abs(world.gains)
                written = t / (1 + world.rates[:, None])
                audio[event] += sizes[:, None] * np.cos(2 * np.pi * tone * written + phases[:, None])
    if "clicks" in world.troubles:
        for event in range(EVENTS):
            for recorder in range(RECORDERS):
                for at in rng.integers(0, SAMPLES - 4, rng.poisson(5)):
                    size = rng.normal(0, 6) * np.abs(world.gains[recorder])
                    audio[event, recorder, at : at + 3] += size * np.array([1, -0.6, 0.3])


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 64 worlds, four per stratum, in a drawn order."""
    rng = np.random.default_rng([19760824, 2, seed])
    wanted = [(stratum, troubles) for stratum in STRATA for troubles in _dealt(rng, stratum)]
    for number, at in enumerate(rng.permutation(len(wanted))):
        seen, hidden = _draw(rng, *wanted[at])
        np.savez(data / f"world_{number:02d}.npz", **seen)
        np.savez(truth / f"world_{number:02d}.npz", **hidden)
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
