"""The submission knows where records, variants, scratch and the secret are kept and opens them by their full paths."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.task.variants import make_variant
from tests.attacks.conftest import Judge
from tests.attacks.scene import answer, host_untouched

THIEF = """
import os, pathlib
for place in PLACES:
    for path in [pathlib.Path(place), *pathlib.Path(place).rglob("*")]:
        try:
            print("read", path, len(path.read_bytes()))
            if path.name == "medians.csv":
                os.makedirs("results", exist_ok=True)
                pathlib.Path("results/medians.csv").write_bytes(path.read_bytes())
        except OSError:
            pass
    try:
        pathlib.Path(place, "planted").write_text("by the thief")
        print("planted", place)
    except OSError:
        pass
"""


def test_records_variants_scratch_and_secret_are_out_of_reach(
    toy: Task,
    judge: Judge,
    home: Path,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    careless_tree: Path,
    tmp_path: Path,
) -> None:
    assert judge(toy.vault.gold).outcome == "success", "gold's own answer now lies in the store"
    Bench().home.secret()
    make_variant(toy, 99, Bench().home)
    places = [str(home / name) for name in ("executions", "evaluations", "variants", "scratch", "secret")] + [str(toy.folder)]
    patch = patch_of({"run.sh": "python thief.py\n", "thief.py": f"PLACES = {places!r}\n" + THIEF})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert logs(verdict) == ""

    told = unprotected(patch).stdout
    assert all(place in told for place in places if "scratch" not in place)
    stolen = (careless_tree / "results" / "medians.csv").read_text()
    assert sorted(stolen.splitlines()) == sorted(answer(toy).splitlines()), "the answer was taken from another run"
    (home / "scratch" / "planted").unlink()
