"""`task.toml` is strict, and says which key on which line is wrong."""

from pathlib import Path

import pytest

from rexbench.errors import BrokenTask
from rexbench.task.scaffold import TEMPLATE
from rexbench.task.schema import read_spec


def broken(tmp_path: Path, old: str, new: str) -> str:
    path = tmp_path / "task.toml"
    text = (TEMPLATE / "task.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(BrokenTask) as caught:
        read_spec(path)
    return str(caught.value)


def test_the_scaffold_is_valid() -> None:
    assert read_spec(TEMPLATE / "task.toml").experiment.command == "bash run.sh"


def test_an_unknown_key_is_named_with_its_line_and_the_nearest_known_key(tmp_path: Path) -> None:
    message = broken(tmp_path, "memory_mb = 1000", "memroy_mb = 1000")
    line = (TEMPLATE / "task.toml").read_text().splitlines().index("memory_mb = 1000") + 1
    assert f"line {line}: unknown key limits.memroy_mb; did you mean memory_mb?" in message


def test_an_unknown_key_beside_all_known_ones_names_the_nearest(tmp_path: Path) -> None:
    message = broken(tmp_path, "memory_mb = 1000", "memory_mb = 1000\nprocesess = 5")
    assert "unknown key limits.procesess; did you mean processes?" in message


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    assert "title is missing" in broken(tmp_path, 'title = "Add a robust summary to a reading-time study"', "")


def test_a_wrong_type_is_named_with_its_line(tmp_path: Path) -> None:
    message = broken(tmp_path, "held_out = 1", 'held_out = "one"')
    assert "held_out" in message and "line 6" in message


def test_the_second_of_two_metrics_is_found_by_line(tmp_path: Path) -> None:
    message = broken(tmp_path, 'kind = "float"', 'kind = "fuzzy"')
    line = (TEMPLATE / "task.toml").read_text().splitlines().index('kind = "float"') + 1
    assert f"line {line}" in message


@pytest.mark.parametrize("path", ["/etc/passwd", "../out.csv", "a//b", "a/./b"])
def test_an_artefact_outside_the_tree_is_refused(tmp_path: Path, path: str) -> None:
    assert "plain relative path" in broken(tmp_path, "results/medians.csv", path)


def test_data_must_be_protected(tmp_path: Path) -> None:
    assert "must contain data/" in broken(tmp_path, '"data/", ', "")


def test_text_that_is_not_toml_is_told_with_its_line(tmp_path: Path) -> None:
    assert "line" in broken(tmp_path, "held_out = 1", "held_out = = 1")
