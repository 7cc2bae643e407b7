"""`rexbench serve` with a cluster behind it: the same verdicts and leaderboard as on this machine; a lost job is made again."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rexbench.api.bench import Bench
from rexbench.campaign.executors.dask import Dask
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.executors.slurm.executor import Slurm
from rexbench.campaign.folder import Campaign
from rexbench.interop.judges import Staying
from rexbench.service.database import Database
from rexbench.service.seasons import start_season
from rexbench.service.serve import serving
from rexbench.task.folder import Task
from tests.cluster.conftest import DaskCluster, Rig, results
from tests.service.conftest import Up, open_accounts
from tests.service.handed_in import patches, write_archive

pytestmark = pytest.mark.cluster


def judge(bench: Bench, task: Task, executor: Executor, folder: Path) -> tuple[Any, Any]:
    """Two submissions, judged one after the other: what the leaderboard says, and all that was measured."""
    database = Database(bench.home)
    with database.change() as change:
        tokens = open_accounts(change)
        start_season(change, "test", "one", [task], moderated=False).seed = 7
    with serving(bench, database, executor, 0) as address:
        up = Up(address, database, bench, tokens)
        runs = []
        for name, contents in (("solver", [task.vault.gold, b""]), ("idler", [b""])):
            number = up.hand_in("ann", write_archive(folder / f"{name}.zip", patches(name, task.id, contents)))
            runs.append(results(Campaign.open(up.folder(number))))
        places = [{key: place[key] for key in ("agent", "value", "low", "high", "runs")} for place in up.places(2)]
    database.close()
    return places, runs


@pytest.fixture
def judged_here(toy: Task, environments: Path, tmp_path: Path) -> tuple[Any, Any]:
    home = tmp_path / "home-local"
    home.mkdir(mode=0o700)
    (home / "environments").symlink_to(environments)
    return judge(Bench(home=home, tasks=toy.folder.parent), toy, Staying(1), tmp_path)


def test_a_service_judges_on_dask_as_it_does_here(
    judged_here: tuple[Any, Any], bench: Bench, toy: Task, dask_cluster: DaskCluster, tmp_path: Path
) -> None:
    assert judge(bench, toy, Dask(dask_cluster.address, None), tmp_path) == judged_here
    assert len([*bench.home.folder.glob("service/judged/*/.dask")]) == 2, (
        "a killed service finds a submission's tasks in its folder"
    )


def test_a_service_judges_on_slurm_as_it_does_here_although_a_job_is_lost(
    judged_here: tuple[Any, Any], bench: Bench, toy: Task, rig: Rig, tmp_path: Path
) -> None:
    over = threading.Event()
    lost: list[str] = []

    def cancel_the_first() -> None:
        while not over.is_set() and not lost:
            with suppress(IndexError):
                lost.append(rig.running()[0])
                rig.cancel(lost[0])

    killer = threading.Thread(target=cancel_the_first)
    killer.start()
    try:
        there = judge(bench, toy, Slurm({}, 4), tmp_path)
    finally:
        over.set()
        killer.join()
    assert lost and there == judged_here
