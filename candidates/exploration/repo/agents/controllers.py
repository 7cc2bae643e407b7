# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Controllers: what an agent hands in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MODES = 2048


@dataclass(frozen=True)
class Controller:
    """A table over observations with a memory of up to `MODES` modes.

    An episode begins in mode 0. In mode m, seeing o, the action is `action[m, o]` and the mode becomes `memory[m, o]`.
    """

    action: np.ndarray
    memory: np.ndarray


def reactive(policy: np.ndarray) -> Controller:
    """A controller without memory: one action per observation."""
    return Controller(policy[None].astype(np.int16), np.zeros((1, len(policy)), np.int16))


def save_controllers(controllers: Mapping[str, Controller], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {}
    for name, controller in controllers.items():
        arrays[f"{name}_action"] = controller.action.astype(np.int16)
        arrays[f"{name}_memory"] = controller.memory.astype(np.int16)
    np.savez_compressed(path, **arrays)


def load_controllers(path: Path) -> dict[str, Controller]:
    with np.load(path, allow_pickle=False) as stored:
        names = sorted({key.rsplit("_", 1)[0] for key in stored.files})
        return {name: Controller(stored[f"{name}_action"], stored[f"{name}_memory"]) for name in names}
