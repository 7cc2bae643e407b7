"""A task's data and their truth, made from a seed. Variant 0 is public; held-out seeds come from a secret and reach no agent."""

import hashlib
import hmac
import inspect
import os
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import BrokenTask
from rexbench.places import Home, remove_tree
from rexbench.task.folder import Task, host_module

PUBLIC_SEED = 0
_LAYOUT = 2
"""Of a variant's folder; those that 0.1.0 made have no `data` and `truth`, and other names."""
_ALONE = threading.Lock()
"""Held while a variant is made: how many threads linear algebra may use is a matter of the whole process."""


def held_out_seeds(task_id: str, count: int, secret: bytes) -> list[int]:
    """`count` seeds for a task, fixed by the secret; without it they cannot be told from random."""
    seeds: list[int] = []
    at = 0
    while len(seeds) < count:
        tag = hmac.new(secret, f"{task_id}/{at}".encode(), hashlib.sha256).digest()
        seed = int.from_bytes(tag[:4], "big") >> 1
        if seed != PUBLIC_SEED and seed not in seeds:
            seeds.append(seed)
        at += 1
    return seeds


@dataclass(frozen=True)
class Variant:
    """What a seed makes of a task."""

    data: Path
    """Shown to the experiment."""
    truth: Path
    """For the judge and the laboratory alone; empty where the task keeps nothing back."""


def choose_seeds(task: Task, count: int | None, first: int | None, secret: bytes) -> tuple[int, ...]:
    """The held-out seeds of a verdict: drawn by the secret, or fixed ones from `first` on; as many as the task asks for."""
    wanted = count or task.spec.held_out
    if first is not None:
        return tuple(first + at for at in range(wanted))
    return tuple(held_out_seeds(task.id, wanted, secret))


def make_variant(task: Task, seed: int, home: Home) -> Variant:
    """The data of this seed: made once, kept read-only, complete or not there at all."""
    # Its path shows in the sandbox's mount table: the name must not tell the seed.
    name = hmac.new(home.secret(), f"{_LAYOUT}/{task.variant_digest}/{seed}".encode(), hashlib.sha256).hexdigest()[:32]
    folder = home / "variants" / task.id / name
    if not folder.is_dir():
        home.make("variants", task.id)
        with home.lock(f"variant-{name}"):
            if not folder.is_dir():
                with home.scratch("variant") as draft:
                    made = write_variant(task, seed, draft / "made")
                    for path in (made.data, *made.data.rglob("*")):
                        path.chmod(0o755 if path.is_dir() else 0o444)
                    os.rename(draft / "made", folder)
    return Variant(folder / "data", folder / "truth")


def write_public_data(task: Task, home: Home) -> Path:
    """Put variant 0 into the codebase, in place of the data and the truth that lay there."""
    with home.scratch("variant") as draft:
        made = write_variant(task, PUBLIC_SEED, draft / "made")
        for source in (made.data, made.truth):
            target = task.repo / source.name
            if target.exists():
                remove_tree(target)
            if any(source.iterdir()):
                shutil.copytree(source, target)
    return task.repo / "data"


def write_variant(task: Task, seed: int, folder: Path) -> Variant:
    """Make the data and truth of this seed below `folder`, which is created; a link or an empty result is the task's fault.

    Linear algebra runs on one thread: sums come out the same on machines with any number of cores, and threads that wait for a busy
    core do not stretch seconds to minutes.
    """
    made = Variant(folder / "data", folder / "truth")
    for part in (folder, made.data, made.truth):
        part.mkdir(mode=0o700)
    from threadpoolctl import threadpool_limits  # here, since most of what imports this module makes no variant

    try:
        make = host_module(task, "variant").make
        with _ALONE, threadpool_limits(1):
            make(seed, *(made.data, made.truth)[: len(inspect.signature(make).parameters) - 1])
    except Exception as error:
        remove_tree(folder)
        raise BrokenTask(f"{task.id}: variant.py failed for seed {seed} with {type(error).__name__}: {error}.") from error
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    if not any(made.data.iterdir()) or any(path.is_symlink() or not path.is_file() for path in files):
        raise BrokenTask(f"{task.id}: variant.py must leave plain files, and at least one, for seed {seed}.")
    return made
