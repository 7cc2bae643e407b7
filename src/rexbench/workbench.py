"""Where and how work is done: one value that owns home, tasks, records, locks, scratch, sandbox, environments and GPU leases.

Made once at the edge (command line, API, worker) from `Settings` and handed down. Two of them with different homes work side by
side in one process. It may import the rooms whose parts it holds, and knows nothing of agents, plans or verdicts.
"""

from functools import cached_property
from pathlib import Path

from rexbench.environment.build import Environments
from rexbench.environment.image import Images
from rexbench.environment.uv import Uv
from rexbench.places import Home
from rexbench.record.fingerprint import machine_fingerprint
from rexbench.record.store import Store
from rexbench.sandbox.choose import make_sandbox, usable
from rexbench.sandbox.gpus import Gpus
from rexbench.sandbox.protocol import Sandbox
from rexbench.settings import Settings
from rexbench.task.folder import Task
from rexbench.task.suite import Suite


class Workbench:
    """The parts that work needs, each made when it is first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.home = Home(settings.home)
        self.suite = Suite(settings.tasks, settings.vault_key)
        self.store = Store(self.home)
        self.uv = Uv(settings.variables)
        self.environments = Environments(self.home, self.uv)
        self.images = Images(self.home, self.uv, settings.base_image)
        self.gpus = Gpus(settings.variables.get("CUDA_VISIBLE_DEVICES"), settings.locks)

    @cached_property
    def sandbox(self) -> Sandbox:
        """The chosen sandbox, ready to run; raises where it does not work here or may not be used."""
        return usable(self.any_sandbox(self.settings.sandbox), self.settings.unsafe)

    def any_sandbox(self, name: str) -> Sandbox:
        """A sandbox by name, whether it works here or not."""
        hidden = (self.suite.folder, self.home.folder, Path(__file__).parent)
        return make_sandbox(name, self.environments, self.images, self.home, hidden)

    def machine(self, task: Task) -> str:
        """The kind of machine that this task's experiments see here."""
        return machine_fingerprint(self.gpus.models(task.spec.limits.gpus))
