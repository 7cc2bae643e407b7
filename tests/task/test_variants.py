"""Held-out data: fixed by a secret, complete or absent, never the public variant."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from threadpoolctl import threadpool_info

from rexbench.api.bench import Bench
from rexbench.errors import BrokenTask, RexbenchError
from rexbench.places import Home
from rexbench.task.folder import Task, host_module
from rexbench.task.variants import held_out_seeds, make_variant, write_variant


def test_seeds_depend_on_the_secret_and_the_task() -> None:
    one = held_out_seeds("othello", 20, b"a")
    assert one == held_out_seeds("othello", 20, b"a")
    assert one != held_out_seeds("othello", 20, b"b")
    assert one != held_out_seeds("cogs", 20, b"a")


def test_seeds_are_distinct_and_never_the_public_one() -> None:
    seeds = held_out_seeds("othello", 500, b"a")
    assert len(set(seeds)) == 500 and 0 not in seeds and max(seeds) < 2**31


def test_more_seeds_begin_with_the_same_ones() -> None:
    assert held_out_seeds("othello", 20, b"a")[:3] == held_out_seeds("othello", 3, b"a")


def test_the_secret_is_made_once_and_private(home: Path) -> None:
    secret = Home(home).secret()
    assert secret == Home(home).secret() and len(secret) == 32
    assert (home / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "ab", "no hexadecimal text"])
def test_an_empty_or_damaged_secret_is_refused_with_a_sentence(home: Path, content: str) -> None:
    (home / "secret").write_text(content)
    with pytest.raises(RexbenchError, match="remove it, and a new one is made"):
        Home(home).secret()


def test_a_variant_is_made_once_and_read_only(toy: Task) -> None:
    folder = make_variant(toy, 5, Bench().home).data
    made = (folder / "readings.csv").stat()
    assert make_variant(toy, 5, Bench().home).data == folder
    assert (folder / "readings.csv").stat().st_mtime_ns == made.st_mtime_ns
    assert made.st_mode & 0o222 == 0


def test_a_variant_that_fails_leaves_nothing(toy: Task, home: Path) -> None:
    (toy.folder / "variant.py").write_text(
        "def make(seed, out_dir):\n    (out_dir / 'half').write_text('x')\n    raise ValueError('no')\n"
    )
    with pytest.raises(BrokenTask, match="ValueError: no"):
        make_variant(toy, 6, Bench().home)
    assert not [path for path in (home / "variants" / "toy").iterdir() if path.is_dir()]


def test_threads_that_ask_at_once_all_get_the_whole_module(toy: Task) -> None:
    (toy.folder / "variant.py").write_text("import time\n\ntime.sleep(0.3)\n\n\ndef make(seed, out_dir):\n    pass\n")
    with ThreadPoolExecutor(4) as pool:
        modules = list(pool.map(lambda _: vars(host_module(toy, "variant")).copy(), range(4)))
    assert all("make" in module for module in modules)


def test_a_fork_has_what_was_imported_even_while_another_thread_imports(toy: Task) -> None:
    """A judge is forked from a worker, which may have threads."""
    (toy.folder / "variant.py").write_text("import time\n\ntime.sleep(1)\n")
    host_module(toy, "judge")
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(host_module, toy, "variant")
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            signal.alarm(2)
            os._exit(0 if host_module(toy, "judge") else 1)
        assert os.waitpid(child, 0)[1] == 0
        slow.result()


def test_other_code_makes_other_variants(toy: Task) -> None:

    first = make_variant(toy, 5, Bench().home).data
    source = toy.folder / "variant.py"
    source.write_text(source.read_text() + "\n# changed\n")
    assert make_variant(Bench().task("toy"), 5, Bench().home).data != first


COUNTING = """
import time, numpy, threadpoolctl

def most():
    return max(one["num_threads"] for one in threadpoolctl.threadpool_info())

def make(seed, data, truth):
    before = most()
    time.sleep(0.1)
    (data / "threads").write_text(f"{before} {most()}")
"""


def test_linear_algebra_makes_variants_on_one_thread_and_then_as_before(toy: Task, tmp_path: Path) -> None:
    """Three variants at once from three threads: none sees more than one, and the process keeps what it had."""
    (toy.folder / "variant.py").write_text(COUNTING)
    host_module(toy, "variant")  # loads what there is to be limited
    usual = threadpool_info()
    with ThreadPoolExecutor(3) as pool:
        made = list(pool.map(lambda seed: write_variant(toy, seed, tmp_path / str(seed)), (1, 2, 3)))
    assert [(variant.data / "threads").read_text() for variant in made] == ["1 1"] * 3
    assert threadpool_info() == usual
