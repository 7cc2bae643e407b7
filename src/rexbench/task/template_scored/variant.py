# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recordings of slow signals: a few tones each, with noise, and with faults that grow more frequent from stratum to stratum."""

from pathlib import Path

import numpy as np

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n"
LENGTH, EACH = 512, 8
FAULTS = {"quiet": 0.0, "faulty": 0.05, "broken": 0.15}


def make(seed: int, data: Path, truth: Path) -> None:
    """Write data/recordings.csv and truth/signals.csv for this seed; one column for each signal."""
    rng = np.random.default_rng([seed, 7])
    time = np.arange(LENGTH) / LENGTH
    names, clean, recorded = [], [], []
    for stratum, share in FAULTS.items():
        for at in range(EACH):
            tones = [(rng.uniform(1, 12), rng.uniform(0.5, 1.5), rng.uniform(0, 2 * np.pi)) for _ in range(3)]
            signal = sum(size * np.sin(2 * np.pi * rate * time + phase) for rate, size, phase in tones)
            noisy = signal + rng.normal(0, 0.6, LENGTH)
            faulty = rng.random(LENGTH) < share
            noisy[faulty] += rng.choice([-1.0, 1.0], faulty.sum()) * rng.uniform(4, 12, faulty.sum())
            names.append(f"{stratum}-{at}")
            clean.append(signal)
            recorded.append(noisy)
    for folder, name, columns in ((data, "recordings.csv", recorded), (truth, "signals.csv", clean)):
        rows = [",".join(names), *(",".join(f"{value:.6f}" for value in row) for row in np.array(columns).T)]
        (folder / name).write_text("\n".join(rows) + "\n")
        (folder / "CANARY.txt").write_text(CANARY)
