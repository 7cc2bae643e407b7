"""The page about records: every field of every file is on it, nothing that is gone is, and what 0.1.0 wrote can be read."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rexbench.agent.settings import Agent, Endpoint, GatewayOptions
from rexbench.api.attempt import Attempt
from rexbench.api.campaign import run_row
from rexbench.api.curves import Point
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan, RunSpec
from rexbench.gateway.exchange import Exchange, ExchangeUsage
from rexbench.gateway.meter import Price
from rexbench.record import model
from rexbench.record.model import Execution
from tests.docs.pages import ROOT

KEPT = (
    *(Plan, Agent, Endpoint, Price, GatewayOptions, RunSpec, Exchange, ExchangeUsage, Point, Attempt),
    *(
        kind
        for kind in vars(model).values()
        if isinstance(kind, type) and issubclass(kind, model._Record) and kind is not model._Record
    ),
)
"""Every record that is written to a file; new ones of the records' own module come in by themselves."""


def told(name: str) -> set[str]:
    """The fields that the page's section of this name lists."""
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    sections = re.split(r"^#{2,3} ", page, flags=re.MULTILINE)
    section = next((part for part in sections if part.partition("\n")[0] == name), "")
    return set(re.findall(r"^\| `(\w+)` \| \S", section, flags=re.MULTILINE))


@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.__name__)
def test_the_page_names_exactly_the_fields_of_a_record(kind: Any) -> None:
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set(kind.model_fields)
    assert told(kind.__name__) == fields


def test_the_api_page_names_every_column_of_a_row() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    run = model.Run.model_validate(_as_of_old()[1])
    assert not [column for column in run_row(run) if f"`{column}`" not in page]


def test_a_campaign_of_0_1_0_can_be_read(tmp_path: Path) -> None:
    plan, run = _as_of_old()
    folder = tmp_path / "runs" / run["id"]
    (folder / "attempt-1").mkdir(parents=True)
    (tmp_path / "campaign.json").write_text(json.dumps(plan))
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "attempt-1" / "agent.json").write_text(json.dumps(run["step"]))
    campaign = Campaign(tmp_path)
    agent = campaign.plan.agent("mine")
    assert (agent.limits.usd, agent.limits.seconds, agent.endpoint.key_file, agent.gateway.stall_seconds) == (
        2.0,
        900.0,
        "key",
        60.0,
    )
    found = campaign.find_run(run["id"])
    assert found and found.outcome == "wrong_result" and found.score is None and found.claim is None
    assert campaign.agent_step(run["id"], 1) == found.step


def test_an_execution_of_0_1_0_can_be_read() -> None:
    inputs = {"task": "t", "task_digest": "d", "patch_digest": "", "variant_seed": 3, "training_seed": None, "environment": "base"}
    inputs |= {"environment_digest": "e", "sandbox": "bubblewrap", "machine": "m", "role": "reference"}
    execution = {"key": "k", "inputs": inputs, "ending": "ran", "detail": "", "exception": None, "frame": None, "status": 0}
    execution |= {"stopped_by": None, "seconds": 1.5, "peak_memory_mb": 20, "enforced": {}, "metrics": {"x": 1}, "landmarks": {}}
    execution |= {
        "artefacts": [],
        "files": [],
        "lines_added": 0,
        "lines_removed": 0,
        "written_at": "2026-01-01",
        "version": "0.1.0",
    }
    found = Execution.model_validate_json(json.dumps(execution))
    assert found.cpu_seconds == 0 and found.inputs.program == "" and found.guards == ()


def _as_of_old() -> tuple[dict[str, Any], dict[str, Any]]:
    """A plan and a run, field for field as 0.1.0 wrote them."""
    agent = {
        "name": "mine",
        "agent": "aider",
        "model": "openai/m",
        "base_url": None,
        "key_file": "key",
        "wires": None,
        "price": None,
    }
    agent |= {"condition": "open", "time_limit": 900.0, "budget_usd": 2.0, "budget_tokens": None, "budget_requests": None}
    agent |= {"memory_mb": 6000, "allow_server_tools": False, "retry_seconds": 300.0, "stall_seconds": 60.0, "options": {}}
    plan = {"agents": [agent], "tasks": ["t"], "folders": {}, "hints": ["none"], "runs": 1, "listed": None, "seeds": {"t": [7]}}
    plan |= {"sandbox": "process", "unsafe": True, "budget_usd": None, "retries": 2}
    limits = {"seconds": 900.0, "usd": 2.0, "tokens": None, "requests": None, "memory_mb": 6000, "processes": 512, "disk_mb": 2000}
    step = {"task": "t", "task_digest": "d", "hints": "none", "agent": "aider", "agent_version": "1", "program_digest": "p"}
    step |= {"model": "openai/m", "wire": "openai-chat", "condition": "open", "prompt": "go", "options": {}, "limits": limits}
    step |= {"outcome": "finished", "detail": "", "status": 0, "tokens": {"input": 1, "output": 1, "cached": 0}, "cost_usd": None}
    step |= {"turns": 1, "requests": 1, "seconds": 5.0, "model_seconds": 4.0, "refused": [], "skipped": [], "patch_digest": "x"}
    step |= {"files": ["a.py"], "lines_added": 1, "lines_removed": 0, "sandbox": "bubblewrap", "enforced": {}, "machine": "m"}
    step |= {"written_at": "2026-01-01", "version": "0.1.0"}
    metric = {"name": "x", "kind": "exact", "value": 1, "gold": 2, "low": None, "high": None, "accepted": False, "distance": 1.0}
    judged = {
        "key": "k",
        "execution": "e",
        "reference": "r",
        "task": "t",
        "variant_seed": 7,
        "outcome": "wrong_result",
        "detail": "",
    }
    judged |= {
        "exception": None,
        "frame": None,
        "execution_success": True,
        "metrics": [metric],
        "landmarks": {},
        "file_recall": 1.0,
    }
    judged |= {"file_precision": 1.0, "lines_changed": 1, "seconds": 1.0, "written_at": "2026-01-01"}
    run = {"id": "mine/t/none/1", "agent": "mine", "task": "t", "hints": "none", "repetition": 1, "attempt": 1, "step": step}
    run |= {"outcome": "wrong_result", "detail": "", "execution_success": True, "file_recall": 1.0, "file_precision": 1.0}
    run |= {"evaluations": [judged], "flags": [], "seconds": 6.0, "written_at": "2026-01-01"}
    return plan, run
