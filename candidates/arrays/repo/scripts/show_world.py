# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print what is recorded in one world: loudness of channels by event, and how well the baseline's positions explain delays."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sound.config import load_settings
from sound.correlation import delay
from sound.geometry import pairs, travel
from sound.localise import positions
from sound.worlds import load_world


def sketch(samples: np.ndarray, width: int = 80) -> str:
    """One channel as a line of characters, darker where it is louder."""
    blocks = np.array([np.abs(part).max() for part in np.array_split(samples, width)])
    return "".join(" .:-=+*#%@"[min(int(9.99 * value / (blocks.max() + 1e-12)), 9)] for value in blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--event", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--config", type=Path, default=Path("configs/baseline.yaml"))
    arguments = parser.parse_args()
    world = load_world(arguments.data / f"world_{arguments.number:02d}.npz")
    settings = load_settings(arguments.config)
    print(f"{world.name}: {len(world.audio)} events, {len(world.microphones)} recorders, calls per event {world.calls.tolist()}")
    print("root mean square by event (rows) and recorder:")
    print(np.round(np.sqrt((world.audio**2).mean(-1))).astype(int))
    for channel in world.audio[arguments.event]:
        print(sketch(channel))
    placed = positions(world, settings)
    for event, (place, audio) in enumerate(zip(placed[:, 0], world.audio, strict=True)):
        times = travel(place[None], world.microphones)[0]
        rest = [delay(audio[a], audio[b], settings.weighting, 0.12) - times[a] + times[b] for a, b in pairs(len(times))]
        print(f"event {event}: at {np.round(place, 2)}, median misfit of delays {1e3 * np.median(np.abs(rest)):.2f} ms")


if __name__ == "__main__":
    main()
