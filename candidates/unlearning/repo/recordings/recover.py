# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Recovers every recording in a table."""

import sys

from recordings.smoothing import smooth
from recordings.tables import read_columns, write_columns


def main():
    source, target = sys.argv[1:]
    write_columns(target, {name: smooth(recording) for name, recording in read_columns(source).items()})


if __name__ == "__main__":
    main()
