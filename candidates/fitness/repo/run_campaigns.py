# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Run a campaign on every protein of data/ and write the nominations.

python run_campaigns.py --out results/nominations.json
"""

import argparse
import json
import os
from pathlib import Path

import numpy as np

from evolve.campaign import Settings, run_campaign
from evolve.worlds import load_worlds
from plates import ROOT, connect


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("results/nominations.json"))
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON object with fields of evolve.campaign.Settings")
    parser.add_argument("--worlds", nargs="*", help="names of proteins; all of them if not given")
    args = parser.parse_args()
    seed = int(os.environ.get("SEED", "0"))
    lab, settings, nominated = connect(), Settings(**args.settings), {}
    for at, world in enumerate(load_worlds(ROOT / "data")):
        if args.worlds is None or world.name in args.worlds:
            nominated[world.name] = run_campaign(world, lab, settings, np.random.default_rng([seed, at]))
            print(f"{world.name}: {lab.left} wells left", flush=True)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(nominated, indent=1) + "\n")


if __name__ == "__main__":
    main()
