"""A task's data, made from a seed. Variant 0 is public; held-out seeds are drawn from a secret and never reach an agent."""

import hashlib
import hmac
import os
import shutil
from pathlib import Path

from filelock import FileLock

from rexbench.errors import BrokenTask
from rexbench.places import home, remove_tree, scratch, secret
from rexbench.task.folder import Task, host_module

PUBLIC_SEED = 0


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


def make_variant(task: Task, seed: int) -> Path:
    """The folder with the data of this seed: made once, kept read-only, complete or not there at all."""
    # Its path shows in the sandbox's mount table: the name must not tell the seed.
    name = hmac.new(secret(), f"{task.variant_digest}/{seed}".encode(), hashlib.sha256).hexdigest()[:32]
    folder = home() / "variants" / task.id / name
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_suffix(".lock")), scratch("variant") as draft:
        if folder.is_dir():
            return folder
        write_variant(task, seed, draft / "data")
        for path in (draft / "data", *(draft / "data").rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o444)
        os.rename(draft / "data", folder)
    return folder


def write_public_data(task: Task) -> Path:
    """Put variant 0 into the codebase, in place of the data that lay there."""
    with scratch("variant") as draft:
        write_variant(task, PUBLIC_SEED, draft / "data")
        target = task.repo / "data"
        remove_tree(target)
        shutil.copytree(draft / "data", target)
    return target


def write_variant(task: Task, seed: int, folder: Path) -> None:
    """Make the data of this seed in `folder`, which is created; a link or an empty result is the task's fault."""
    folder.mkdir()
    try:
        host_module(task, "variant").make(seed, folder)
    except Exception as error:
        remove_tree(folder)
        raise BrokenTask(f"{task.id}: variant.py failed for seed {seed} with {type(error).__name__}: {error}.") from error
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    if not files or any(path.is_symlink() or not path.is_file() for path in files):
        raise BrokenTask(f"{task.id}: variant.py must leave plain files, and at least one, for seed {seed}.")
