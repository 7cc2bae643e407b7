"""The agent asks for what it may not have, again and again, in requests as long as they may be.

Refused requests were once recorded whole and outside of every limit: 2.4 GB of disk in 78 seconds.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rexbench.gateway.refusals import Refusals
from tests.gateway.scene import BODIES, CHAT, gateway_here, settings_for
from tests.gateway.upstream import provider

LARGE: dict[str, Any] = {"messages": [{"role": "user", "content": "x" * 500_000}]}
REFUSED: dict[str, bytes] = {
    "another model": json.dumps(BODIES[CHAT] | LARGE | {"model": "larger"}).encode(),
    "an endless name": json.dumps(BODIES[CHAT] | {"model": "x" * 500_000}).encode(),
    "a tool of the provider": json.dumps(BODIES[CHAT] | LARGE | {"tools": [{"type": "web_search"}]}).encode(),
    "no request": b"{" + b"x" * 500_000,
}


def disk_after(content: bytes, folder: Path) -> int:
    with provider() as upstream, gateway_here(settings_for(upstream), folder) as here:
        for _ in range(40):
            here.client.post(CHAT, content=content)
        assert not upstream.requests
    return (folder / "exchanges.jsonl").stat().st_size


def test_kept_whole_they_fill_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Refusals, "note", lambda self, why, content: json.loads(content))
    assert disk_after(REFUSED["another model"], tmp_path / "g") > 40 * 500_000


@pytest.mark.parametrize("kind", REFUSED)
def test_they_are_counted_and_known_by_their_digest(kind: str, tmp_path: Path) -> None:
    assert disk_after(REFUSED[kind], tmp_path / "g") < 200_000


def test_too_many_of_them_end_the_run_and_leave_no_more(tmp_path: Path) -> None:
    with provider() as upstream, gateway_here(settings_for(upstream, refusals=10), tmp_path / "g") as here:
        statuses = [here.client.post(CHAT, content=REFUSED["another model"]).status_code for _ in range(30)]
        assert here.client.post(CHAT, json=BODIES[CHAT]).status_code == 403 and not upstream.requests
    assert statuses == [404] * 10 + [403] * 20
    told = dict(here.told)
    assert (told["limit"], told["refusals"], len(here.exchanges())) == ("10 requests were refused", "31", 10)
    assert all(len(str(detail)) < 300 for _, detail in here.told)
    assert all(one.request["bytes"] > 500_000 and len(one.request["sha256"]) == 64 for one in here.exchanges())
