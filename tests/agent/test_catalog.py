"""Agents by name: the shipped ones, and those that an installed package offers; programs at the version that was chosen."""

from pathlib import Path

import pytest

from rexbench.agent.catalog import agents, find_agent
from rexbench.agent.install import Programs
from rexbench.errors import RexbenchError
from rexbench.places import Home

OFFERED = """
class Mine:
    name = "mine"
    wires = ("openai-chat",)
    program = None
"""


def test_a_package_offers_an_agent_by_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "offering.py").write_text(OFFERED)
    described = tmp_path / "offering-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[rexbench.agents]\nmine = offering:Mine\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "mine" in agents() and find_agent("mine").wires == ("openai-chat",)


def test_an_unknown_agent_names_the_nearest() -> None:
    with pytest.raises(RexbenchError, match="did you mean openhands"):
        find_agent("openhand")


def test_a_class_is_an_agent_by_its_module_and_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_agents.py").write_text(OFFERED)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_agent("own_agents:Mine").name == "mine"
    with pytest.raises(RexbenchError, match="cannot be imported here"):
        find_agent("own_agents:Nobodys")


def test_another_version_of_a_program_stands_beside_the_pinned_one(home: Path) -> None:
    programs = Programs(Home(home), {})
    pinned = programs.known()["aider"]
    programs.choose_version("aider", "99.0")
    chosen = programs.known()["aider"]
    assert chosen.version == "99.0" and chosen.folder != pinned.folder and programs.known()["openhands"].version != "99.0"
    with pytest.raises(RexbenchError, match=r"aider 99\.0 is not installed"):
        programs.find("aider")
