# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Controllers: what an agent hands in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MODES = 4096


@dataclass(frozen=True)
class Controller:
    """A table over observations with a memory of up to `MODES` modes, for all tasks of a world.

    An episode for task k begins in mode k. In mode m, seeing o, the action is `action[m, o]` and the mode becomes `memory[m, o]`.
    """

    action: np.ndarray
    memory: np.ndarray


def reactive(policies: np.ndarray) -> Controller:
    """A controller without memory from one action per task and observation."""
    stay = np.repeat(np.arange(len(policies))[:, None], policies.shape[1], axis=1)
    return Controller(policies, stay)


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
