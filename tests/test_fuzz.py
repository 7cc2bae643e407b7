"""Two thousand damaged archives, campaigns, predictions and TOML files: each is read, or refused in one printable sentence."""

import copy
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rexbench.api.bench import Bench
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import read_campaign_file
from rexbench.errors import RexbenchError
from rexbench.interop.predictions import read_predictions
from rexbench.interop.submission import check_submission, pack, read_submission
from rexbench.task.scaffold import new_task
from rexbench.task.schema import read_spec
from tests.attacks.received import RUN, read_everything, received

AGENTS = b"""
tasks = ["toy"]
hints = "all"
runs = 2

[[agent]]
name = "mine"
agent = "aider"
model = "openai/gpt-5"
time_limit = "30m"
price = { input = 1.0, output = 2.0 }
options = { edit_format = "diff" }
"""
PREDICTIONS = b"""{"instance_id": "toy", "model_name_or_path": "my/agent", "model_patch": "diff --git a/x b/x"}
{"task": "toy", "agent": "other", "patch": null, "hints": "detailed", "run": 2}
"""
RECORDS = (
    "campaign.json",
    f"{RUN}/run.json",
    f"{RUN}/attempt-1/agent.json",
    f"{RUN}/attempt-1/trajectory.json",
    f"{RUN}/attempt-1/patch.diff",
)


def cases(count: int) -> Callable[[Any], Any]:
    """So many examples, the same ones every time."""
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )


@dataclass(frozen=True)
class Grounds:
    """What is damaged, whole, and a place to work in."""

    folder: Path
    home: Path
    campaign: Path
    archive: bytes
    task: bytes

    def put(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grounds]:
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patched:
        for variable, name in (("REXBENCH_HOME", "home"), ("REXBENCH_TASKS", "tasks")):
            (folder / name).mkdir()
            patched.setenv(variable, str(folder / name))
        new_task(folder / "tasks" / "toy")
        campaign = received(folder / "campaign")
        pack(campaign, folder / "whole.zip")
        task = Bench().task("toy")
        yield Grounds(
            folder, folder / "home", campaign.folder, (folder / "whole.zip").read_bytes(), (task.folder / "task.toml").read_bytes()
        )


def survives(*readers: Callable[[], object]) -> None:
    for read in readers:
        try:
            read()
        except RexbenchError as error:
            assert str(error).isprintable() and len(str(error)) < 2000, str(error)


TOKENS = [
    b"\0", b"\xff" * 4, b"\0" * 8, b"\xff\xff\xff\x7f", b"PK\x05\x06", b"PK\x01\x02", b'"', b"{", b"}", b"[" * 300, b"{" * 200,
    b'{"a":' * 300, b"\\ud800", b"NaN", b"1e999", b"-1", b"9" * 5000, b"null", b"true", b"\n", b"../", b"/etc/passwd", b"\x1b[2J",
    "é\u202e".encode(), b"a." * 300, b"''' ",
]  # fmt: skip
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["overwrite", "insert", "delete", "repeat", "cut"]),
        st.floats(0, 1),
        st.one_of(st.sampled_from(TOKENS), st.binary(min_size=1, max_size=8)),
    ),
    min_size=1,
    max_size=4,
)
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.integers(-3, 3), st.floats(), st.text(max_size=8),
        st.sampled_from(["../..", "..", "/", "toy", "none", "sender", "scripted:/dev/zero", "0" * 64, "x" * 70_000, "\x1b[2J"]),
        st.sampled_from([10**400, -1, 1e308]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=5,
)  # fmt: skip


def edited(content: bytes, edits: list[tuple[str, float, bytes]]) -> bytes:
    for kind, where, token in edits:
        at = int(where * len(content))
        if kind == "cut":
            content = content[:at]
        elif kind == "repeat":
            content = content[:at] + content[at : at + 200] + content[at:]
        else:
            behind = {"overwrite": at + len(token), "insert": at, "delete": at + 3 * len(token)}[kind]
            content = content[:at] + (b"" if kind == "delete" else token) + content[behind:]
    return content


def replaced(value: Any, draw: Callable[[Any], Any]) -> Any:
    """The value with one part, however deep, replaced, taken out or given a companion."""
    value = copy.deepcopy(value)
    at = value
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return value
        key = draw(st.sampled_from(keys))
        if isinstance(at[key], dict | list) and at[key] and draw(st.booleans()):
            at = at[key]
            continue
        what = draw(st.sampled_from(["replace", "remove", "add"]))
        if what == "replace":
            at[key] = draw(VALUES)
        elif what == "remove":
            del at[key]
        elif isinstance(at, dict):
            at[draw(st.text(max_size=6))] = draw(VALUES)
        else:
            at.append(draw(VALUES))
        return value


@cases(400)
@given(edits=EDITS)
def test_an_archive_with_damaged_bytes_is_no_traceback(grounds: Grounds, edits: list[tuple[str, float, bytes]]) -> None:
    path = grounds.put("x.zip", edited(grounds.archive, edits))
    survives(lambda: check_submission(path, Bench().suite), lambda: read_submission(path))


@cases(200)
@given(data=st.data())
def test_an_archive_with_another_manifest_or_other_members_is_no_traceback(grounds: Grounds, data: st.DataObject) -> None:
    path = grounds.folder / "x.zip"
    with zipfile.ZipFile(grounds.folder / "whole.zip") as whole, zipfile.ZipFile(path, "w") as made:
        for name in whole.namelist():
            content = whole.read(name)
            if name == "manifest.json":
                content = json.dumps(replaced(json.loads(content), data.draw)).encode("utf-8", "surrogatepass")
            elif name.endswith("patch.diff") and data.draw(st.booleans()):
                content = edited(content, data.draw(EDITS))
            made.writestr(name, content)
        if data.draw(st.booleans()):
            made.writestr(data.draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)), b"x")
    survives(lambda: check_submission(path, Bench().suite), lambda: read_submission(path))


@cases(700)
@given(record=st.sampled_from(RECORDS), data=st.data())
def test_a_campaign_with_a_damaged_record_is_no_traceback(grounds: Grounds, record: str, data: st.DataObject) -> None:
    folder = grounds.folder / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(grounds.campaign, folder)
    path = folder / record
    how = data.draw(st.sampled_from(["bytes", "value", "kind"]))
    if how == "kind":
        path.unlink()
        other = data.draw(st.sampled_from(["gone", "pipe", "folder", "link", "deep"]))
        if other == "deep":
            path.write_bytes(b"[" * 100_000 + b"]" * 100_000)
        elif other != "gone":
            {"pipe": os.mkfifo, "folder": os.mkdir, "link": lambda at: os.symlink("/dev/zero", at)}[other](path)
    elif how == "value" and record.endswith(".json"):
        path.write_text(json.dumps(replaced(json.loads(path.read_text()), data.draw)), encoding="utf-8", errors="surrogatepass")
    else:
        path.write_bytes(edited(path.read_bytes(), data.draw(EDITS)))
    survives(lambda: read_everything(folder), lambda: Campaign.open(folder).check_reach(Bench().home.secret()))


@cases(300)
@given(data=st.data())
def test_damaged_predictions_are_no_traceback(grounds: Grounds, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        rows = [replaced(json.loads(line), data.draw) for line in PREDICTIONS.splitlines()]
        content = "\n".join(map(json.dumps, rows)).encode()
    else:
        content = edited(PREDICTIONS, data.draw(EDITS))
    path = grounds.put("x.jsonl", content)
    survives(lambda: read_predictions(path))


@cases(200)
@given(edits=EDITS)
def test_a_damaged_task_is_no_traceback(grounds: Grounds, edits: list[tuple[str, float, bytes]]) -> None:
    path = grounds.put("task.toml", edited(grounds.task, edits))
    survives(lambda: read_spec(path))


@cases(200)
@given(edits=EDITS)
def test_a_damaged_file_of_agents_is_no_traceback(grounds: Grounds, edits: list[tuple[str, float, bytes]]) -> None:
    path = grounds.put("agents.toml", edited(AGENTS, edits))
    survives(lambda: read_campaign_file(path))
