# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Tables of numbers, one column for each recording."""

import csv

import numpy as np


def read_columns(path):
    with open(path, newline="") as file:
        header, *rows = list(csv.reader(file))
    return dict(zip(header, np.array(rows, dtype=float).T))


def write_columns(path, columns):
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows([f"{value:.6f}" for value in row] for row in np.array(list(columns.values())).T)
