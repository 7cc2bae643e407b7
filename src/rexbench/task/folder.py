"""A task folder, loaded: its specification, its files and the digest that stands for all that determines a result."""

import importlib.util
import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Literal

from rexbench.digest import digest_bytes, digest_tree, digest_value
from rexbench.errors import BrokenTask, RexbenchError
from rexbench.task.schema import TaskSpec
from rexbench.task.shadowing import Twins, find_twins
from rexbench.task.vault import PUBLIC_PASSPHRASE, Vault, open_vault

HintLevel = Literal["none", "hints", "detailed"]
HINT_LEVELS: tuple[HintLevel, ...] = ("none", "hints", "detailed")
HINT_FILES: dict[HintLevel, tuple[str, ...]] = {
    "none": ("instructions.md",),
    "hints": ("instructions.md", "hints.md"),
    "detailed": ("instructions.md", "hints.md", "detailed_hints.md"),
}


def hint_level(name: str) -> HintLevel:
    """A hint level by name."""
    for level in HINT_LEVELS:
        if level == name:
            return level
    raise RexbenchError(f"There is no hint level {name!r}; there are: {', '.join(HINT_LEVELS)}.")


TRUTH = "truth/"
"""The truth of the public variant, for the agent's own measurements. It is taken away before an experiment runs for a verdict."""
PAPERS = "papers/"
"""Text for whoever works on a task. It is taken away before an experiment runs, so that no result can depend on it."""
_FOR_ALL = """\
`papers/` is there to be read; when the experiment is run for the verdict, the folder is gone.{truth} The experiment may use \
{seconds:g} seconds of CPU time, all of its processes together (more on a processor that is slower than the one this was measured \
on), and {memory} MB of memory.

Your work is how the files differ from those that you were given. Caches, folders that results are written to and what a given \
`.gitignore` names are no part of it: it makes no difference whether you have run the experiment. At most 2,000 files and 12 MB of \
changes are taken.

You are invited to say how sure you are, in a file `CLAIM.json`: {claim}. It is kept and compared with the verdict, which it \
does not influence."""


@dataclass(frozen=True)
class Task:
    """One task of the suite."""

    folder: Path
    spec: TaskSpec
    vault_key: str = PUBLIC_PASSPHRASE
    """What opens the sealed vault."""

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def repo(self) -> Path:
        """The codebase as the agent gets it, with the data of variant 0."""
        return self.folder / "repo"

    @cached_property
    def vault(self) -> Vault:
        return open_vault(self.folder, self.vault_key)

    @cached_property
    def variant_digest(self) -> str:
        """Stands for how the data are made from a seed."""
        return digest_bytes((self.folder / "variant.py").read_bytes())

    @cached_property
    def digest(self) -> str:
        """Stands for all of the task that determines what a patch's run yields, gold and tolerances left aside.

        Instructions, hints and papers are not in it: they reach the agent, not the evaluation. The repository's own data
        are not in it either: every evaluation replaces them by a variant's.
        """
        spec = self.spec.model_dump(include={"environment", "protected", "experiment", "limits", "artefacts", "metrics"})
        for metric in spec["metrics"]:
            del metric["spread"]  # tolerances decide about a result, they do not change it
        laboratory = self.folder / "laboratory.py"
        more = {
            "figure": self.spec.figure.model_dump() if self.spec.figure else None,
            "guards": [guard.model_dump() for guard in self.spec.guards],
            "laboratory": digest_bytes(laboratory.read_bytes()) if laboratory.is_file() else None,
            "added_kb": self.spec.added_kb,
            "budget": self.spec.laboratory.budget if self.spec.laboratory else None,
        }
        return digest_value(
            {
                "spec": spec,
                "repo": digest_tree(self.repo, keep=lambda path: not path.startswith(("data/", TRUTH, PAPERS))),
                "variant": self.variant_digest,
                "judge": digest_bytes((self.folder / "judge.py").read_bytes()),
                **{name: value for name, value in more.items() if value},  # a task without them has the digest that it always had
            }
        )

    def guard_of(self, path: str) -> str | None:
        """The protected path that `path` is, lies in, or would replace a parent of, in whatever case; None where it is free."""
        path = path.casefold()
        for guard in self.spec.protected:
            folded = guard.casefold()
            bare = folded.removesuffix("/")
            if path == bare or (folded.endswith("/") and path.startswith(folded)) or bare.startswith(path + "/"):
                return guard
        return None

    def twin_of(self, path: str) -> str | None:
        """What of the protected code a new file at `path` would be loaded in place of; None where nothing is."""
        return None if os.path.lexists(self.repo / path) else self._twins.twin_of(path)

    @cached_property
    def _twins(self) -> Twins:
        return find_twins(self.repo, self.is_guarded)

    def is_guarded(self, path: str) -> bool:
        """Whether a file of the codebase is protected by its content; data are protected by being replaced."""
        return not path.startswith(("data/", TRUTH)) and self.guard_of(path) is not None

    @cached_property
    def guarded_digest(self) -> str:
        """Stands for the protected files of the codebase."""
        return digest_tree(self.repo, self.is_guarded)

    def instructions(self, hints: HintLevel = "none") -> str:
        """The text that an agent is given at this hint level; each level adds to the one before."""
        task, *more = ((self.folder / name).read_text(encoding="utf-8").strip() for name in HINT_FILES[hints])
        return "\n\n".join([task, _for_all(self.spec), *more]) + "\n"


def _for_all(spec: TaskSpec) -> str:
    """What every task's instructions say beside its own."""
    figure = spec.figure
    claim = '`{"success": 0.8}`, your probability that the work will be judged a success'
    if figure:
        claim = f'`{{"success": 0.8, "figure": [LOW, HIGH]}}`, your probability of a success and an 80 % interval for {figure.name}'
    truth = " So is `truth/`, which holds the truth of the public worlds alone." if figure else ""
    return _FOR_ALL.format(seconds=spec.limits.seconds, memory=spec.limits.memory_mb, claim=claim, truth=truth)


_IMPORTING = RLock()
"""Held while a task's code is imported, so that no other thread is handed half of a module, and a fork neither that nor a lock
that nobody is left to give back."""
os.register_at_fork(before=_IMPORTING.acquire, after_in_parent=_IMPORTING.release, after_in_child=_IMPORTING.release)


def host_module(task: Task, name: str) -> ModuleType:
    """The task's `variant.py` or `judge.py`, imported under a name of its own; trusted code, run on the host."""
    path = task.folder / f"{name}.py"
    qualified = f"rexbench_task_{task.id.replace('-', '_')}_{name}_{digest_bytes(path.read_bytes())[:8]}"
    with _IMPORTING:
        if qualified in sys.modules:
            return sys.modules[qualified]
        spec = importlib.util.spec_from_file_location(qualified, path)
        if spec is None or spec.loader is None:
            raise BrokenTask(f"{path}: cannot be imported.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[qualified] = module
        # Importing must leave no __pycache__ in the task folder: the suite may be installed read-only.
        before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[qualified]
            raise
        finally:
            sys.dont_write_bytecode = before
        return module
