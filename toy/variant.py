# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reading times of forty readers in five groups, log-normal with four recording faults each."""

import csv
import random
from pathlib import Path

GROUPS = ("a", "b", "c", "d", "e")


def make(seed: int, out_dir: Path) -> None:
    """Write data/readings.csv for this seed."""
    rng = random.Random(seed)
    with (out_dir / "readings.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["group", "milliseconds"])
        for group in GROUPS:
            centre = rng.uniform(5.5, 6.5)
            readings = [round(rng.lognormvariate(centre, 0.5), 3) for _ in range(40)] + [0.0] * 4
            rng.shuffle(readings)
            table.writerows([group, reading] for reading in readings)
    (out_dir / "CANARY.txt").write_text("rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389\n")
