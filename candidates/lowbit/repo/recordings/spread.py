# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How far neighbouring values of each recording differ: a first look at which recorders are faulty."""

import numpy as np

from recordings.tables import read_columns


def main():
    for name, recording in read_columns("data/recordings.csv").items():
        steps = np.abs(np.diff(recording))
        print(f"{name:12s} median {np.median(steps):.3f}  largest {steps.max():.3f}")


if __name__ == "__main__":
    main()
