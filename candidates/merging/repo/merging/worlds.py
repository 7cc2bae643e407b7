# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Families of networks, one file per family."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from merging.networks import Network


@dataclass(frozen=True)
class World:
    """What is known of one family."""

    name: str
    activation: str
    """Activation of both hidden layers of the network that is wanted: `tanh` or `leaky`."""
    sizes: tuple[int, ...]
    """Inputs, units of the two hidden layers, and outputs of the network that is wanted."""
    ages: np.ndarray
    """(parents,): how many epochs the common ancestor had been trained when each parent branched off."""
    parents: tuple[Network, ...]


def load_world(path: Path) -> World:
    """Read one family."""
    with np.load(path) as file:
        parts = {key: file[key] for key in file.files}
    parents = []
    for at in range(len(parts["ages"])):
        names = tuple(str(name) for name in parts[f"parent{at}_activations"])
        weights = tuple(parts[f"parent{at}_w{layer}"] for layer in range(len(names)))
        biases = tuple(parts[f"parent{at}_b{layer}"] for layer in range(len(names)))
        parents.append(Network(weights, biases, names))
    sizes = tuple(int(size) for size in parts["sizes"])
    return World(path.stem, str(parts["activation"]), sizes, parts["ages"], tuple(parents))


def load_worlds(folder: Path) -> Iterator[World]:
    """All families of a folder in the order of their names."""
    for path in sorted(folder.glob("world_*.npz")):
        yield load_world(path)


def save_networks(path: Path, networks: list[Network]) -> None:
    """Write merged networks, in the order of the families' names, as the evaluation reads them."""
    stored = {}
    for number, network in enumerate(networks):
        for layer, (weights, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
            stored[f"world_{number:02d}_w{layer}"] = np.asarray(weights, float)
            stored[f"world_{number:02d}_b{layer}"] = np.asarray(biases, float)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **stored)


def read_networks(path: Path, worlds: list[World]) -> list[Network]:
    """Merged networks as they were written."""
    with np.load(path) as file:
        return [
            Network(
                tuple(file[f"world_{number:02d}_w{layer}"] for layer in range(3)),
                tuple(file[f"world_{number:02d}_b{layer}"] for layer in range(3)),
                (world.activation, world.activation, "linear"),
            )
            for number, world in enumerate(worlds)
        ]
