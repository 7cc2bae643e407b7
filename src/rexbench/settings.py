"""What a bench is made from: read once, at the edge, from arguments and the environment.

Below the edge nobody looks at the environment or the working folder; what is needed of them is in here. `unsafe`, folders and
keys are never taken from a campaign's or an archive's files: whoever starts the program says them.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, Field

from rexbench.environment.image import DEFAULT_BASE
from rexbench.task.suite import shipped_tasks
from rexbench.task.vault import PUBLIC_PASSPHRASE


class Settings(BaseModel):
    """A bench in one value, which travels to workers and to the nodes of a cluster."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path
    tasks: Path
    """The folder of the suite."""
    sandbox: str = "bubblewrap"
    unsafe: bool = False
    """Whether the sandbox `process`, which isolates nothing, may be used."""
    base_image: str = DEFAULT_BASE
    """What the images of docker and podman are built from; it must hold python3 and bash."""
    locks: Path = Field(default_factory=lambda: Path(tempfile.gettempdir(), f"rexbench-gpus-{os.getuid()}"))
    """Where leases of GPUs are held; the same for every bench of a user on a machine."""
    vault_key: str = Field(default=PUBLIC_PASSPHRASE, exclude=True, repr=False)
    """What opens and seals vaults. It does not travel: a worker finds it in its own environment."""
    variables: dict[str, str] = Field(default_factory=dict, exclude=True, repr=False)
    """The environment at the edge: providers' keys, proxies, PATH, CUDA_VISIBLE_DEVICES. It does not travel either."""

    def at_edge(self, variables: Mapping[str, str]) -> "Settings":
        """These settings in another process, with what that process finds in its environment."""
        return self.model_copy(update=_found(variables))


def read_settings(
    variables: Mapping[str, str],
    home: Path | str | None = None,
    tasks: Path | str | None = None,
    sandbox: str = "bubblewrap",
    unsafe: bool = False,
) -> Settings:
    """From arguments and, where one is not given, the environment: `REXBENCH_HOME`, `REXBENCH_TASKS`, `REXBENCH_BASE_IMAGE`,
    `REXBENCH_VAULT_KEY`. Relative folders are meant from the working folder as it is now."""
    chosen_home = home or variables.get("REXBENCH_HOME") or platformdirs.user_data_dir("rexbench")
    chosen_tasks = tasks or variables.get("REXBENCH_TASKS") or shipped_tasks()
    settings = Settings(
        home=Path(chosen_home).expanduser().absolute(),
        tasks=Path(chosen_tasks).expanduser().absolute(),
        sandbox=sandbox,
        unsafe=unsafe,
        base_image=variables.get("REXBENCH_BASE_IMAGE") or DEFAULT_BASE,
    )
    return settings.at_edge(variables)


def _found(variables: Mapping[str, str]) -> dict[str, object]:
    return {"variables": dict(variables), "vault_key": variables.get("REXBENCH_VAULT_KEY") or PUBLIC_PASSPHRASE}
