"""A link to the tree's root, and a second one that climbs out from there: on paper the path stays inside, on disk it does not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(".", "first/../outside.txt", id="by-the-root"),
        pytest.param(".", "first/..", id="the-parent-itself"),
        pytest.param("readingtimes", "first/../../outside.txt", id="by-a-folder"),
        pytest.param(".", "first/../../../canary.txt", id="far-out"),
    ],
)
def test_a_link_that_climbs_out_by_way_of_another_is_refused(
    judge: Judge, patch_of: Callable[..., bytes], tmp_path: Path, first: str, second: str
) -> None:
    patch = patch_of({"run.sh": "true\n", "first": first, "second": second}, {"first": b"120000", "second": b"120000"})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "patch_rejected"


def test_on_disk_such_a_link_leads_out(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tmp_path / "outside.txt").write_text("of the host")
    (tree / "first").symlink_to(".")
    (tree / "second").symlink_to("first/../outside.txt")
    assert (tree / "second").read_text() == "of the host"
