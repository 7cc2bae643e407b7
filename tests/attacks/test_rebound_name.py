"""A page on the web points its own name at 127.0.0.1 (DNS rebinding), and from then on is, to the browser, of the same origin as
whatever listens there: it reads a campaign's solutions out of the viewer of whoever visits it.

The browser sends the name that it asked for. The viewer answers only under its own.
"""

import httpx
import pytest

from rexbench.viewer import guard
from rexbench.viewer.serve import Serving
from tests.viewer.conftest import campaign, client, viewer

__all__ = ["campaign", "client", "viewer"]


def read_as(name: str, client: httpx.Client) -> httpx.Response:
    return client.get("/file/camp/aider/cogs/none/1/run.json", headers={"host": name})


@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost", "127.0.0.1", ""]
)
def test_a_name_that_is_not_its_own_is_not_answered(viewer: Serving, client: httpx.Client, name: str) -> None:
    port = viewer.address.rstrip("/").rpartition(":")[2]
    answer = read_as(name.format(port=port), client)
    assert answer.status_code in (400, 421) and "aider" not in answer.text


def test_without_the_check_the_record_is_read(viewer: Serving, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    class Everything(frozenset[str]):
        def __contains__(self, name: object) -> bool:
            return True

    whole = guard.Guard._refusal

    def lenient(self: guard.Guard, scope: dict[str, object]) -> object:
        monkeypatch.setattr(self, "_hosts", Everything())
        return whole(self, scope)  # type: ignore[arg-type]

    monkeypatch.setattr(guard.Guard, "_refusal", lenient)
    assert '"aider"' in read_as("evil.example", client).text
