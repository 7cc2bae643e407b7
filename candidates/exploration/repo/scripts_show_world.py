# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print the truth of a public world: the map in observations, its doors and its machines.

python scripts_show_world.py w03
"""

import sys

import numpy as np

from episodes import ROOT


def main() -> None:
    with np.load(ROOT / "truth" / f"{sys.argv[1]}.npz") as stored:
        parts = {name: stored[name] for name in stored.files}
    shows = parts["shows"][0]
    print(f"group {parts['single'][4]}, starts in {shows[parts['single'][0]]}, slips {parts['chances'][0]:.3f}, dark {parts['chances'][1]:.3f}")
    for place, moves in enumerate(parts["moves"][0]):
        print(f"  {shows[place]:3d}: " + " ".join(f"{shows[to]:3d}" for to in moves))
    for door, machines, opens in zip(parts["doors"], parts["conditions"], parts["opens"], strict=True):
        wanted = [f"machine {machine}: {np.round(table, 2).tolist()}" for machine, table in zip(machines, opens, strict=True) if machine >= 0]
        print(f"door in {shows[door[0]]} by {door[1]} to {shows[door[2]]}: " + " and ".join(wanted))
    for number, step in enumerate(parts["machine_step"]):
        moved = np.argwhere((step != np.arange(len(step))[:, None, None]).any(axis=0))
        where = "everywhere" if len(moved) > 20 else ", ".join(f"{shows[place]}/{action}" for place, action in moved)
        print(f"machine {number} has {int(step.max()) + 1} states and moves with (place/action) {where}")


if __name__ == "__main__":
    main()
