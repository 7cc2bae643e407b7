"""The same campaign on this machine, on Slurm and on Dask, each with records of its own: the same outcomes and metrics."""

import json
from pathlib import Path

import pytest

from rexbench.campaign.executors.dask import Dask
from rexbench.campaign.executors.local import Local
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.executors.slurm.executor import Slurm
from tests.cluster.conftest import CONTROLS, DaskCluster, Rig, Started, finished, results, slow_agent

pytestmark = pytest.mark.cluster


def test_outcomes_and_metrics_do_not_depend_on_the_executor(
    started: Started, rig: Rig, dask_cluster: DaskCluster, environments: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = (*CONTROLS, slow_agent(tmp_path, 0))
    found = {}
    executors: tuple[Executor, ...] = (Local(2), Slurm({}, 4), Dask(dask_cluster.address, None))
    for executor in executors:
        home = tmp_path / f"home-{executor.name}"
        home.mkdir()
        (home / "environments").symlink_to(environments)
        monkeypatch.setenv("REXBENCH_HOME", str(home))  # live gold is made by each, not taken from the record of another
        campaign = started(*agents, folder=tmp_path / f"campaign-{executor.name}")
        progress = finished(campaign, executor)
        assert progress.done == 3 and not progress.given_up
        found[executor.name] = results(campaign)
        made = [*home.glob("executions/*/*/execution.json"), *home.glob("superseded/*/execution.json")]
        roles = [json.loads(path.read_text())["inputs"]["role"] for path in made]
        assert roles.count("reference") == 1, "live gold was made once and shared"
    assert found["local"] == found["slurm"] == found["dask"]
    outcomes = {run: values[0] for run, values in found["local"].items()}
    assert {outcome for run, outcome in outcomes.items() if not run.startswith("nop")} == {"success"}
