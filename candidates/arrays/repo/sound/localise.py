# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""From the recordings of an event to positions: pairwise delays, steered response, or subspace."""

import numpy as np
from scipy.optimize import least_squares

from sound.config import Settings
from sound.correlation import correlate, delay
from sound.geometry import grid, pairs, travel
from sound.music import spectrum
from sound.worlds import SIDE, World


def by_delays(audio: np.ndarray, microphones: np.ndarray, settings: Settings) -> np.ndarray:
    """The point whose differences of travel times fit the delays of all pairs best: a lattice, then Gauss-Newton."""
    chosen = pairs(len(microphones))
    reach = max(float(np.hypot(*(microphones[a] - microphones[b]))) for a, b in chosen) / 343.0
    found = np.array([delay(audio[a], audio[b], settings.weighting, reach) for a, b in chosen])
    first, second = np.array(chosen).T

    def misfit(points: np.ndarray) -> np.ndarray:
        times = travel(points, microphones)
        return 1e3 * (times[:, first] - times[:, second] - found)

    lattice = grid(settings.step)
    start = lattice[np.argmin(np.abs(misfit(lattice)).sum(1))]
    fit = least_squares(lambda point: misfit(point[None])[0], start, bounds=(-1.0, SIDE + 1.0), loss="soft_l1", max_nfev=50)
    return np.asarray(fit.x)


def response(audio: np.ndarray, microphones: np.ndarray, points: np.ndarray, weighting: str) -> np.ndarray:
    """Steered response of each point: the sum over pairs of the correlation at the delay that the point would have."""
    times = travel(points, microphones)
    total = np.zeros(len(points))
    for a, b in pairs(len(microphones)):
        lags, values = correlate(audio[a], audio[b], weighting)
        total += np.interp(times[:, a] - times[:, b], lags, values)
    return total


def by_response(audio: np.ndarray, microphones: np.ndarray, settings: Settings) -> np.ndarray:
    """The point of the highest steered response, on a lattice and then on finer ones around it."""
    points, step = grid(settings.step), settings.step
    best = points[np.argmax(response(audio, microphones, points, settings.weighting))]
    while step > 0.02:
        step /= 3
        points = best + (grid(step, 6 * step) - 3 * step)
        best = points[np.argmax(response(audio, microphones, points, settings.weighting))]
    return np.asarray(best)


def by_subspace(audio: np.ndarray, microphones: np.ndarray, settings: Settings, count: int) -> np.ndarray:
    """The highest peaks, at least two metres apart, of the MUSIC spectrum."""
    points = grid(settings.step)
    values = spectrum(audio, microphones, points, count)
    found: list[np.ndarray] = []
    for at in np.argsort(-values):
        if all(np.hypot(*(points[at] - other)) > 2 for other in found):
            found.append(points[at])
        if len(found) == count:
            break
    return np.array(found)


def positions(world: World, settings: Settings) -> np.ndarray:
    """(events, 2, 2): where the calls of each event came from. With one call, the second place repeats the first."""
    found = np.empty((len(world.audio), 2, 2))
    for event, audio in enumerate(world.audio):
        if settings.method == "subspace":
            placed = by_subspace(audio, world.microphones, settings, int(world.calls[event]))
            found[event] = placed[[0, -1]]
        else:
            method = by_delays if settings.method == "delays" else by_response
            found[event] = method(audio, world.microphones, settings)
    return found
