# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Errors of single delays by weighting, sound and noise, and of positions by MUSIC and steered response, on made-up sounds."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sound.config import Settings
from sound.correlation import delay
from sound.geometry import travel
from sound.localise import by_delays, by_response, by_subspace
from sound.worlds import RATE, SIDE

SAMPLES = 320


def burst(t: np.ndarray, kind: str, rng: np.random.Generator) -> np.ndarray:
    """Sixty milliseconds of a sound from time 0 on."""
    window = np.where((t >= 0) & (t <= 0.06), np.sin(np.pi * np.clip(t / 0.06, 0, 1)) ** 2, 0)
    if kind == "noise":
        tones, phases = rng.uniform(60, 400, 20), rng.uniform(0, 2 * np.pi, 20)
        return window * np.cos(2 * np.pi * tones * t[..., None] + phases).sum(-1) / 3
    if kind == "sweep":
        return window * np.cos(2 * np.pi * (80 * t + 2500 * t**2))
    return window * np.cos(2 * np.pi * 200 * t)


def recordings(point: np.ndarray, microphones: np.ndarray, kind: str, noise: float, rng: np.random.Generator) -> np.ndarray:
    t = np.arange(SAMPLES) / RATE - 0.05
    seed = int(rng.integers(1 << 30))
    heard = [burst(t - time, kind, np.random.default_rng(seed)) for time in travel(point[None], microphones)[0]]
    return np.array(heard) + rng.normal(0, noise, (len(microphones), SAMPLES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", type=float, nargs="+", default=[0.05, 0.2, 0.5])
    parser.add_argument("--repeats", type=int, default=20)
    arguments = parser.parse_args()
    print(f"{'sound':8s} {'what':22s} " + " ".join(f"{noise:>9.2f}" for noise in arguments.noise))
    for kind in ("noise", "sweep", "tone"):
        rows: dict[str, list[float]] = {}
        for noise in arguments.noise:
            errors: dict[str, list[float]] = {}
            for repeat in range(arguments.repeats):
                rng = np.random.default_rng([repeat, 3])
                microphones, point = rng.uniform(0, SIDE, (6, 2)), rng.uniform(0, SIDE, 2)
                audio = recordings(point, microphones, kind, noise, rng)
                times = travel(point[None], microphones)[0]
                for weighting in ("none", "scot", "phat"):
                    found = delay(audio[0], audio[1], weighting, 0.09)
                    errors.setdefault(f"delay, {weighting} (ms)", []).append(1e3 * abs(found - times[0] + times[1]))
                if repeat < 5:
                    placed = {
                        "delays, phat (m)": by_delays(audio, microphones, Settings()),
                        "response, phat (m)": by_response(audio, microphones, Settings(method="response")),
                        "response, none (m)": by_response(audio, microphones, Settings(method="response", weighting="none")),
                        "MUSIC (m)": by_subspace(audio, microphones, Settings(method="subspace"), 1)[0],
                    }
                    for name, place in placed.items():
                        errors.setdefault(name, []).append(float(np.hypot(*(place - point))))
            for name, values in errors.items():
                rows.setdefault(name, []).append(float(np.median(values)))
        for name, row in rows.items():
            print(f"{kind:8s} {name:22s} " + " ".join(f"{value:9.3f}" for value in row))


if __name__ == "__main__":
    main()
