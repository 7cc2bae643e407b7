# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: ten calls in a field, heard by six recorders, with troubles of the deployment and of the sound laid over each other.

A stratum says which troubles a world has or how many of which sort are drawn; where and with which constants is drawn. Calls
are functions of time in closed form, so that every delay, however caused, is exact. Truth holds positions, strata and floors,
and no trouble.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Array = np.ndarray
Call = Callable[[Array], Array]
CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
SIDE = 20.0
"""Metres; the field is the square from 0 to this."""
RECORDERS, EVENTS, SAMPLES, RATE = 6, 10, 320, 1000.0
SESSION = 3600.0
SOUND = 343.0
WORLDS_PER_STRATUM = 4

TIMING = ("clocks", "drift", "restart")
DEPLOYMENT = (*TIMING, "moved", "air", "labels", "height")
LIGHT = ("channels", "clicks", "hum")
STRATA: dict[int, tuple[tuple[str, ...], int, int]] = {
    1: ((), 0, 1),
    2: (("clocks",), 0, 1),
    3: (("timing",), 0, 1),
    4: (("moved",), 0, 1),
    5: (("air",), 0, 1),
    6: (("labels",), 0, 1),
    7: (("height",), 0, 1),
    8: (("echo",), 0, 0),
    9: (("flight",), 0, 0),
    10: (("overlap",), 0, 0),
    11: ((), 2, 0),
    12: ((), 2, 1),
    13: (("echo",), 1, 0),
    14: ((), 3, 0),
    15: (("overlap",), 1, 0),
    16: ((), 3, 1),
}
"""Troubles that a stratum always has, and how many of the deployment and of the light ones are drawn."""


@dataclass
class World:
    """One deployment and what goes wrong in it."""

    troubles: tuple[str, ...]
    stated: Array
    placed: Array
    times: Array
    offsets: Array = field(default_factory=lambda: np.zeros((EVENTS, RECORDERS)))
    channel: Array = field(default_factory=lambda: np.arange(RECORDERS))
    sound: float = SOUND
    wind: Array = field(default_factory=lambda: np.zeros(2))
    gains: Array = field(default_factory=lambda: np.ones(RECORDERS))
    noise: Array = field(default_factory=lambda: np.ones(RECORDERS))
    wall: tuple[Array, float, float] | None = None
    """Its normal, distance from the origin, and how much of it is heard where the animals are out of sight."""
    sight: Array = field(default_factory=lambda: np.ones(RECORDERS))
    """How much of the direct sound arrives."""


def _signs(rng: np.random.Generator, size: int | tuple[int, ...]) -> Array:
    return rng.choice([-1.0, 1.0], size)


def _call(rng: np.random.Generator, length: float) -> Call:
    """A call that starts at 0: noise, a sweep, a voice, or a nearly pure tone."""
    kind = int(rng.integers(4))
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


def _spread_points(rng: np.random.Generator, count: int, apart: float, away: Array, clear: float) -> Array:
    found: list[Array] = []
    while len(found) < count:
        point = rng.uniform(0, SIDE, 2)
        if all(np.hypot(*(point - other)) > apart for other in found) and (
            not len(away) or np.hypot(*(away - point).T).min() > clear
        ):
            found.append(point)
    return np.array(found)


def _chosen(rng: np.random.Generator, stratum: int) -> tuple[str, ...]:
    always, deployment, light = STRATA[stratum]
    named = [str(rng.choice(["drift", "restart"])) if name == "timing" else name for name in always]
    while True:
        drawn = [str(name) for name in rng.permutation(list(DEPLOYMENT))[:deployment]]
        if len(set(drawn) & set(TIMING)) < 2:
            break
    return (*named, *drawn, *(str(name) for name in rng.permutation(list(LIGHT))[:light]))


def _deploy(rng: np.random.Generator, stratum: int) -> World:
    troubles = _chosen(rng, stratum)
    stated = _spread_points(rng, RECORDERS, 6.0, np.empty((0, 2)), 0)
    world = World(troubles, stated, stated.copy(), np.sort(rng.uniform(0, SESSION, EVENTS)))
    world.noise = world.noise * rng.uniform(0.25, 0.5) * (1.4 if stratum == 1 else 1)
    if "clocks" in troubles:
        world.offsets += rng.uniform(-0.02, 0.02, RECORDERS)
    if "drift" in troubles:
        world.offsets += np.outer(world.times / SESSION, rng.uniform(0.003, 0.025, RECORDERS) * _signs(rng, RECORDERS))
    if "restart" in troubles:
        for recorder in rng.permutation(RECORDERS)[: rng.integers(1, 3)]:
            moment = rng.uniform(*world.times[[1, 8]])
            world.offsets[:, recorder] += (world.times > moment) * rng.uniform(0.004, 0.02) * _signs(rng, 1)
    if "moved" in troubles:
        for recorder in rng.permutation(RECORDERS)[: rng.integers(1, 3)]:
            angle = rng.uniform(0, 2 * np.pi)
            world.placed[recorder] += rng.uniform(1.5, 5) * np.array([np.cos(angle), np.sin(angle)])
    if "air" in troubles:
        angle = rng.uniform(0, 2 * np.pi)
        world.sound = SOUND + rng.uniform(6, 22) * _signs(rng, 1)[0]
        world.wind = rng.uniform(3, 15) * np.array([np.cos(angle), np.sin(angle)])
    if "labels" in troubles:
        among = rng.permutation(RECORDERS)[: rng.integers(2, 4)]
        world.channel[among] = world.channel[np.roll(among, 1)]
    if "channels" in troubles:
        world.gains = np.exp(rng.uniform(-1.2, 1.2, RECORDERS)) * _signs(rng, RECORDERS)
        world.noise = world.noise * np.exp(rng.uniform(-0.7, 0.7, RECORDERS)) * np.abs(world.gains)
        dead = int(rng.integers(RECORDERS))
        world.noise[dead] *= rng.choice([1.0, 5.0])
    if "echo" in troubles:
        angle = rng.uniform(0, 2 * np.pi)
        normal = np.array([np.cos(angle), np.sin(angle)])
        edge = max(float(corner @ normal) for corner in SIDE * np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
        world.wall = (normal, edge + rng.uniform(-1.0, 5.0), rng.uniform(0.5, 0.9) * float(_signs(rng, 1)[0]))
        world.sight[rng.permutation(RECORDERS)[: rng.integers(1, 4)]] = rng.uniform(0.02, 0.1)
    return world


def _delay(world: World, points: Array, recorders: Array, height: Array | float) -> Array:
    """Travel time over the line of sight, with the wind."""
    line = recorders - points
    distance = np.sqrt((line**2).sum(-1) + height**2)
    return distance / (world.sound + (line @ world.wind) / distance)


def _path(
    world: World, call: Call, start: float, source: tuple[Array, float, Array], recorder: int, event: int
) -> tuple[Array, Array]:
    """What a recorder hears of a call over its direct path and over the wall, without gain and noise; and the direct part alone."""
    position, height, velocity = source
    t = np.arange(SAMPLES) / RATE - world.offsets[event, recorder]
    parts = []
    mirrors: list[Array | None] = [None] + ([world.wall[0]] if world.wall else [])
    for normal in mirrors:
        begin, speed, size = position, velocity, float(world.sight[recorder])
        if normal is not None and world.wall:
            begin = position + 2 * (world.wall[1] - position @ normal) * normal
            speed = velocity - 2 * (velocity @ normal) * normal
            size = world.wall[2] * (0.4 if world.sight[recorder] == 1 else 1)
        sent = t.copy()
        for _ in range(8 if np.any(velocity) else 2):
            points = begin + speed * (sent - start)[:, None]
            sent = t - _delay(world, points, world.placed[recorder], height)
        near = np.sqrt(((begin - world.placed[recorder]) ** 2).sum() + height**2)
        parts.append(size * call(sent - start) / np.sqrt(1 + near / 5))
    return np.sum(parts, 0), parts[0]


def _floor(world: World, direct: Array, source: tuple[Array, float, Array]) -> float:
    """Twice the Cramer-Rao bound of a position from the direct sound alone, for somebody who knows all else."""
    position, height, _ = source
    step = 1e-3
    at = [_delay(world, position + move, world.placed, height) for move in step * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])]
    slopes = np.stack([(at[0] - at[1]) / (2 * step), (at[2] - at[3]) / (2 * step), np.ones(RECORDERS)], -1)
    known = (np.gradient(direct, 1 / RATE, axis=1) ** 2).sum(1) * (world.gains / world.noise) ** 2
    covariance = np.linalg.inv((slopes * known[:, None]).T @ slopes + 1e-9 * np.eye(3))
    return float(np.clip(2 * np.sqrt(np.trace(covariance[:2, :2])), 0.02, 0.5))


def _draw(rng: np.random.Generator, stratum: int) -> tuple[dict[str, Array], dict[str, Array]]:
    world = _deploy(rng, stratum)
    calls = 2 if "overlap" in world.troubles else 1
    audio = np.zeros((EVENTS, RECORDERS, SAMPLES))
    positions, floors = np.zeros((EVENTS, calls, 2)), np.zeros((EVENTS, calls))
    hum = [(rng.uniform(60, 350), rng.uniform(0.6, 2.5)) for _ in range(int(rng.integers(1, 4)))]
    for event in range(EVENTS):
        places = _spread_points(rng, calls, 4.0, world.stated, 1.5)
        for number, place in enumerate(places):
            height = rng.uniform(0, 8) if "height" in world.troubles else 0.0
            angle = rng.uniform(0, 2 * np.pi)
            speed = rng.uniform(8, 22) * np.array([np.cos(angle), np.sin(angle)]) if "flight" in world.troubles else np.zeros(2)
            length = rng.uniform(0.09, 0.14) if "flight" in world.troubles else rng.uniform(0.045, 0.09)
            source, call, start = (place, height, speed), _call(rng, length), rng.uniform(0.045, 0.06)
            heard = [_path(world, call, start, source, recorder, event) for recorder in range(RECORDERS)]
            size = rng.uniform(0.7, 1.4)
            audio[event] += size * np.array([whole for whole, _ in heard])
            positions[event, number] = place
            floors[event, number] = _floor(world, size * np.array([direct for _, direct in heard]), source)
        audio[event] *= world.gains[:, None]
        audio[event] += rng.normal(0, 1, audio[event].shape) * world.noise[:, None]
        if "hum" in world.troubles:
            t = np.arange(SAMPLES) / RATE
            for tone, size in hum:
                phases, sizes = rng.uniform(0, 2 * np.pi, RECORDERS), size * rng.uniform(0.3, 1.5, RECORDERS) * np.abs(world.gains)
                audio[event] += sizes[:, None] * np.cos(2 * np.pi * tone * t + phases[:, None])
        if "clicks" in world.troubles:
            for recorder in range(RECORDERS):
                for at in rng.integers(0, SAMPLES - 4, rng.poisson(5)):
                    audio[event, recorder, at : at + 3] += (
                        rng.normal(0, 6) * np.abs(world.gains[recorder]) * np.array([1, -0.6, 0.3])
                    )
    audio = audio[:, world.channel]
    scale = 32000 / np.abs(audio).max()
    data = {
        "audio": np.round(audio * scale).astype(np.int16),
        "microphones": world.stated,
        "times": world.times,
        "calls": np.full(EVENTS, calls),
    }
    return data, {"positions": positions, "floors": floors, "stratum": np.array(stratum)}


def make(seed: int, data: Path, truth: Path) -> None:
    """Write 64 worlds, four per stratum, in a drawn order."""
    rng = np.random.default_rng([19760824, seed])
    wanted = [stratum for stratum in STRATA for _ in range(WORLDS_PER_STRATUM)]
    for number, at in enumerate(rng.permutation(len(wanted))):
        seen, hidden = _draw(rng, wanted[at])
        np.savez(data / f"world_{number:02d}.npz", **seen)
        np.savez(truth / f"world_{number:02d}.npz", **hidden)
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
