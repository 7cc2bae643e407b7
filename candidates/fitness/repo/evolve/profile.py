# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The profile of an alignment: how common each residue is at each site."""

import numpy as np


def frequencies(homologs: np.ndarray, pseudocount: float = 1.0) -> np.ndarray:
    """(length, 20), every row a distribution; the pseudocount is shared among the letters."""
    counts = (homologs[:, :, None] == np.arange(20)).sum(axis=0) + pseudocount / 20
    return counts / counts.sum(axis=1, keepdims=True)


def log_odds(homologs: np.ndarray, wild: np.ndarray, pseudocount: float = 1.0) -> np.ndarray:
    """(length, 20): log frequency of each letter relative to the wild type's at that site."""
    logs = np.log(frequencies(homologs, pseudocount))
    return logs - logs[np.arange(len(wild)), wild][:, None]
